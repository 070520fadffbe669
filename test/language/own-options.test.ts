// Where a value may be left out, the option that belongs to it is left out with it: `--env {env}`, `--tag={tag}`.
import { commandWrap } from "../../src/core/base/bind-command.ts";
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { spawnSync } from "node:child_process";
import type { JsonObject } from "../../src/core/schema/json.ts";
import type { Parameter } from "../../src/core/schema/parameter.ts";
import type { Shell } from "../../src/core/tool/command.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { commandOf, parameter } from "./command-fixture.ts";

const test = suite("own options");

const parameters: readonly Parameter[] = [
  parameter("env"),
  parameter("dry_run"),
  parameter("n", { type: "integer" }),
  parameter("since", { type: "string" }, { default: "HEAD" }),
  parameter("to", { type: "string" }, { required: true }),
  parameter("files", { type: "array", items: { type: "string" } }),
  parameter("tag", { type: "string" }, { flag: "--label {value}" }),
];

/** Returns the words that the program gets. */
function wordsOf(template: string, args: JsonObject, shell: Shell | "none"): readonly string[] {
  const { value: command, diagnostics } = commandOf(`printf '<%s>\n' ${template}`, shell, parameters);
  if (!command) throw new Error(diagnostics.map(({ message }) => message).join());
  const given: JsonObject = { to: "x", since: "HEAD", ...args };
  const binding = { command, parameters, surroundings: { environment: [], inheritsEnvironment: false } };
  assert.equal(commandWrap.check(binding, given), []);
  const { argv, environment } = commandWrap.bind(binding, given);
  const [program = "", ...words] = Array.isArray(argv) ? argv.map(String) : [];
  const { stdout } = spawnSync(program, words, {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], ...(environment as Record<string, string> | undefined) },
  });
  return [...stdout.matchAll(/<(.*)>/g)].map(([, word = ""]) => word);
}

const rows: readonly (readonly [template: string, args: JsonObject, words: readonly string[]])[] = [
  ["--env {env} end", {}, ["end"]],
  ["--env {env} end", { env: "" }, ["--env", "", "end"]],
  ["--env {env} end", { env: "a b" }, ["--env", "a b", "end"]],
  ["a --dry-run {dry_run} -n {n}", {}, ["a"]],
  ["a -c {n} --max-depth {n} end", {}, ["a", "end"]],
  ["a -c {n} --max-depth {n} end", { n: 0 }, ["a", "-c", "0", "--max-depth", "0", "end"]],
  ['--env {env} "{env}" {env} --any={env}', { env: "x" }, ["--env", "x", "x", "x", "--any=x"]],
  ['"{env}" --env {env} --any={env}', { env: "x" }, ["x", "--env", "x", "--any=x"]],
  ["a --dry-run {dry_run} -n {n}", { n: 3, dry_run: "yes" }, ["a", "--dry-run", "yes", "-n", "3"]],
  ["--anything={env} end", {}, ["end"]],
  ["--anything={env} end", { env: "-x" }, ["--anything=-x", "end"]],
  ["-k {env} --name {env} end", {}, ["end"]],
  ["-k {env} --name {env} end", { env: "x" }, ["-k", "x", "--name", "x", "end"]],
  ["--files {files} end", {}, ["end"]],
  ["--files {files} end", { files: ["a", "b c"] }, ["--files", "a", "b c", "end"]],
  // A switch, and what is always there, stays as it is written.
  ["-v {env} end", {}, ["-v", "end"]],
  ["--env '' {env} end", {}, ["--env", "", "end"]],
  ["env {env} end", {}, ["env", "end"]],
  ["--since {since} --to {to}", {}, ["--since", "HEAD", "--to", "x"]],
  ['--env "{env}" end', {}, ["--env", "", "end"]],
  ["--env={env}{n} end", {}, ["--env=", "end"]],
  ["name={env} end", {}, ["name=", "end"]],
  ["--tag {tag} end", {}, ["--tag", "end"]],
  ["-mtime {n} -env {env} -delete", {}, ["-mtime", "-env", "-delete"]],
  ["-name {env} -exec rm", {}, ["-name", "-exec", "rm"]],
  ["--dry-run {n} --no-edit {n} end", {}, ["--dry-run", "--no-edit", "end"]],
];

for (const shell of ["none", "sh", "bash", "zsh"] as const)
  test(`in a command of ${shell}`, () => {
    if (shell === "zsh") needPrograms("zsh");
    for (const [template, args, words] of rows)
      assert.equal([template, wordsOf(template, args, shell)], [template, words]);
  });

test("in a script, only an option of the same command, and outside of quotes", () => {
  assert.equal(wordsOf('--env="{env}" end', {}, "sh"), ["--env=", "end"]);
  assert.equal(wordsOf('--env="{env}" end', {}, "none"), ["end"]);
  assert.equal(wordsOf("a; printf '<%s>\\n' --env {env}; printf '<%s>\\n' z", {}, "sh"), ["a", "", "z"]);
  assert.equal(wordsOf("{to}-n {n} {to}--env={env} end", {}, "sh"), ["x-n", "x--env=", "end"]);
  assert.equal(wordsOf("--env\\\n{env} end", {}, "sh").at(-1), "end");
  assert.equal(wordsOf("$(printf '%s' --n={n}) b", {}, "sh").at(-1), "b");
});

test("where it is not clear what goes, each of the ways in the message is accepted", () => {
  const file = parameter("file", { type: "string", format: "path" });
  const rows = [
    ["./publish --mark {file}", "--mark", "{file}", "--mark {value}", "./publish --mark -- {file}"],
    ["tar -tzf {file}", "-tzf", undefined, undefined, "tar -tz -f {file}"],
    ["./x -la {words}", "-la", "{words}", "-la {value}", "./x -la -- {words}"],
  ] as const;
  for (const shell of ["none", "sh"] as const)
    for (const [template, option, alone, flag, apart] of rows) {
      const words = parameter("words", { type: "array", items: { type: "string" } }, { flags: true });
      const { diagnostics } = commandOf(template, shell, [file, words]);
      assert.equal([template, diagnostics.map(({ code }) => code)], [template, ["unclear-option"]]);
      const help = diagnostics[0]?.help.join("\n") ?? "";
      assert.ok(help.includes(apart.replace(/^\S+ /, "")), help);
      assert.equal([apart, commandOf(apart, shell, [file, words]).diagnostics], [apart, []]);
      if (alone === undefined) continue;
      assert.ok(help.includes(`[flag="${flag}"]`), help);
      const flagged = [
        { ...file, flag },
        { ...words, flag },
      ];
      assert.equal(commandOf(template.replace(` ${option}`, ""), shell, flagged).diagnostics, []);
    }
});

test("what a script does is the same whether the value may be left out or not", () => {
  const scripts = [
    'grep --regexp={x} f; cat "{x}"; curl {x}',
    "grep --regexp={x} f; (find . {x})",
    "grep -e a --x {x} f",
  ];
  for (const script of scripts) {
    const [optional, required] = ["", "[required] "].map((option) => {
      const text = `Say.\n\n@param x {string} ${option}Text\n@shell sh\n@command ${script}\n`;
      const { value, diagnostics } = analyzeToolFile(parseToolFile({ path: "t.tool", text }));
      if (value?.kind !== "wrapped" || !value.commands) throw new Error(JSON.stringify(diagnostics));
      return value.commands.map(({ command: { does, mayRun } }) => ({ does, mayRun }));
    });
    assert.equal([script, optional], [script, required]);
  }
});

test.run();
