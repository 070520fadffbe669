// Templates in which a value would become an option of a program, each with the program itself; and similar harmless
// ones.
import type { ParameterSchema } from "../../src/core/schema/parameter.ts";

export interface OptionAttack {
  readonly template: string;
  readonly value: string;
  /** A shell in which the value would have become an option. */
  readonly shell: "dash" | "bash" | "zsh";
  /** The call is refused, or the definition with this code. */
  readonly refused: "call" | "parameter-as-option" | "unquoted-value";
}

/** An option with which tar runs the program `script`. */
const option = "-Iscript";

/** Returns rows. The default of `value` is the option itself. */
function all(
  row: Pick<OptionAttack, "shell" | "refused"> & { readonly value?: string },
  templates: readonly string[],
): readonly OptionAttack[] {
  return templates.map((template) => ({ value: option, ...row, template }));
}

/** Templates after a `--` that is not tar's, also tried without a shell. */
export const wrapped: readonly string[] = [
  "timeout -- 60 tar cf o.tar {p} f",
  "nice -- tar cf o.tar {p} f",
  "nice -n 5 -- tar cf o.tar {p} f",
  "env -- tar cf o.tar {p} f",
  "env -- A=b tar cf o.tar {p} f",
  "env -u X -- timeout 5 tar cf o.tar {p} f",
  "nohup -- tar cf o.tar {p} f",
  "setsid -w -- tar cf o.tar {p} f",
  "stdbuf -oL -- tar cf o.tar {p} f",
  "ionice -c 3 -- tar cf o.tar {p} f",
  "flock -- f tar cf o.tar {p} f",
  "xargs -- tar cf o.tar {p} f",
  "unshare -- tar cf o.tar {p} f",
  "strace -o trace -- tar cf o.tar {p} f",
  "setpriv -- tar cf o.tar {p} f",
  "choom -n 0 -- tar cf o.tar {p} f",
  "prlimit -n100 -- tar cf o.tar {p} f",
  "busybox env -- tar cf o.tar {p} f",
  "chrt -b -- 0 tar cf o.tar {p} f",
  "env nice -- env -- tar cf o.tar {p} f",
  "bwrap --dev-bind / / -- tar cf o.tar {p} f",
  "npm run -s x -- {p} f",
  "find f -exec tar cf o.tar {p} {} \\;",
  "find -- f -exec tar cf o.tar {p} {} \\;",
  "find f -exec true -- \\; -exec tar cf o.tar {p} {} \\;",
  "sh -c 'tar cf o.tar \"$1\" f' -- {p}",
  "sh -c 'tar cf o.tar \"$@\" f' -- {p}",
  "sh -c 'x=$1; tar cf o.tar \"$x\" f' -- {p}",
  'sh -c \'f() { tar cf o.tar "$1" f; }; f "$1"\' -- {p}',
  "sh -c 'tar cf o.tar \"$0\" f' {p} --",
  'sh -c \'sh -c "tar cf o.tar \\"\\$1\\" f" -- "$1"\' -- {p}',
  "env -- sh -c 'tar cf o.tar -- f; tar cf o.tar \"$1\" f' -- {p}",
  "sh -- run.sh {p}",
];

const direct: readonly OptionAttack[] = [
  ...all({ shell: "dash", refused: "call" }, wrapped),
  // Here `--` is the value of an option.
  ...all({ shell: "dash", refused: "call" }, ["tar cf -- o.tar {p} f", "tar -cf -- {p} f"]),
  // The value makes the file `mark`.
  ...all({ shell: "dash", refused: "call", value: "-fls" }, [
    "find -- {p} mark",
    'x={p}; find "$x" mark',
    'x={p}; find -- "$x" mark',
  ]),
];

