// Values that try to run. Where `parseCommand` refuses a placeholder, a shell that would have run the value shows that
// it must. Where it accepts one, the same values run nothing in four shells.
import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { commandWrap } from "../../src/core/base/bind-command.ts";
import { scanScript } from "../../src/core/shell/scan.ts";
import type { Parameter } from "../../src/core/schema/parameter.ts";
import { someOf } from "../amount.ts";
import { type ShellUnderTest, shellsUnderTest } from "../base/substitution-fixture.ts";
import { assert, suite } from "../harness.ts";
import { leaveOut, needPrograms } from "../programs-needed.ts";
import { accepted, acceptedIn, type Attack, attacks, flows } from "./command-attack-rows.ts";
import { commandOf, parameter } from "./command-fixture.ts";
import { type RowRun, runRows } from "./run-rows.ts";
import { acceptedBeside, specialAttacks } from "./command-special-rows.ts";
import { acceptedInZsh, zshAttacks } from "./command-zsh-rows.ts";

const test = suite("commands under attack");
const text = parameter("p", { type: "string" }, { required: true });
const list = parameter("files", { type: "array", items: { type: "string" } });
const file = parameter("file", { type: "string", format: "path" }, { required: true });
const count = parameter("n", { type: "integer" }, { required: true });

interface Field {
  readonly folder: string;
  /** Runs programs in sequence. Returns whether a value has run, and how each ended. */
  runAll(rows: readonly (readonly string[])[]): readonly RowRun[];
  remove(): void;
}

function field(): Field {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "dottool-attack-")));
  writeFileSync(join(folder, "script"), "#!/bin/sh\n: > mark\n", { mode: 0o755 });
  return {
    folder,
    runAll: (rows) => runRows(folder, rows, { PATH: `${folder}/bin:${process.env["PATH"]}` }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Returns the script of a program that only looks at quotes. */
function naiveScript(template: string): string {
  const quoted = { bare: '"${1}"', double: "${1}", single: `'"\${1}"'` };
  return scanScript(template, { knowsTests: true })
    .parts.map((part) =>
      typeof part === "string"
        ? part.replaceAll("{p}", "${1}")
        : part.name === "p"
          ? quoted[part.quoting]
          : `{${part.name}}`,
    )
    .join("");
}

// `sh` may be bash, but hardly zsh, which under that name runs nothing of its own.
const annotationsOf = { dash: ["sh"], bash: ["sh", "bash"], zsh: ["zsh"] } as const;
const refused = [...attacks, ...flows, ...specialAttacks, ...zshAttacks];
/** Debian's zsh needs a library for it that is only recommended. */
const needsPcre = (template: string): boolean => template.includes("zmodload zsh/pcre");

for (const shell of ["dash", "bash", "zsh"] as const) {
  const rows = refused.filter((row) => row.shell === shell && !needsPcre(row.template));
  test(`what parseCommand refuses would run the value in ${shell}`, () => assertRuns(shell, rows));
}

test("what parseCommand refuses would run the value in zsh with its module for patterns", () => {
  const [zsh = ""] = needPrograms("zsh");
  if (spawnSync(zsh, ["-fc", "zmodload zsh/pcre"]).status !== 0) leaveOut("zsh has no `zsh/pcre` (Debian: libpcre3)");
  assertRuns(
    "zsh",
    refused.filter(({ template }) => needsPcre(template)),
  );
});

function assertRuns(shell: keyof typeof annotationsOf, rows: readonly Attack[]): void {
  const [program = ""] = needPrograms(shell);
  assert.ok(rows.length > 0);
  const ground = field();
  try {
    const taken = rows.filter(({ template }) =>
      annotationsOf[shell].some((annotation) => commandOf(template, annotation, [text]).value !== undefined),
    );
    assert.equal(taken, []);
    // A shell that would run them is a fact about the shell, which hardly changes.
    const some = someOf(rows, 4);
    const runs = ground.runAll(
      some.map(({ template, value }) => [
        program,
        ...(shell === "zsh" ? ["-f"] : []),
        "-c",
        naiveScript(template),
        "naive",
        value,
      ]),
    );
    const harmless = runs.flatMap(({ isMarked, ended }, index) =>
      isMarked ? [] : [{ template: some[index]?.template, shell, ended }],
    );
    assert.equal(harmless, []);
  } finally {
    ground.remove();
  }
}

const values: readonly string[] = [
  "$(touch mark)",
  "`touch mark`",
  "; touch mark #",
  "a' ; touch mark ; '",
  '" ; touch mark ; "',
  "\ntouch mark\n",
  "x; touch mark",
  "a[$(touch mark)]",
  "| touch mark",
  "${x:-$(touch mark)}",
  "{files}",
  "\\",
];

/** Runs wherever it is computed or is program text. */
const computed = "path[$(touch mark)]";
/** Runs where zsh expands it to names. */
const pattern = "*(e@touch mark@)";
const everyday = [...acceptedIn, ...acceptedBeside, ...acceptedInZsh.map((template) => [template, ["zsh"]] as const)];

for (const [turn, under] of shellsUnderTest.entries())
  test(`what parseCommand accepts runs no value in ${under.name}`, () => assertRunsNothing(under, turn));

function assertRunsNothing(under: ShellUnderTest, turn: number): void {
  const [program = ""] = needPrograms(under.program);
  const ground = field();
  try {
    symlinkSync(program, join(ground.folder, "sh"));
    // Every value with every template, each in one of the shells.
    const some = values.filter((_value, index) => index % shellsUnderTest.length === turn);
    const tried = [
      ...someOf(accepted, 2, turn).map((template) => [template, some] as const),
      ...everyday.flatMap(([template, shells]) =>
        shells.includes(under.name) ? [[template, [computed, pattern]] as const] : [],
      ),
    ];
    const rows: (readonly string[])[] = [];
    const names: string[] = [];
    for (const [template, hostile] of tried) {
      const parameters: readonly Parameter[] = [text, list, file, count].filter(({ name }) =>
        template.includes(`{${name}}`),
      );
      const { value: command, diagnostics } = commandOf(template, under.annotation, parameters);
      if (!command) throw new Error(`${template}: ${diagnostics.map((diagnostic) => diagnostic.message).join()}`);
      for (const value of hostile) {
        const { argv } = commandWrap.bind(
          { command, parameters, surroundings: { environment: [], inheritsEnvironment: false } },
          { p: value, files: [value, value], file: value, n: 3 },
        );
        const [shell = "", ...words] = argv as readonly string[];
        rows.push([shell === "sh" ? join(ground.folder, "sh") : program, ...words]);
        names.push(`${template} ran ${JSON.stringify(value)}`);
      }
    }
    for (const [index, { isMarked }] of ground.runAll(rows).entries()) assert.not(isMarked, names[index]);
  } finally {
    ground.remove();
  }
}

test.run();
