// A definition that claims to read only, and the diagnostic that says why it counts as running programs.
import { commandEffects } from "../../src/core/builder/effects.ts";
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import type { Diagnostic } from "../../src/core/text/diagnostic.ts";
import { assert, suite } from "../harness.ts";

const test = suite("checkReading");

function analyzed(lines: readonly string[]): { readonly effects: string; readonly diagnostics: readonly Diagnostic[] } {
  const text = ["Does it.", "", "@title Tool", "@name tool", ...lines, ""].join("\n");
  const { value, diagnostics } = analyzeToolFile(parseToolFile({ path: "tool.tool", text }));
  return { effects: value?.kind === "wrapped" ? commandEffects(value).join(" ") : "", diagnostics };
}

function said(lines: readonly string[]): readonly string[] {
  return analyzed(lines).diagnostics.map(({ code, at, help }) => [code, at?.text ?? "", ...help].join(" | "));
}

function wrapOf(command: string, param: string): readonly string[] {
  return ["@wrapped run_command", `@command ${command}`, `@param ${param} It`];
}

const tags = "or add `run` to its tags";
const choices = 'give `x` choices, as in `{"one"|"two"}`';
const plain = "or allow only plain words: `pattern=/[A-Za-z0-9_.-]+/`";

test("says which value it is, in what way its program gets it, and what to do", () => {
  const rows: readonly (readonly [lines: readonly string[], label: string, help: readonly string[]])[] = [
    [wrapOf("say {x}", "x {string}"), "`{x}` is an argument of `say`, which may run it", [choices, plain, tags]],
    [wrapOf("say {x}", "x {array<string>}"), "`{x}` is an argument of `say`, which may run it", [choices, plain, tags]],
    [wrapOf("git {x}", "x {string} [required]"), "`{x}` decides what `git` does", [choices, tags]],
    [wrapOf("open {x}", "x {url}"), "`{x}` is an argument of `open`, which may run it", ["add `run` to its tags"]],
    [
      [...wrapOf("make", "x {string}"), "@stdin {x}"],
      "`{x}` is what `make` reads, which may run it",
      [choices, plain, tags],
    ],
    [
      [...wrapOf("ls", "x {string}"), "@env HOME={x}"],
      "`{x}` is in the variable `HOME` of `ls`, which may run it",
      [choices, plain, tags],
    ],
    [
      [...wrapOf("git status", "x {path}"), "@cwd {x}"],
      "`{x}` is the folder of `git`, which may run files in it",
      [choices, plain, tags],
    ],
  ];
  const expected = rows.map(([, label, help]) => [["counts-as-run", label, ...help].join(" | ")]);
  assert.equal(
    rows.map(([lines]) => said([...lines, "@tags read"])),
    expected,
  );
});

test("says nothing where the tool does not claim to read only, or reads only", () => {
  const rows = [
    [...wrapOf("say {x}", "x {string}"), "@tags read run"],
    [...wrapOf("say {x}", "x {string}"), "@tags network"],
    wrapOf("say {x}", "x {string}"),
    ["@shell sh", ...wrapOf("ls -- {x} | sort", "x {string}"), "@tags read"],
    [...wrapOf("grep -e {x} -- .", "x {string}"), "@tags read"],
  ];
  assert.equal(
    rows.map(said),
    rows.map(() => []),
  );
});

test("what its help says is accepted: choices and plain words read, and the tag says the rest", () => {
  const followed = [
    [...wrapOf("say {x}", 'x {"one"|"two"}'), "@tags read"],
    [...wrapOf("say {x}", "x {string} [pattern=/[A-Za-z0-9_.-]+/]"), "@tags read"],
    [...wrapOf("say {x}", "x {array<string>} [pattern=/[A-Za-z0-9_.-]+/]"), "@tags read"],
    [...wrapOf("git {x}", 'x {"status"|"branch"} [required]'), "@tags read"],
    [...wrapOf("say {x}", "x {string}"), "@tags read run"],
  ];
  const found = followed.map(analyzed).map(({ effects, diagnostics }) => [effects, diagnostics.length]);
  assert.equal(found, [
    ["read", 0],
    ["read", 0],
    ["read", 0],
    ["read", 0],
    ["read run", 0],
  ]);
});

test("a step is told too", () => {
  const lines = ["@step a runs", "    find . -name x", "@step b runs", "    say {a}", "@tags read"];
  assert.equal(said(lines), [
    "counts-as-run | `{a}` is an argument of `say`, which may run it | add `run` to its tags",
  ]);
});

const scripts: readonly (readonly [script: string, effects: string])[] = [
  ["wc -l -- {x}/* | sort -rn | sed -n '2,5p'", "read"],
  ["if [ -n {x} ]; then wc -l -- {x}; fi", "read"],
  ["make status | grep -e {x}", "read"],
  ["mytool; echo {x}", "read"],
  ['ls {x} | while read f; do echo "$f"; done', "read"],
  ['for f in {x}/*; do wc -l -- "$f"; done', "read"],
  ['n=$(wc -l < a.txt); echo "$n {x}"', "read"],
  ["wc -l {x} 2>/dev/null", "read"],
  ["grep -e {x} a.txt > out.txt", "read write"],
  ['f={x}; rm -- "$f"', "read write"],
  ["curl -fsS -- {x} | jq .", "read network"],
  ["mytool {x} | head", "read run"],
  ["find . -name {x} | xargs rm", "read run"],
  ["find . -name {x} -exec rm {} +", "read run"],
  ["cd {x} && wc -l *", "read"],
  ["cd {x} && make", "read run"],
  ["cd {x} && git status", "read run"],
  ["eval 'echo hi'; echo {x}", "read run"],
  ["sort {x} -o a.txt", "read run"],
  ['f={x}; mytool "$f"', "read run"],
];

test("the tags of a script count where every value is data for the program that gets it", () => {
  const of = (lines: readonly string[]): string => analyzed(lines).effects;
  for (const [script, effects] of scripts) {
    const lines = ["@wrapped run_command", "@shell sh", `@script`, `    ${script}`, "@param x {path} [required] It"];
    const found = of([...lines, "@tags read"]);
    // What else the programs are known to do is told with `run` too.
    assert.ok(
      effects.includes("run") ? found.includes("run") || found === "" : found === effects,
      `${script}: ${found}`,
    );
    assert.ok(of(lines) === "" || of(lines).includes("run"), script);
  }
  const around = [
    "@wrapped run_command",
    "@shell sh",
    "@script",
    "    ls",
    "@param x {path} [required] It",
    "@tags read",
  ];
  for (const line of ["@env HOME={x}", "@cwd {x}", "@stdin {x}"]) assert.is(of([...around, line]), "read run", line);
});

test("a script whose tags do not count says which value it is", () => {
  const lines = [
    "@wrapped run_command",
    "@shell sh",
    "@script",
    '    f={x}; mytool "$f"',
    "@param x {path} [required] It",
  ];
  assert.equal(said([...lines, "@tags read"]), [
    "counts-as-run | `$f` is an argument of `mytool`, which may run it | add `run` to its tags",
  ]);
});

test.run();
