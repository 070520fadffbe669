// What only zsh reads so.
import { all, attack, type Attack, zshSubscript } from "./command-attack-rows.ts";

const unset = "argv[$(touch mark)]";
const glob = "*(e@touch mark@)";

/** Each runs its value. */
export const zshAttacks: readonly Attack[] = [
  attack("zsh", "echo *(.om[1,{p}])", unset),
  attack("zsh", "echo *(L+{p})", "0e:./script:"),
  attack("zsh", "x={p}; a=(1 2); echo $a[$x]", zshSubscript),
  attack("zsh", "x={p}; a=(1 2); echo \"$a[$x]\"", zshSubscript),
  attack("zsh", "x={p}; echo ${(l:$x:)y}", zshSubscript),
  attack("zsh", "x={p}; echo ${(l:x:)y}", zshSubscript),
  attack("zsh", "x={p}; echo ${${x}[x]}", zshSubscript),
  attack("zsh", "x={p}; echo ${(P)x}", zshSubscript),
  attack("zsh", "x={p}; y=x; echo $((y))", zshSubscript),
  attack("zsh", "integer y; y={p}", zshSubscript),
  attack("zsh", "x={p}; repeat $x echo", zshSubscript),
  attack("zsh", "{ echo a } always { eval {p} }", "touch mark"),
  attack("zsh", "if [[ a = a ]] eval {p}", "touch mark"),
  attack("zsh", "while [[ a = a ]] { eval {p}; exit }", "touch mark"),
  attack("zsh", "if ((1)) eval {p}", "touch mark"),
  attack("zsh", "for x (a b) eval {p}", "touch mark"),
  attack("zsh", "for x in a b; { eval {p} }", "touch mark"),
  attack("zsh", "function f g { eval {p} }; f {p}", "touch mark"),
  attack("zsh", "m={p}; let \"n = m\"", zshSubscript),
  attack("zsh", "hash x={p}; x", "./script"),
  attack("zsh", "print -v {p} x", zshSubscript),
  attack("zsh", "print -z -- {p}; getln x; echo $((x))", zshSubscript),
  ...all("zsh", `-v${unset}`, ["print {p}", "print -r {p}", "x={p}; print -l $x"]),
  ...all("zsh", zshSubscript, [
    "set -- -t {p}; [ \"$1\" \"$2\" ]", "private {p}", "getln {p} <<< a", "bye {p}", "zmodload zsh/datetime; strftime -s {p} %s 1", "zmodload zsh/datetime; strftime -s{p} %s 1", "zmodload zsh/system; sysopen -ru {p} script", "zmodload zsh/system; syserror -e {p} 1", "zmodload zsh/pcre; pcre_compile x; pcre_match -v {p} x",
    "zmodload zsh/zutil; zregexparse {p} x y",
  ]),
  ...all("zsh", glob, [
    "a={p}; echo ${~a}", "a={p}; echo $~a", "a={p}; for f in ${~a}; do :; done", "a={p}; b=(${~a})", "a={p}; echo ${~${a}}", "a={p}; echo ${~:-$a}", "a={p}; print -l ${(f)~a}", "a={p}; echo $^~a", "a=({p}); echo $~a[1]", "echo $~1 {p}",
    "a={p}; cat < ${~a}", "setopt globsubst; a={p}; echo $a", "setopt GLOB_SUBST; a={p}; echo $a", "unsetopt no_glob_subst; a={p}; echo $a", "set -o glob_subst; a={p}; echo $a", "set -oglobsubst; a={p}; echo $a", "set +o noglobsubst; a={p}; echo $a",
    "emulate zsh -o globsubst; a={p}; echo $a", "f() { setopt localoptions globsubst; echo $1 }; f {p}", "options=(globsubst on); a={p}; echo $a", "o=globsubst; setopt $o; a={p}; echo $a",
    "zsh -fc 'echo ${~1}' zsh {p}", "zsh -f -o globsubst -c 'echo $1' zsh {p}",
  ]),
  ...all("zsh", zshSubscript, [
    "a={p}; print -f '%d' $a", "a={p}; print -rf '%s %d' -- a $a", "a={p}; print -f%d $a", "zsh -fc 'print -f %d $1' zsh {p}", "zsh -fc 'repeat $1 echo' zsh {p}",
    "zmodload zsh/system; sysread -t {p} x", "zmodload zsh/system; sysseek {p}", "zmodload zsh/system; zsystem flock -t {p} x", "zmodload zsh/stat; zstat -A {p} .", "zmodload zsh/zutil; zformat -f x '%(a.b.c)' a:{p}", "LISTMAX={p}", "SHLVL={p}",
    "x={p}; y=b; echo ${x:s/p/$y/}", "x={p}; echo ${x:gs/p/$x/}", "x={p}; echo $x:s/p/$x/",
  ]),
  ...all("zsh", "$(touch mark)", ["autoload -U zmv; zmv -n '(*)' {p}", "for PS4 in {p}; do setopt promptsubst; set -x; :; done"]),
  attack("zsh", "emulate sh; setopt bareglobqual noshglob; a={p}; echo $a", "*(e@./script@)"),
  ...all("zsh", "*(#qe@touch mark@)", ["setopt extendedglob; x={p}; [[ -n $~x(#qN) ]]"]),
  ...all("zsh", "e@./script@", ["setopt extendedglob; x={p}; [[ -n *(#q$x) ]]", "setopt extendedglob; [[ -n *(#q{p}) ]]"]),
  ...all("zsh", "touch mark", [
    "() {{ eval $1 }} {p}", "sh =(print -r -- {p})", "setopt extendedglob; [[ -n *(#qN) ]]; eval {p}", "setopt extendedglob; echo *(#qN); eval {p}",
  ]),
  ...all("zsh", "touch mark", ["functions=(f {p}); f", "aliases=(f {p}); eval f", "x={p}; eval $=x"]),
  ...all("zsh", "touch mark; echo", ["coproc sh; print -p -r -- {p}; read -p x"]),
  ...all("zsh", "./script", ["commands=(f {p}); f", "READNULLCMD={p}; < script", "x={p}; $=x"]),
  ...all("zsh", ".", [
    "path=({p} $path); script", "path[1]={p}; script", "local path; path=({p}); script", "fpath=({p}); autoload -U script; script", "read PATH <<< {p}; script", "read -A path <<< {p}; script", "print -v PATH -n {p}; script", "for x PATH in a {p}; do script; done",
    "[[ {p} =~ '.*' ]]; PATH=$MATCH; script",
  ]),
];

/** Values that stay values in zsh. */
export const acceptedInZsh: readonly string[] = [
  "x={p}; echo ${(f)x} $=x $^x ${~~x}",
  "p='*'; echo ${~p} {p}",
  "x={p}; [[ abc = ${~x} ]] || case abc in ${~x}) echo no;; esac",
  "emulate -L zsh; setopt extendedglob nullglob; print -r -- {p}",
  "set -o pipefail; setopt no_unset; print -rf '%s\\n' -- {p}",
  "print -v x -r -- {p}; echo $x",
  "path=(/usr/bin $path); prompt={p}; manpath=($manpath); echo $prompt",
  "x={p}; echo ${x:s/a/b/} $x:t ${x/a/$x}",
  "setopt extendedglob; x={p}; [[ -n $x/*(#qN) ]] || echo *(#qN) *.(txt|md)(N) {p}",
  "print -- {p}; print -l -- $HOME {p}; print \"is {p}\"; zmodload zsh/datetime; strftime -s now %s 1; echo $now",
  "exec {{fd}}>out; print -u $fd -r -- {p}; echo {p} >&$fd",
];