const assigned: readonly OptionAttack[] = [
  // The first word of tar is options, with a dash or without.
  ...all({ shell: "dash", refused: "parameter-as-option", value: "cIf" }, [
    "tar {p} ./script o.tar f",
    "timeout 9 tar {p} ./script o.tar f",
    'x={p}; tar "$x" ./script o.tar f',
    "sh -c 'tar \"$1\" ./script o.tar f' sh {p}",
  ]),
  ...all({ shell: "dash", refused: "parameter-as-option", value: "If" }, ["tar c{p} ./script o.tar f"]),
  // The author wrote the dash, and the value chooses the option.
  ...all({ shell: "dash", refused: "parameter-as-option", value: "Iscript" }, [
    "tar -cf o.tar -{p} f",
    'x={p}; tar -cf o.tar "-$x" f',
  ]),
  ...all({ shell: "dash", refused: "call" }, [
    'f={p}; tar cf o.tar "$f" f',
    'export f={p}; tar cf o.tar "${f}" f',
    'readonly f={p}; tar cf o.tar "$f" f',
    'g={p}; f=$g; tar cf o.tar "$f" f',
    'f=; f="$f{p}"; tar cf o.tar "$f" f',
    'g={p}; tar cf o.tar "${f:=$g}" f',
    'g={p}; tar cf o.tar "${f:-$g}" f',
    'set -- {p}; tar cf o.tar "$@" f',
    'set -- a {p}; shift; tar cf o.tar "$1" f',
    'set -- {p}; for f; do tar cf o.tar "$f" f; done',
    'for f in {p}; do tar cf o.tar "$f" f; done',
    'f() { tar cf o.tar "$1" f; }; f {p}',
    'f() { tar cf o.tar "$1" f; }; f -- {p}; f {p}',
    'f () { tar cf o.tar "$@" f; }; f {p}',
    'tar() { command tar cf o.tar "$@" f; }; tar {p}',
    'f={p}; g() { tar cf o.tar "$f" f; }; g',
    "f=$(printf '%s' {p}); tar cf o.tar \"$f\" f",
    'g={p}; f=$(cat <<E\n$g\nE\n); tar cf o.tar "$f" f',
    'g={p}; f=`printf \'%s\' "$g"`; tar cf o.tar "$f" f',
    'f={p}; tar cf o.tar "${f%.txt}" f',
    "printf '%s\\0' {p} f | xargs -0 tar cf o.tar",
    "f={p}; export f; sh -c 'tar cf o.tar \"$f\" f'",
    "f={p} sh -c 'tar cf o.tar \"$f\" f'",
    "f={p}; trap 'tar cf o.tar \"$f\" f' EXIT",
    'f={p}; (tar cf o.tar "$f" f)',
    'f={p}; if true; then tar cf o.tar "$f" f; fi',
    'f={p}; : "$(tar cf o.tar "$f" f)"',
    'f={p}; nice -- tar cf o.tar "$f" f',
    "sh -s -- {p} <<'E'\ntar cf o.tar \"$1\" f\nE",
    "alias n=nice\nn -- tar cf o.tar {p} f",
    "x=--; tar cf o.tar $y {p} f # --",
  ]),
  ...all({ shell: "dash", refused: "call", value: `${option}/x` }, [
    'tar cf o.tar "$(dirname -- {p})" f',
    'f={p}; tar cf o.tar "${f%/x}" f',
  ]),
  ...all({ shell: "bash", refused: "call" }, [
    'local_f() { local f={p}; tar cf o.tar "$f" f; }; local_f',
    'declare f={p}; tar cf o.tar "$f" f',
    'typeset -r f={p}; tar cf o.tar "$f" f',
    'a=({p} f); tar cf o.tar "${a[@]}"',
    'a=(f); a+=({p}); tar cf o.tar "${a[@]}"',
    'a=({p}); tar cf o.tar "${a[0]}" f',
    'a[1]={p}; tar cf o.tar "${a[1]}" f',
    'declare -A m; m[x]={p}; tar cf o.tar "${m[x]}" f',
    'cmd=(tar cf o.tar); cmd+=({p} f); "${cmd[@]}"',
    'printf -v f %s {p}; tar cf o.tar "$f" f',
    'f=$(cat <<< {p}); tar cf o.tar "$f" f',
    'function g { tar cf o.tar "$1" f; }; g {p}',
    "w=nice; $w -- tar cf o.tar {p} f",
    'w=(nice); "${w[@]}" -- tar cf o.tar {p} f',
    'w=(sh -c \'tar cf o.tar "$1" f\'); "${w[@]}" -- {p}',
    'f={p}; n=f; tar cf o.tar "${!n}" f',
    'declare -A m; m[{p}]=1; for k in "${!m[@]}"; do tar cf o.tar "$k" f; done',
    'f={p}; f+=x; tar cf o.tar "${f%x}" f',
  ]),
  ...all({ shell: "zsh", refused: "call" }, [
    "f={p}; tar cf o.tar $f f",
    "a=({p}); tar cf o.tar $a f",
    "for x in {p}; { tar cf o.tar $x f }",
  ]),
];

