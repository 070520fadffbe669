// Values that try to run: where `parseCommand` refuses a placeholder, the refusal is shown to be needed with a shell that would
// have been had; where it accepts one, the same values run nothing, in four shells.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { commandWrap } from "../../src/base/bind-command.ts";
import { scanScript } from "../../src/language/command-scan.ts";
import type { Parameter } from "../../src/schema/parameter.ts";
import { findProgram, shellsUnderTest } from "../base/substitution-bench.ts";
import { assert, suite } from "../harness.ts";
import { commandOf, parameter } from "./command-bench.ts";

const test = suite("commands under attack");
const text = parameter("p");
const list = parameter("files", { type: "array", items: { type: "string" } });

interface Attack {
  readonly template: string;
  readonly value: string;
  /** One that would have run the value. */
  readonly shell: "bash" | "zsh" | "dash";
}

function attack(shell: Attack["shell"], template: string, value: string): Attack {
  return { shell, template, value };
}

const subscript = "a[$(touch mark)]";
/** zsh computes the subscript of a list that exists. */
const zshSubscript = "path[$(touch mark)]";

const attacks: readonly Attack[] = [
  attack("dash", 'eval "echo {p}"', "; touch mark"),
  attack("dash", 'x={p}; eval "echo $x"', "; touch mark"),
  attack("dash", 'x={p}; y="$x"; eval "echo $y"', "$(touch mark)"),
  attack("dash", 'eval "$(printf %s {p})"', "touch mark"),
  attack("dash", 'eval "echo $1" # {p}\n: {p}', "; touch mark"),
  attack("dash", "f() { eval {p}; }; f {p}", "touch mark"),
  attack("dash", "if true; then eval {p}; fi", "touch mark"),
  attack("dash", "x=$(case a in a) eval {p};; esac)", "touch mark"),
  attack("dash", 'sh -c "echo {p}"', "; touch mark"),
  attack("dash", "sh -c 'echo {p}'", "; touch mark"),
  attack("dash", "env sh -ec {p}", "touch mark"),
  attack("dash", "for f in {p}; do sh -c \"cat $f\"; done", "; touch mark"),
  attack("dash", "find . -maxdepth 0 -exec sh -c 'echo {p}' \\;", "; touch mark"),
  attack("dash", "printf a | xargs -I x sh -c 'echo {p}'", "; touch mark"),
  attack("dash", "printf %s {p} | sh", "touch mark"),
  attack("dash", "(echo a; printf %s {p}) | sh", "\ntouch mark"),
  attack("bash", "bash <<< {p}", "touch mark"),
  attack("dash", "trap {p} EXIT", "touch mark"),
  attack("dash", "alias x={p}\nx", "touch mark"),
  attack("dash", ". {p}", "./script"),
  attack("dash", "{p}", "./script"),
  attack("dash", "x={p}; $x", "./script"),
  attack("dash", "nice {p}", "./script"),
  attack("dash", "timeout 5 {p}", "./script"),
  attack("dash", "env A=b {p}", "./script"),
  attack("bash", "echo $(( {p} + 1 ))", subscript),
  attack("bash", "(( x = {p} ))", subscript),
  attack("bash", "echo $[{p}]", subscript),
  attack("bash", "n={p}; echo $((n + 1))", subscript),
  attack("bash", "let x={p}", subscript),
  attack("bash", "x={p}; let y=x+1", subscript),
  attack("bash", "x={p}; [[ x -gt 1 ]]", subscript),
  attack("bash", "x={p}; a=(1 2); echo ${a[x]}", subscript),
  attack("bash", "x={p}; a=(1 2); echo \"${a[$x]}\"", subscript),
  attack("bash", "x={p}; y=abc; echo \"${y:$x}\"", subscript),
  attack("bash", "x={p}; a[x]=1", subscript),
  attack("bash", "x={p}; declare -i y=x", subscript),
  attack("bash", "x={p}; echo \"${x@P}\"", "$(touch mark)"),
  attack("zsh", "x={p}; echo \"${(e)x}\"", "$(touch mark)"),
  attack("dash", "printf '%s\\n' {p} | while read -r line; do eval \"$line\"; done", "touch mark"),
  attack("bash", "read -r x <<< {p}; eval \"$x\"", "touch mark"),
  attack("bash", "printf -v x %s {p}; eval \"$x\"", "touch mark"),
  attack("bash", "f() { for x; do eval \"$x\"; done; }; f {p}", "touch mark"),
  attack("dash", "f() { sh -c \"$@\"; }; f {p}", "touch mark"),
  attack("dash", "x={p}; echo \"${y:-$(sh -c \"$x\")}\"", "touch mark"),
  attack("dash", "x={p}; echo `eval \"$x\"`", "touch mark"),
  attack("dash", "f() { sh -s \"$@\" <<EOF\nEOF\n}; f; sh -c $x {p}", "touch mark"),
  attack("bash", "f() { sh -s \"$@\" <<< \"{p}\"; }; f {p}", "touch mark"),
  attack("bash", "(for x in a; do sh -s \"$y\"; done) <<< {p}", "touch mark"),
  attack("dash", "printf %s {p} | (true; { sh; })", "touch mark"),
  attack("dash", "f() { sh; }; printf %s {p} | f", "touch mark"),
  attack("dash", "command eval {p} -v", "touch mark;"),
  attack("dash", "x=-c; sh $x {p}", "touch mark"),
  attack("dash", "x=-c; sh \"$x\" {p}", "touch mark"),
  attack("dash", "[[ a | eval {p}", "touch mark"),
  attack("dash", "[[ a <<E\nb\nE\neval {p}", "touch mark"),
  attack("dash", "awk $(true)`true` {p}", 'BEGIN { system("touch mark") }'),
  attack("bash", "[[ a ]]\neval {p}", "touch mark"),
  attack("bash", "[[ a ]]; eval {p}", "touch mark"),
  attack("bash", "[[ a ]]&&eval {p}", "touch mark"),
  attack("bash", "[[ {p} -eq 1 ]]", subscript),
  attack("bash", "[[ -v {p} ]]", subscript),
  attack("bash", "test -v {p}", subscript),
  attack("zsh", "[[ {p} -eq 1 ]]", zshSubscript),
  attack("zsh", "n={p}; [[ \"$n\" -gt 1 ]]", zshSubscript),
  attack("zsh", "[ -t {p} ]", zshSubscript),
  attack("zsh", "repeat {p} echo", zshSubscript),
  attack("zsh", "set -A {p} x", subscript),
  attack("zsh", "printf '%d\\n' {p}", zshSubscript),
  attack("zsh", "exit {p}", zshSubscript),
  attack("zsh", "f() { return {p}; }; f {p}", zshSubscript),
  attack("bash", "x=abc; echo ${x:{p}}", subscript),
  attack("bash", "a[{p}]=1", subscript),
  attack("bash", "a=([{p}]=1)", "$(touch mark)"),
  attack("bash", "read {p} < script", subscript),
  attack("bash", "printf -v {p} x", subscript),
  attack("bash", "declare {p}=1", subscript),
  attack("bash", "declare -i x={p}", subscript),
  attack("bash", "declare -a x={p}", "($(touch mark))"),
  attack("bash", "x=(); declare x={p}", "($(touch mark))"),
  attack("bash", "declare -n x={p}; echo $x", subscript),
  attack("bash", "RANDOM={p}", subscript),
  attack("bash", "set -x; PS4={p}; :", "$(touch mark)"),
  attack("dash", "PATH={p}; script", "."),
  attack("bash", "BASH_ENV={p} bash -c true", "./script"),
  attack("dash", "echo `{p}`", "./script"),
  attack("dash", "cat <<EOF\n$(echo {p})\nEOF\ncat <<EOF | sh\n{p}\nEOF", "touch mark"),
  attack("dash", "awk 'BEGIN { print \"{p}\" }'", '"; system("touch mark"); print "'),
  attack("dash", "awk {p}", 'BEGIN { system("touch mark") }'),
  attack("dash", "echo x | sed 's/x/{p}/'", "touch mark/e;s/y/"),
  attack("dash", "echo x | sed -e {p}", "1e touch mark"),
  attack("dash", "perl -e 'print \"{p}\"'", "@{[`touch mark`]}"),
  attack("dash", "perl -M{p} -e 1", "List::Util;system 'touch mark'"),
  attack("dash", "node -e 'console.log({p})'", "require('fs').writeFileSync('mark','')"),
];

