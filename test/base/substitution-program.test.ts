// Rows of the substitution table in the real program, each once: `call NAME --json -` in a process of its own. The rows
// for sh are distributed among the four shells. The shells of Windows are stand-ins that record what they would get.
import { spawn } from "node:child_process";
import { someOf } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { compileCache, program } from "../program.ts";
import { hasProgram } from "../programs-needed.ts";
import {
  type ShellUnderTest,
  shellsUnderTest,
  type SubstitutionFixture,
  substitutionFixture,
} from "./substitution-fixture.ts";
import { diagnosticOf, refusalOf, type SubstitutionRow, substitutionRows, toolName } from "./substitution-rows.ts";

const test = suite("substitution table, through the program");

/** All rows hold in process, in every shell: see substitution.test.ts. */
const rows = someOf(substitutionRows(), 10);
const SIMULTANEOUS_MAX = 3;
const DIRECT_LANES = 3;

/** Rows that run in sequence; lanes run in parallel. */
interface Lane {
  readonly shell?: ShellUnderTest;
  readonly rows: readonly SubstitutionRow[];
}

function dealtOut(shell: SubstitutionRow["shell"], hands: readonly (ShellUnderTest | undefined)[]): readonly Lane[] {
  const all = rows.filter((row) => row.shell === shell);
  return hands.map((under, hand) => ({
    ...(under ? { shell: under } : {}),
    rows: all.filter((_row, index) => index % hands.length === hand),
  }));
}

/** Distributes rows among the existing shells, so that none is left out if a shell is missing. */
function lanes(): readonly Lane[] {
  return [
    ...dealtOut(
      "none",
      Array.from({ length: DIRECT_LANES }, () => undefined),
    ),
    ...dealtOut(
      "sh",
      shellsUnderTest.filter(({ program }) => hasProgram(program)),
    ),
    { rows: rows.filter((row) => row.shell !== "none" && row.shell !== "sh") },
  ];
}

interface Observed {
  readonly exitCode: number | null;
  readonly codes: readonly string[];
  readonly argv: readonly string[];
}

const cmd = ["/d", "/s", "/c"];
const powershell = ["-NoProfile", "-NonInteractive", "-Command"];

/** What a stand-in for a program of Windows gets, if it is not the row's `argv`. */
const givenOnWindows: Readonly<Record<string, readonly string[]>> = {
  "WI-292": [...cmd, "show.exe abc-1.2_x"],
  "WI-293": [...powershell, "show.exe $env:TOOL_ARG_p", "'; Start-Process calc; '"],
  "WI-294": [...powershell, 'show.exe "$($env:TOOL_ARG_p)"', "$(calc)"],
  "WI-296": [...powershell, "show.exe $env:TOOL_ARG_p", 'a"b'],
  "WI-297": ["status"],
};

function expectedOf({ id, expected: { argv, error = "" } }: SubstitutionRow): Observed {
  const given = givenOnWindows[id] ?? argv;
  if (given) return { exitCode: 0, codes: [], argv: given };
  const code = diagnosticOf[error];
  if (code !== undefined) return { exitCode: 65, codes: [code], argv: [] };
  // Whether a program is a batch file is only known when it is about to start.
  return { exitCode: error === "WIN_BATCH_REFUSED" ? 1 : 64, codes: [], argv: [] };
}

async function runRow(row: SubstitutionRow, bench: SubstitutionFixture): Promise<void> {
  const { exitCode, stderr } = await runProgram(row, bench);
  const codes = [...stderr.matchAll(/^error\[([\w-]+)\]/gm)].map(([, code = ""]) => code);
  assert.equal(
    { id: row.id, exitCode, codes, argv: bench.shown() },
    { id: row.id, ...expectedOf(row) },
    `${row.id}: ${stderr}`,
  );
  if (row.expected.error !== undefined && codes.length === 0)
    assert.ok(stderr.includes(refusalOf[row.expected.error ?? ""] ?? "\0"), `${row.id}: ${stderr}`);
}

function runProgram(
  row: SubstitutionRow,
  bench: SubstitutionFixture,
): Promise<{ readonly exitCode: number | null; readonly stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      program.command,
      [...program.words, "--tools", bench.tools, "call", toolName(row), "--json", "-"],
      {
        cwd: bench.folder,
        env: { PATH: bench.path, HOME: bench.folder, LANG: "C.UTF-8", ...compileCache, ...row.environment },
      },
    );
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.stdout.resume();
    child.on("error", reject).on("close", (exitCode) => resolve({ exitCode, stderr }));
    child.stdin.on("error", () => undefined).end(JSON.stringify(row.arguments));
  });
}

test("rows hold, each in a process of its own", async () => {
  const ran: string[] = [];
  const waiting = lanes().values();
  await Promise.all(
    Array.from({ length: SIMULTANEOUS_MAX }, async () => {
      for (const lane of waiting) {
        const bench = substitutionFixture(lane.rows, lane.shell);
        try {
          for (const row of lane.rows) {
            await runRow(row, bench);
            ran.push(row.id);
          }
        } finally {
          bench.remove();
        }
      }
    }),
  );
  assert.equal(ran.toSorted(), rows.map(({ id }) => id).toSorted());
});

test.run();