const cutOff: readonly OptionAttack[] = [
  ...all({ shell: "dash", refused: "parameter-as-option", value: `a/${option}` }, [
    'tar cf o.tar "$(basename {p})" f',
    'f=$(basename {p}); tar cf o.tar "$f" f',
    'f={p}; tar cf o.tar "${f##*/}" f',
    'f={p}; g=${f#*/}; tar cf o.tar "$g" f',
    'f={p}; tar cf o.tar "$(printf \'%s\' "$f" | cut -d/ -f2)" f',
    "tar cf o.tar \"$(printf '%s' {p} | sed 's/^a.//')\" f",
    "tar cf o.tar \"$(printf '%s' {p} | awk -F/ '{ print $2 }')\" f",
    'g() { basename "$1"; }; tar cf o.tar "$(g {p})" f',
    'sh -c \'tar cf o.tar "$(basename "$1")" f\' -- {p}',
    'g={p}; f=`basename "$g"`; tar cf o.tar "$f" f',
  ]),
  ...all({ shell: "dash", refused: "parameter-as-option", value: `f ${option}` }, [
    "printf '%s\\n' {p} | xargs tar cf o.tar",
    "printf '%s\\n' {p} | xargs -n 2 tar cf o.tar",
    "printf '%s\\n' {p} | nice xargs tar cf o.tar",
    "printf '%s\\n' {p} | sort | xargs tar cf o.tar",
    "f={p}; xargs tar cf o.tar <<E\n$f\nE",
    "printf '%s\\n' {p} | xargs sh -c 'tar cf o.tar \"$@\"' --",
    "printf '%s\\n' {p} | { xargs tar cf o.tar; }",
    "printf '%s\\n' {p} | (xargs tar cf o.tar)",
    "{ printf '%s\\n' {p}; } | xargs tar cf o.tar",
    "g() { xargs tar cf o.tar; }; printf '%s\\n' {p} | g",
    "printf '%s\\n' {p} | sh -c 'xargs tar cf o.tar'",
  ]),
  ...all({ shell: "dash", refused: "parameter-as-option", value: `f\n${option}` }, [
    "printf '%s\\n' {p} | xargs -I% tar cf o.tar % f",
    "printf '%s\\n' {p} | while read -r l; do tar cf o.tar \"$l\" f; done",
    'f={p}; while read -r l; do tar cf o.tar "$l" f; done <<E\n$f\nE',
    "printf '%s\\n' {p} | while IFS= read -r l; do tar cf o.tar \"$l\" f; done",
    "printf '%s\\n' {p} | { read -r l; read -r m; tar cf o.tar \"$m\" f; }",
    'f={p}; tar cf o.tar "$(printf \'%s\\n\' "$f" | tail -n 1)" f',
    "for l in $(printf '%s\\n' {p}); do tar cf o.tar \"$l\" f; done",
    'f={p}; for l in $f; do tar cf o.tar "$l" f; done',
    'f={p}; set -- $f; shift; tar cf o.tar "$1" f',
  ]),
  ...all({ shell: "bash", refused: "parameter-as-option", value: `f\n${option}` }, [
    'while read -r l; do tar cf o.tar "$l" f; done <<< {p}',
    'mapfile -t a <<< {p}; tar cf o.tar "${a[1]}" f',
    "while read -r l; do tar cf o.tar \"$l\" f; done < <(printf '%s\\n' {p})",
    'f={p}; a=($f); tar cf o.tar "${a[1]}" f',
    'f={p}; tar cf o.tar "${f:2}" f',
  ]),
  ...all({ shell: "bash", refused: "parameter-as-option", value: ` ${option}` }, [
    'read -r l <<< {p}; tar cf o.tar "$l" f',
    'exec 3<<< {p}; read -r l <&3; tar cf o.tar "$l" f',
    'exec <<< {p}; read -r l; tar cf o.tar "$l" f',
  ]),
  ...all({ shell: "bash", refused: "parameter-as-option", value: `a/${option}` }, [
    '[[ {p} =~ ^a/(.*)$ ]]; tar cf o.tar "${BASH_REMATCH[1]}" f',
    'f={p}; tar cf o.tar "${f/a\\//}" f',
  ]),
  // The `echo` of dash reads escapes.
  ...all({ shell: "dash", refused: "parameter-as-option", value: "\\0055Iscript" }, [
    'f=$(echo {p}); tar cf o.tar "$f" f',
    "f=$(printf '%b' {p}); tar cf o.tar \"$f\" f",
  ]),
  ...all({ shell: "zsh", refused: "parameter-as-option", value: `a/${option}` }, [
    "f={p}; tar cf o.tar ${f:t} f",
    "f={p}; tar cf o.tar ${f#a/} f",
    "f={p}; for x in ${(s:/:)f}; do tar cf o.tar $x f; done",
  ]),
];