/** So long that only a hang gets there, on a busy machine too. */
const RUN_MS_MAX = 60_000;

interface Field {
  readonly folder: string;
  /** Says how it ended. Throws when it did not run to its end, which would prove nothing. */
  run(argv: readonly string[]): string;
  /** Whether a value has run; forgets it. */
  isMarked(): boolean;
  remove(): void;
}

function field(): Field {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "dottool-attack-")));
  writeFileSync(join(folder, "script"), "#!/bin/sh\n: > mark\n", { mode: 0o755 });
  const mark = join(folder, "mark");
  return {
    folder,
    run: ([program = "", ...words]) => {
      // No `input`: Node gives it through a socket, which bash may take for a remote shell's, and then it leaves BASH_ENV alone.
      const { status, signal, error, stderr } = spawnSync(program, words, { cwd: folder, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8", timeout: RUN_MS_MAX, env: { PATH: `${folder}/bin:${process.env["PATH"]}` } });
      if (error) throw new Error(`${program} ${words.join(" ")}: ${error.message}`);
      return `${signal ?? status}: ${stderr}`;
    },
    isMarked: () => {
      const isThere = existsSync(mark);
      rmSync(mark, { force: true });
      return isThere;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What a program would do that looks at quotes and at nothing else. */
function naiveScript(template: string): string {
  const quoted = { bare: '"${1}"', double: "${1}", single: `'"\${1}"'` };
  return scanScript(template, { knowsTests: true }).parts.map((part) => (typeof part === "string" ? part.replaceAll("{p}", "${1}") : quoted[part.quoting])).join("");
}

test("what parseCommand refuses would run the value", () => {
  const ground = field();
  try {
    const wrong = attacks.flatMap(({ template, value, shell }) => {
      // `sh` may be any of them.
      const isRefused = (["sh", shell === "dash" ? "sh" : shell] as const).every((annotation) => commandOf(template, annotation, [text]).value === undefined);
      const ended = ground.run([findProgram(shell), ...(shell === "zsh" ? ["-f"] : []), "-c", naiveScript(template), "naive", value]);
      const runs = ground.isMarked();
      return isRefused && runs ? [] : [{ template, shell, isRefused, runs, ended }];
    });
    assert.equal(wrong, []);
  } finally {
    ground.remove();
  }
});

/** As far from quotes, lists and evaluation as scripts go; none may be refused. */
const accepted: readonly string[] = [
  "echo {p}",
  'echo "<{p}>" && echo \'<{p}>\' | cat',
  'echo "$(echo "{p}")" "$(echo {p} | cat)"',
  'x={p}; echo "$x"',
  "for f in {files}; do echo \"$f\"; done",
  "case {p} in a) echo {p};; *) echo {p};; esac",
  "x=$(case a in a) echo {p};; esac); echo \"$x\"",
  "[ -n {p} ] && [ {p} = x ] && test -f {p} || echo no",
  "if [ -d {p} ]; then echo {p}; else echo no; fi",
  "f() { echo \"$1\" {p}; }; f a",
  "set -- a b; echo \"$1\" {p}",
  "export X={p}; echo \"$X\"",
  "X={p} sh -c 'echo \"$X\"'",
  "sh -c 'echo \"$1\"' sh {p}",
  "printf '%s\\n' {p} | xargs -n 1 echo",
  "printf '%s\\0' {p} | xargs -0 echo",
  "x=/dev/null; sh -- \"$x\" {p}",
  "awk -v x={p} 'BEGIN { print x }'",
  "awk '{print}' < /dev/null; echo {p}",
  "cat <<'EOF'\nit's `here`\nEOF\necho {p}",
  "# don't {p}\necho {p}",
  "trap 'echo done' EXIT; echo {p}",
  "end() { echo {p}; }; trap end EXIT",
  "(cd . && echo {p}); { echo {p}; }",
  "echo a\\\n  {p}",
  "while read -r line; do echo \"$line\" {p}; done < script",
  "find . -name {p} -exec echo {} \\;",
  "echo {p} > out; cat < out; rm out",
  "cat {files} 2>/dev/null; echo {p} >&2",
  "grep -e {p} script; sed -n '1p' script",
];

const values: readonly string[] = ["$(touch mark)", "`touch mark`", "; touch mark #", "a' ; touch mark ; '", '" ; touch mark ; "', "\ntouch mark\n", "x; touch mark", "a[$(touch mark)]", "| touch mark", "${x:-$(touch mark)}", "{files}", "\\"];

test("what parseCommand accepts runs no value, in four shells", () => {
  const ground = field();
  try {
    let runs = 0;
    for (const [turn, under] of shellsUnderTest.entries()) {
      symlinkSync(findProgram(under.program), join(ground.folder, "sh"));
      for (const template of accepted) {
        const parameters: readonly Parameter[] = [text, list].filter(({ name }) => template.includes(`{${name}}`));
        const { value: command, diagnostics } = commandOf(template, under.annotation, parameters);
        if (!command) throw new Error(`${template}: ${diagnostics.map((diagnostic) => diagnostic.message).join()}`);
        // Every value with every template, each in one of the shells.
        for (const value of values.filter((_value, index) => index % shellsUnderTest.length === turn)) {
          const { argv } = commandWrap.bind({ command, parameters, surroundings: { environment: [], inheritsEnvironment: false } }, { p: value, files: [value, value] });
          const [shell = "", ...words] = argv as readonly string[];
          ground.run([shell === "sh" ? join(ground.folder, "sh") : findProgram(shell), ...words]);
          runs++;
          assert.not(ground.isMarked(), `${under.name}: ${template} ran ${JSON.stringify(value)}`);
        }
      }
      rmSync(join(ground.folder, "sh"));
    }
    assert.is(runs, accepted.length * values.length);
  } finally {
    ground.remove();
  }
});

test.run();
