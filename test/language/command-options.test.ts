// Values that try to become options. Where a template or a call of it is refused, the program itself shows that it must
// be. Where a value with a leading dash is accepted, four shells show that no program takes it as an option.
import { commandWrap } from "../../src/core/base/bind-command.ts";
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import type { ArgumentIssue } from "../../src/core/schema/argument-issue.ts";
import type { Parameter } from "../../src/core/schema/parameter.ts";
import type { Shell } from "../../src/core/tool/command.ts";
import { shellsUnderTest } from "../base/substitution-fixture.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { compileCache, program } from "../program.ts";
import { commandOf, parameter, problemsOf } from "./command-fixture.ts";
import { field, isThere, naiveScript } from "./option-fixture.ts";
import {
  advices,
  guardedOnly,
  letThrough,
  letThroughScripts,
  optionAttacks,
  optionParameters,
  untriedWrappers,
  wrapped,
} from "./option-rows.ts";

const test = suite("values as options");

const parameters: readonly Parameter[] = Object.entries(optionParameters).map(([name, { schema, isOptional }]) =>
  parameter(name, schema, isOptional ? {} : { required: true }),
);

const annotations = { dash: "sh", bash: "bash", zsh: "zsh" } as const;

/** Returns `call`, a diagnostic's code, or nothing if the template is accepted. */
function refusalOf(template: string, shell: Shell | "none", value: string): string {
  const { diagnostics } = commandOf(template, shell, parameters);
  if (diagnostics.length > 0) return [...new Set(diagnostics.map(({ code }) => code))].join();
  return issuesOf(template, value, shell).length > 0 ? "call" : "";
}

function issuesOf(template: string, value: string, shell: Shell | "none" = "sh"): readonly ArgumentIssue[] {
  const { value: command } = commandOf(template, shell, parameters);
  if (!command) throw new Error(template);
  return commandWrap.check(
    { command, parameters, surroundings: { environment: [], inheritsEnvironment: false } },
    { p: value, f: value, q: "q", n: 3, m: "cf", w: "w", v: "v" },
  );
}

test("values that would become options are refused, in the definition or in the call", () => {
  const wrong = optionAttacks
    .map(({ template, value, shell, refused }) => ({
      template,
      refused,
      actual: refusalOf(template, annotations[shell], value),
    }))
    .filter(({ refused, actual }) => refused !== actual);
  assert.equal(wrong, []);
  assert.equal(
    wrapped.filter((template) => refusalOf(template, "none", "-x") !== "call"),
    [],
  );
  assert.equal(
    [...untriedWrappers].filter(
      (template) => refusalOf(template, "none", "-x") !== "call" || refusalOf(template, "sh", "-x") !== "call",
    ),
    [],
  );
});

function naiveWords(shell: keyof typeof annotations, template: string, value: string): readonly string[] {
  return [...needPrograms(shell), ...(shell === "zsh" ? ["-f"] : []), "-c", naiveScript(template), "naive", value];
}

test("the values that are refused would have been options", () => {
  const ground = field();
  try {
    const rows = optionAttacks.filter(({ template }) => isThere(template));
    const runs = ground.runAll(rows.map(({ template, value, shell }) => naiveWords(shell, template, value)));
    const silent = runs.flatMap(({ isMarked, ended }, index) => (isMarked ? [] : [{ row: rows[index], ended }]));
    assert.equal(silent, []);
  } finally {
    ground.remove();
  }
});

test("a value with a dash goes through where nothing takes it for an option, in four shells", () => {
  const ground = field();
  try {
    for (const value of ["-Iscript", "--use-compress-program=script", "-"]) {
      assert.equal(
        letThrough.filter((template) => refusalOf(template, "none", value) !== ""),
        [],
      );
      assert.equal(
        [...letThrough, ...letThroughScripts].filter((template) => refusalOf(template, "sh", value) !== ""),
        [],
      );
    }
    for (const under of shellsUnderTest) {
      const templates = [...letThrough, ...letThroughScripts].filter(isThere);
      const rows = templates.map((template) => {
        const own = parameters.filter(({ name }) => template.includes(`{${name}}`));
        const { value: command } = commandOf(template, under.annotation, own);
        if (!command) throw new Error(template);
        const { argv } = commandWrap.bind(
          { command, parameters: own, surroundings: { environment: [], inheritsEnvironment: false } },
          { p: "-Iscript", q: "q", n: 3 },
        );
        const [shell = "", ...words] = argv as readonly string[];
        return [...needPrograms(shell === "sh" ? under.program : shell), ...words];
      });
      for (const [index, { isMarked, ended }] of ground.runAll(rows).entries())
        assert.not(isMarked, `${under.name}: ${templates[index]}: ${ended}`);
    }
  } finally {
    ground.remove();
  }
});

test("what a program finds elsewhere, and numbers, choices and plain words, need neither quotes nor `--`", () => {
  const said = guardedOnly.flatMap((template) =>
    problemsOf(template, "bash", parameters).map((problem) => `${template}: ${problem}`),
  );
  assert.equal(said, []);
});