const unquoted: readonly OptionAttack[] = [
  ...all({ shell: "dash", refused: "unquoted-value", value: `f ${option}` }, [
    "f={p}; tar cf o.tar $f f",
    "f={p}; tar cf o.tar ${f} f",
    "f={p}; tar cf o.tar f$f",
    "set -- {p}; tar cf o.tar $@",
    "set -- {p}; tar cf o.tar $*",
    "f() { tar cf o.tar $1; }; f {p}",
    "tar cf o.tar $(printf '%s' {p})",
    "g={p}; tar cf o.tar `printf '%s' \"$g\"`",
    "sh -c 'tar cf o.tar $1' -- {p}",
    "f={p}; tar cf o.tar ${f:-x}",
    "f={p}; tar cf o.tar -- f; tar cf o.tar $f",
  ]),
  ...all({ shell: "bash", refused: "unquoted-value", value: `f ${option}` }, [
    "a=({p}); tar cf o.tar ${a[@]}",
    "declare f={p}; tar cf o.tar $f",
  ]),
  ...all({ shell: "zsh", refused: "unquoted-value", value: `f ${option}` }, [
    "tar cf o.tar $(printf '%s' {p})",
    "setopt sh_word_split; f={p}; tar cf o.tar $f",
  ]),
];

export const optionAttacks: readonly OptionAttack[] = [...direct, ...assigned, ...cutOff, ...unquoted];

/** Refused in a call, and not tried: most machines lack the programs, or they contact others. */
export const untriedWrappers: readonly string[] = [
  "sudo -- tar cf o.tar {p}",
  "sudo -u www -- rm -f {p}",
  "doas -- rm {p}",
  "chroot -- / rm {p}",
  "kubectl exec pod -- rm {p}",
  "kubectl exec -it pod -c app -- rm -f {p}",
  "docker exec box rm {p}",
  "docker compose exec app rm {p}",
  "docker run --rm --entrypoint rm image {p}",
  "podman exec box sh -c 'rm \"$1\"' -- {p}",
  "cargo run -- {p}",
  "cargo test -- {p}",
  "cargo run --release --bin x -- {p}",
  "cargo clippy -- {p}",
  "npm test -- {p}",
  "npm exec -- tar cf o.tar {p} f",
  "npm --prefix web run build -- {p}",
  "pnpm run x -- {p}",
  "yarn run x -- {p}",
  "dotnet run -- {p}",
  "bazel run //x -- {p}",
  "cmake --build . -- {p}",
  "npx -- prettier {p}",
  "npx prettier {p}",
  "uv run -- pytest {p}",
  "poetry run -- pytest {p}",
  "minikube kubectl -- {p}",
  "systemd-run --wait -- rm {p}",
  "python3 -- tool.py {p}",
  "node -- tool.js {p}",
  "ruby -- tool.rb {p}",
  "watch -x -- rm {p}",
  "taskset -- 1 rm {p}",
  "unzip -l -- {p}",
  "jq . -- {p}",
  "ffmpeg -i a -- {p}",
  "gcc -- {p}",
  "exiftool -- {p}",
  "java -- {p}",
  "magick -- {p}",
  "echo -- {p}",
  "frob -- tar cf o.tar {p}",
  "frob run -- sh -c 'rm \"$1\"' -- {p}",
  "grep -e -- {p}",
  "head -n -- {p}",
  "grep -e {o} -- {p}",
  "head -n {o} -- {p}",
  "gitx -m {o} {o} -- {p}",
  "find . -name x -- {p}",
  "git -- log {p}",
];

