// Variables that decide what runs, with every way to set them; names of variables that are computed; and indirect
// input.
import { all, type Attack, attack, subscript } from "./command-attack-rows.ts";

export const specialAttacks: readonly Attack[] = [
  ...all("bash", ".", [
    "read PATH <<< {p}; script",
    "time read PATH <<< {p}; script",
    "printf -v PATH %s {p}; script",
    "printf -vPATH %s {p}; script",
    "select PATH in {p}; do script; break; done <<< 1",
    "x={p}; unset PATH; : ${PATH:=$x}; script",
    "x={p}; unset PATH; echo ${PATH=$x}; script",
    "bash -c 'read PATH <<< $1; script' x {p}",
    "[[ {p} =~ .* ]]; PATH=$BASH_REMATCH; script",
  ]),
  ...all("dash", ".", [
    "for PATH in {p}; do script; done",
    "printf '%s\\n' {p} | { read PATH; script; }",
    "printf '%s\\n' {p} | while read -r PATH; do script; done",
  ]),
  ...all("bash", "./script", [
    "read BASH_ENV <<< {p}; export BASH_ENV; bash -c true",
    "export BASH_ENV; read BASH_ENV <<< {p}; bash -c true",
    "for BASH_ENV in {p}; do export BASH_ENV; bash -c :; done",
    "printf %s {p} > out; export BASH_ENV=$(cat out); bash -c true",
  ]),
  ...all("bash", "$(touch mark)", [
    "read PS4 <<< {p}; set -x; :",
    "for PS4 in {p}; do set -x; :; done",
    "echo >&{p}",
    'x={p}; echo >&"$x"',
    'read x <<< {p}; echo >&"$x"',
  ]),
  ...all("bash", subscript, [
    "x={p}; a=(1); unset 'a[x]'",
    "x={p}; a=(1); unset 'a[$x]'",
    "x={p}; a=(1); read 'a[x]' < script",
    "x={p}; a=(1); printf -v 'a[$x]' 1",
    "x={p}; a=(1); declare 'a[$x]=1'",
    "f() { local 'a[$1]=1'; }; f {p}",
    "x={p}; a=(1); test -v 'a[$x]'",
    "set -- {p}; echo ${@:$1}",
  ]),
  ...all("bash", subscript, [
    "sleep 0 & wait -p {p} $!",
    "sleep 0 & wait -n -p {p}",
    'declare -A m; k={p}; sleep 0 & wait -p "m[$k]" $!',
    "declare -n x; x={p}; x=1",
    'declare -n x; for x in {p}; do echo "$x"; done',
    'declare -n x; read -r x <<< {p}; echo "$x"',
    "f() { local -n r; r=$1; r=2; }; f {p}",
    'set -- -v {p}; [ $1 "$2" ]',
  ]),
  attack("bash", "sleep 0 & wait -n {p}", `-p${subscript}`),
  ...all("bash", "a -o -v a[$(:>mark)] -o b", ["x={p}; [ $x = y ]", "x={p}; test -f $x", "f() { [ -n $1 ]; }; f {p}"]),
  ...all("bash", "touch mark", ["history -s {p}; fc -s", "history -s {p}; fc -e -"]),
  ...all("dash", "touch mark", [
    "alias x=eval\nx {p}",
    "alias x='sh -c'\nx {p}",
    "alias py='env nice'\npy sh -c {p}",
    "alias x='echo a | sh -c'\nx {p}",
  ]),
  ...all("bash", "touch mark", ["source /dev/fd/3 3<<< {p}", "bash /dev/fd/3 3<<< {p}", "echo {p} > >(sh); wait $!"]),
  ...all("bash", "touch mark; echo", ["coproc bash; echo {p} >&${COPROC[1]}; read -r x <&${COPROC[0]}"]),
  ...all("bash", "touch mark", ["X={p}; trap 'eval \"${X}\"' EXIT", "export X={p}; sh -c 'eval \"${X}\"'"]),
];

/** Everyday uses of the same features. */
export const acceptedBeside: readonly (readonly [template: string, shells: readonly string[]])[] = [
  ['PATH="/opt/bin:$PATH"; export PATH; echo {p}', ["dash", "bash", "zsh", "busybox"]],
  ["export PATH=$(pwd)/bin:$PATH; echo {p}", ["bash", "zsh"]],
  ["for PATH in /bin /usr/bin; do command -v ls; done; echo {p}", ["dash", "bash"]],
  ["printf 'PATH is %s\\n' {p}; echo PATH={p}", ["dash", "bash", "zsh", "busybox"]],
  ['while IFS=: read -r name value; do echo "$name" {p}; done < script', ["dash", "bash", "zsh", "busybox"]],
  ['path={p}; options={p}; commands={p}; echo "$path" "$options" "$commands"', ["dash", "bash"]],
  ["echo {p} >&2; exec 3>&1; echo {p} >&3", ["dash", "bash", "zsh", "busybox"]],
  ["exec {{fd}}>out; echo {p} >&$fd", ["bash"]],
  ["i=0; a=({files}); unset 'a[i]'; unset \"a[$i]\"; read -r 'a[0]' < script", ["bash"]],
  ["alias ll='ls -l' grep='grep -n' sed=gsed python=python3; ll -- {p}", ["dash", "bash", "zsh"]],
  ["echo {p} > >(cat)", ["bash", "zsh"]],
  ['sleep 0 & pid=$!; wait "$pid"; wait -n; wait -f $!; echo {p}', ["bash"]],
  [
    'x={p}; [ -n "$x" ] && [ "$x" = {p} ] && test -f {p} -a "$x" != b; [ $# -gt 0 ]; n=$(wc -c < script); [ $n -gt 1 ]; op=-gt; [ "$n" "$op" 1 ]',
    ["dash", "bash", "zsh", "busybox"],
  ],
  ['set -- {p} b; echo "${@:2}" "${*:1:1}"', ["bash"]],
];