test("what the messages advise is accepted", () => {
  for (const [template, advised, advice] of advices) {
    const said = commandOf(template, "sh", parameters);
    const helps = said.value
      ? issuesOf(template, "-x").flatMap(({ help }) => help ?? [])
      : said.diagnostics.flatMap(({ help }) => help);
    assert.ok(
      helps.some((help) => help.includes(advice)),
      `${template}: ${helps.join("; ")}`,
    );
    assert.is(refusalOf(advised, "sh", advised.includes("${") ? "x" : "-x"), "", advised);
  }
});

/** Returns the diagnostics of a definition, or the message of a call with a leading dash. */
function saidOf(lines: readonly string[]): readonly string[] {
  const text = [
    "Words.",
    "",
    "@title A",
    "@name a",
    "@tags run",
    "@wrapped run_command",
    ...lines,
    "@param p {string} [required] P",
    "",
  ].join("\n");
  const { value, diagnostics } = analyzeToolFile(parseToolFile({ path: "a.tool", text }));
  if (value?.kind !== "wrapped" || diagnostics.length > 0)
    return diagnostics.map(({ code, help }) => `${code}: ${help.join("; ")}`);
  const { parameters: own, surroundings } = value;
  return value.commands.flatMap(({ command }) =>
    commandWrap
      .check({ command, parameters: own, surroundings }, { p: "-x" })
      .map(({ path, message }) => `${path} ${message}`),
  );
}

const [loop, asOption] = ['while read -r l; do rm "$l"; done', "p starts with `-`, so `rm` would read it as an option"];

test("values of standard input and of the environment are followed too", () => {
  const table: readonly (readonly [lines: readonly string[], said: readonly string[]])[] = [
    [
      ["@command xargs rm", "@stdin {p}"],
      ["parameter-as-option: put `--` before the arguments that `xargs` adds there"],
    ],
    [
      ["@command xargs -0 rm", "@stdin {p}"],
      ["parameter-as-option: put `--` before the arguments that `xargs` adds there"],
    ],
    [["@command xargs -0 rm --", "@stdin {p}"], []],
    [
      ["@command xargs -I% cp % x", "@stdin {p}"],
      ["parameter-as-option: put `--` before the arguments that `xargs` adds there"],
    ],
    [["@command xargs -I% cp -- % x", "@stdin {p}"], []],
    [["@command xargs -n 1 echo", "@stdin {p}"], []],
    [["@command sort", "@stdin {p}"], []],
    [["@shell sh", `@command ${loop}`, "@stdin {p}"], ["parameter-as-option: put `--` before it there"]],
    [["@shell sh", `@command ${loop.replace("rm", "rm --")}`, "@stdin {p}"], []],
    [["@shell sh", "@command printf a | sort; cat | wc -l", "@stdin {p}"], []],
    [["@shell sh", "@command x=$(cat); rm $x", "@stdin {p}"], ['unquoted-value: write `"$x"` there']],
    [["@shell sh", '@command rm "$F"', "@env F={p}"], [asOption]],
    [["@shell sh", '@command rm -- "$F"', "@env F={p}"], []],
    [["@shell sh", '@command rm "$F"', "@env F=./{p}"], []],
    [["@shell sh", '@command rm "${F##*/}"', "@env F={p}"], ["parameter-as-option: put `--` before it there"]],
    [["@shell sh", "@command rm $F", "@env F={p}"], ['unquoted-value: write `"$F"` there']],
    [["@command sh -c 'rm \"$F\"'", "@env F={p}"], [asOption]],
    [["@command sh -c 'git commit --message=\"$F\"'", "@env F={p}"], []],
  ];
  assert.equal(
    table.map(([lines]) => [lines, saidOf(lines)]),
    table,
  );
});

test("a `--` of timeout lets no option through to tar, in the program itself", () => {
  const ground = field();
  try {
    const head = ["Pack.", "", "@title Pack", "@wrapped run_command", "@tags write"];
    const declared = "@param files {array<string>} [required] Which files";
    const toolText = (name: string, command: string): string =>
      [...head, `@name ${name}`, `@command ${command}`, declared, ""].join("\n");
    ground.write("tools/outer.tool", toolText("outer", "timeout -- 60 tar cf o.tar {files}"));
    ground.write("tools/inner.tool", toolText("inner", "timeout 60 tar cf o.tar -- {files}"));
    const files = ["--checkpoint=1", "--checkpoint-action=exec=script", "f"];
    const call = (name: string) =>
      ground.run(
        [program.command, ...program.words, "--tools", "tools", "call", name, "--json", JSON.stringify({ files })],
        compileCache,
      );
    const [outer, inner] = [call("outer"), call("inner")];
    assert.equal([outer.isMarked, inner.isMarked], [false, false], `${outer.ended} ${inner.ended}`);
    assert.match(outer.ended, /files\[0\] {2}starts with `-`, so `tar` would read it as an option/);
    assert.match(outer.ended, /let such a value through: after a `--` for `tar`/);
    // tar looks for a file of that name.
    assert.match(inner.ended, /--checkpoint=1: Cannot stat/);
  } finally {
    ground.remove();
  }
});

test.run();