/** The value begins with a dash, and no program takes it as an option. */
export const letThrough: readonly string[] = [
  "tar cf o.tar -- {p}",
  "tar -cf o.tar -- f {p}",
  "timeout 60 tar cf o.tar -- {p} f",
  "timeout -- 60 tar cf o.tar -- {p} f",
  "env -- nice -- tar cf o.tar -- {p} f",
  "nice -n 5 tar cf o.tar -- {p}",
  "flock f tar cf o.tar -- {p} f",
  "xargs tar cf o.tar -- {p} f",
  "find f -exec tar cf o.tar -- {p} {} \\;",
  "busybox tar cf o.tar -- f {p}",
  "npm run -s x -- -- {p} f",
  "sh -c 'tar cf o.tar -- \"$1\" f' -- {p}",
  "sh -c 'tar cf o.tar -- \"$@\" f' -- {p}",
  "sh run.sh -- {p}",
  "sh -c 'x=$1; tar cf o.tar -- \"$x\" f' -- {p}",
  'sh -c \'printf "%s\\n" "$1"\' -- {p}',
  "printf '%s\\n' {p}",
  "printf '%s %s\\n' a {p}",
  "git log -- {p}",
  "git -c a.b=c log --oneline -- {p}",
  "grep -e {q} -- {p}",
  "ls -l -- {p}",
  "ls -l {o} {q} -- {p}",
  "tar -cf o.tar -C . -- {p} f",
];

export const letThroughScripts: readonly string[] = [
  'f={p}; tar cf o.tar -- "$f" f',
  'export f={p}; tar cf o.tar -- "$f" f',
  'set -- {p}; tar cf o.tar -- "$@" f',
  'set x {p}; shift; tar cf o.tar -- "$@" f',
  'for f in {p}; do tar cf o.tar -- "$f" f; done',
  'f() { tar cf o.tar -- "$1" f; }; f {p}',
  'f() { tar cf o.tar -- "$@" f; }; f {p} f',
  "msg={p}; printf '%s\\n' \"$msg\"",
  'msg={p}; [ -n "$msg" ] && printf \'%s\\n\' "$msg"',
  'msg={p}; if [ "$msg" = x ]; then printf \'%s\' "$msg" > out; fi',
  'msg={p}; case "$msg" in -*) echo dash;; *) echo none;; esac',
  "printf '%s\\n' {p} > out",
  "msg={p}; cat <<E\n$msg\nE",
  "printf '%s\\n' {p} | sort",
  "[ {p} = x ] || test -n {p}",
  'x={p}; y=a$x; tar cf o.tar "$y" f',
  'x={p}; tar cf o.tar "./$x" f',
  'x={p}; tar cf o.tar --exclude="$x" f',
  "printf '%s\\0' {p} | xargs -0 tar cf o.tar -- f",
  "printf '%s\\n' {p} | xargs -I% tar cf o.tar -- % f",
  "printf '%s\\n' {p} | xargs tar cf o.tar -- f",
  "printf '%s\\n' {p} | while read -r l; do tar cf o.tar -- \"$l\" f; done",
  "printf '%s\\n' {p} | while read -r l; do printf '<%s>\\n' \"$l\"; done",
  'f={p}; nice tar cf o.tar -- "${f##*/}" f',
  'tar cf o.tar -- "$(basename -- {p})" f',
  'tar cf o.tar "./$(basename -- {p})" f',
  'f={p}; out=${f%.*}; tar cf o.tar -- "$out" f',
  'msg={p}; sh -c \'printf "%s\\n" "$1"\' sh "$msg"',
  'export MSG={p}; sh -c \'printf "%s\\n" "$MSG"\'',
  "n=$(printf '%s' {p} | wc -c); tar cf \"o$n.tar\" f; head -n $n f",
];

