// Every row of the substitution table: definitions in a folder, called by name in this process, with the real host. The
// rows for sh run in all four shells, in three of them every other one. substitution-program.test.ts starts the program
// for a part of the rows.
import "../windows-shells.ts";
import process from "node:process";
import { commandWrap } from "../../src/core/base/bind-command.ts";
import { shellRequirements } from "../../src/core/base/bind-shell.ts";
import { assemble } from "../../src/core/session/assemble.ts";
import { openTools } from "../../src/dottool.ts";
import { findProgram as findProcessProgram } from "../../src/core/host/processes/process-program.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import { commandOf, parameter } from "../language/command-fixture.ts";
import { isLong, someOf } from "../amount.ts";
import { assert, present, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import {
  type ShellUnderTest,
  shellsUnderTest,
  type SubstitutionFixture,
  substitutionFixture,
} from "./substitution-fixture.ts";
import { diagnosticOf, refusalOf, type SubstitutionRow, substitutionRows, toolName } from "./substitution-rows.ts";

const test = suite("substitution table");
const rows = substitutionRows();
const ran = new Map<string, number>();

function count(what: string): void {
  ran.set(what, (ran.get(what) ?? 0) + 1);
}

async function holdInProcess(chosen: readonly SubstitutionRow[], shell?: ShellUnderTest): Promise<void> {
  const bench = substitutionFixture(chosen, shell);
  const before = { ...process.env };
  process.env["PATH"] = bench.path;
  try {
    const codes = await codesByTool(bench);
    const session = await openTools({ cwd: bench.folder, toolFolders: [bench.tools] });
    for (const row of chosen) {
      const { error, argv } = row.expected;
      Object.assign(process.env, row.environment);
      const result = error?.startsWith("DEF_") ? undefined : await session.call(toolName(row), row.arguments);
      for (const name of Object.keys(row.environment)) delete process.env[name];
      const text = result ? session.explain(result) : "";
      if (argv) assert.equal({ id: row.id, text, argv: bench.shown() }, { id: row.id, text: "", argv });
      else if (!result)
        assert.equal(
          { id: row.id, codes: codes.get(toolName(row)) },
          { id: row.id, codes: [diagnosticOf[error ?? ""]] },
        );
      else assert.ok(text.includes(refusalOf[error ?? ""] ?? "\0"), `${row.id}: ${text}`);
      if (!argv) assert.equal(bench.shown(), [], `${row.id} ran something`);
      count(shell?.name ?? "none");
    }
  } finally {
    process.env = before;
    bench.remove();
  }
}

async function codesByTool(bench: SubstitutionFixture): Promise<ReadonlyMap<string, readonly string[]>> {
  const { diagnostics } = await assemble({ cwd: bench.folder, toolFolders: [bench.tools] });
  const codes = new Map<string, readonly string[]>();
  for (const diagnostic of await diagnostics()) {
    const tool = /([^/]+)\.tool$/.exec(diagnostic.at?.span.source.path ?? "")?.[1] ?? "";
    // A row that cannot be read leaves its parameter unused, which is another error.
    if (diagnostic.severity === "error") codes.set(tool, [...(codes.get(tool) ?? []), diagnostic.code]);
  }
  return codes;
}

const direct = rows.filter((row) => row.shell === "none");
const shell = rows.filter((row) => row.shell === "sh");

test("rows without a shell hold", () => holdInProcess(direct));

/** All of them in the first shell. The others differ little, so each has every other row. */
const rowsIn = shellsUnderTest.map((_shell, index) => (index === 0 ? shell : someOf(shell, 2, index)));

for (const [index, under] of shellsUnderTest.entries())
  test(`rows for sh hold in ${under.name}`, () => holdInProcess(rowsIn[index] ?? [], under));

const windows = rows.filter((row) => row.shell !== "none" && row.shell !== "sh");

interface Bound {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Returns what would start on Windows, or why nothing would. */
function boundOnWindows(row: SubstitutionRow): Bound | { readonly refusal: string } {
  const parameters = row.parameters.map((parameter) => ({
    name: parameter.name,
    description: "",
    schema: { type: "string" as const },
    required: parameter.isRequired,
  }));
  const { value: command } = commandOf(
    row.template,
    row.shell === "pwsh" || row.shell === "cmd" ? row.shell : "none",
    parameters,
  );
  if (!command) return { refusal: "definition" };
  const binding = { command, parameters, surroundings: { environment: [], inheritsEnvironment: false } };
  const [issue] = commandWrap.check(binding, row.arguments);
  if (issue) return { refusal: issue.message };
  const bound = commandWrap.bind(binding, row.arguments) as JsonObject & {
    readonly argv: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  };
  const program = findProcessProgram(bound.argv[0] ?? "", { platform: "windows", pathVariable: "" });
  return program.kind === "refused" && program.reason === "batch-file"
    ? { refusal: "batch file" }
    : { argv: bound.argv, env: bound.env ?? {} };
}

const powershell = ["pwsh", "-NoProfile", "-NonInteractive", "-Command"];

const expectedOnWindows: Readonly<Record<string, Bound | { readonly refusal: string }>> = {
  "WI-282": { refusal: "batch file" },
  "WI-283": { refusal: "batch file" },
  // Node writes the command line of a program that is not a batch file. This is the argv that it gets; libuv's rule is
  // tested below.
  "WI-284": { argv: ["show.exe", "C:\\a b\\"], env: {} },
  "WI-286": { argv: ["show.exe", "%PATH%"], env: {} },
  "WI-289": { refusal: refusalOf["WIN_CMD_VALUE_REFUSED"] ?? "" },
  "WI-290": { refusal: refusalOf["WIN_CMD_VALUE_REFUSED"] ?? "" },
  "WI-291": { refusal: refusalOf["WIN_CMD_VALUE_REFUSED"] ?? "" },
  "WI-292": { argv: ["cmd", "/d", "/s", "/c", "show.exe abc-1.2_x"], env: {} },
  "WI-293": { argv: [...powershell, "show.exe $env:TOOL_ARG_p"], env: { TOOL_ARG_p: "'; Start-Process calc; '" } },
  "WI-294": { argv: [...powershell, 'show.exe "$($env:TOOL_ARG_p)"'], env: { TOOL_ARG_p: "$(calc)" } },
  "WI-296": { argv: [...powershell, "show.exe $env:TOOL_ARG_p"], env: { TOOL_ARG_p: 'a"b' } },
  "WI-297": { argv: ["git", "status"], env: {} },
};

test("rows for Windows become the words and scripts that the table asks for", () => {
  for (const row of windows) {
    const bound = boundOnWindows(row);
    assert.equal(bound, expectedOnWindows[row.id], row.id);
    const { script, cmdline, argv } = row.expected;
    if (script !== undefined && "argv" in bound) assert.is(bound.argv.at(-1), script);
    if (cmdline !== undefined && "argv" in bound) assert.is(bound.argv.map(windowsWord).join(" "), cmdline);
    if (argv && row.shell === "windows-direct" && "argv" in bound && row.id !== "WI-297")
      assert.equal(bound.argv.slice(1), argv);
    count("windows");
  }
});

/**
 * Quotes a word like libuv's `quote_cmd_arg`, which Node uses: a word with blanks or quotes is quoted, and backslashes
 * before a quote are doubled.
 */
function windowsWord(word: string): string {
  if (word !== "" && !/[ \t"]/.test(word)) return word;
  return `"${word.replaceAll(/(\\*)("|$)/g, (_whole, slashes: string, quote: string) => slashes + slashes + (quote === "" ? "" : '\\"'))}"`;
}

test("a program is found through the PATH only, never in the working folder", () => {
  const bench = substitutionFixture([]);
  try {
    const [programs = ""] = bench.path.split(":");
    const found = ["linux", "windows"].map((platform) =>
      [programs, ".", ""].map(
        (pathVariable) =>
          findProcessProgram("git", { platform: platform as "linux" | "windows", pathVariable, cwd: programs }).kind,
      ),
    );
    assert.equal(found, [
      ["found", "refused", "refused"],
      ["refused", "refused", "refused"],
    ]);
  } finally {
    bench.remove();
  }
});

test("rows for PowerShell need a version that passes quotes on", () => {
  const needed = windows
    .map(
      (row) =>
        [
          row.id,
          shellRequirements(commandOf(row.template, row.shell === "pwsh" ? "pwsh" : "none", [parameter("p")]).value),
        ] as const,
    )
    .filter(([, requirements]) => requirements.length > 0);
  assert.equal(
    needed,
    ["WI-293", "WI-294", "WI-296"].map((id) => [id, [{ program: "pwsh", range: ">=7.3.0" }]]),
  );
});

test("every row was run, and rows for sh in each of four shells", () => {
  needPrograms(...shellsUnderTest.map(({ program }) => program));
  assert.is(rows.length, 191);
  const others = Object.fromEntries(ran);
  const inOthers = isLong ? 76 : 38;
  assert.equal(others, { none: 103, dash: 76, bash: inOthers, zsh: inOthers, busybox: inOthers, windows: 12 });
  assert.is(present(others["none"]) + present(others["dash"]) + present(others["windows"]), rows.length);
});

test.run();