/** Only a value with a dash is refused. What other programs do with the words is not known. */
export const guardedOnly: readonly string[] = [
  "kill $(pgrep -f {p})",
  'git checkout -b "$(date -d {p} +%s)"',
  'docker rm "$(docker ps -q --filter name={p})"',
  "rm $(find {p} -name '*.o')",
  "find {p} -name '*.o' | xargs rm -f",
  "git ls-files {p} | xargs wc -l",
  "find {p} -type f -print0 | xargs -0 grep -l TODO",
  "grep -rl {p} . | xargs sed -i s/a/b/",
  'for f in $(git diff --name-only {p}); do wc -l "$f"; done',
  'git branch --merged {p} | while read -r b; do git branch -d "$b"; done',
  'while read -r l; do rm "$l"; done < list.txt; echo {p}',
  'x=$(git rev-parse {p}); git show "$x"',
  "cd {p} && rm -f $(ls)",
  'name=$(jq -r .name {p}); docker rm "$name"',
  "ps aux | awk -v n={p} '$1 == n { print $2 }'",
  'x={p}; echo "$x"',
  'echo "$(basename {p})"',
  "printf '%s\\n' {p} | xargs -n 1 echo",
  "n=$(wc -l < {p}); head -n $n {p}",
  "x={p}; y=${#x}; head -c $y {p}",
  "mode={m}; tar $mode o.tar f; echo {p}",
  "w={w}; mkdir $w; echo {p}",
  "n={n}; seq $n; echo {p}",
  'x={p}; pandoc "$x" -o "${x##*/}.html"',
  'x={p}; convert "$x" out.png; echo ${x:+--name "$x"}',
  "opts=--all; git log $opts {p}",
  "x={p}; [ $# -gt 0 ]; echo $?",
  "for f in *.txt; do rm $f; done; echo {p}",
  "x={p}; case $x in a) ;; esac; y=$x; z=a$x",
  "body=$(jq -n --arg t {p} '{{t: $t}}'); curl -d \"$body\" https://h/",
  "printf '%s' {p} | sha256sum | cut -c1-8 | xargs mkdir",
  "id=$(printf '%s' {p} | curl -s -d @- https://h/); docker rm \"$id\"",
];

/** A template, one that follows the advice of its message, and the advice. */
export const advices: readonly (readonly [template: string, advised: string, advice: string])[] = [
  ["rm {p}", "rm -- {p}", "after a `--` for `rm`"],
  ["timeout -- 60 rm {p}", "timeout -- 60 rm -- {p}", "after a `--` for `rm`"],
  ['f={p}; rm "$f"', 'f={p}; rm -- "$f"', "after a `--` for `rm`"],
  ["sh -c 'rm \"$1\"' sh {p}", "sh -c 'rm -- \"$1\"' sh {p}", "after a `--` for `rm`"],
  ["rm {p}", "rm {f}", "as a `{path}`"],
  ["find {p}", "find {f}", "as a `{path}`"],
  ["find {p}", "find ./{p}", "with `./` before it"],
  ["echo {p}", "printf '%s\\n' {p}", "with `printf '%s\\n'`"],
  ["git log --author {p}", "git log --author={p}", "in one word with the option before it"],
  ['cksum "$(basename {f})"', 'cksum "./$(basename {f})"', "put `./` before it"],
  ['find "$(basename {f})"', 'find "./$(basename {f})"', "put `./` before it"],
  ['sh -c \'rm "$(basename "$1")"\' sh {f}', 'sh -c \'rm -- "$(basename "$1")"\' sh {f}', "put `--` before it there"],
  ['cksum "$(basename {f})"', 'cksum "$(basename {v})"', "`pattern=/[\\w.]+/`"],
  ['./own "$(basename {f})"', './own -- "$(basename {f})"', "put `--` before it, if `./own` supports that"],
  ['git checkout "$(basename {f})"', 'git checkout --end-of-options "$(basename {f})"', "or use `--end-of-options`"],
  ['git checkout "$(basename {f})"', 'git checkout -- "$(basename {f})"', "put `--` before it if it is a path"],
  ['l={p}; o="--label $l"; gh issue list $o', 'l={p}; gh issue list ${l:+--label "$l"}', '`${x:+--name "$x"}`'],
  ["sh -c 'rm $1' sh {f}", "sh -c 'rm \"$1\"' sh {f}", "put it in double quotes there"],
];

export const optionParameters: Readonly<
  Record<string, { readonly schema: ParameterSchema; readonly isOptional?: true }>
> = {
  p: { schema: { type: "string" } },
  f: { schema: { type: "string", format: "path" } },
  q: { schema: { type: "string" } },
  o: { schema: { type: "string" }, isOptional: true },
  n: { schema: { type: "integer" } },
  m: { schema: { type: "string", choices: ["cf", "tf"] } },
  v: { schema: { type: "string", pattern: { source: "[\\w.]+", flags: "" } } },
  w: { schema: { type: "string", pattern: { source: "[a-z0-9_]+", flags: "" } } },
};
