// A wrong command line is repaired from its message alone: a real shell runs the line that the program shows.
import { execFile, execFileSync } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { HANG_MS_MAX } from "../amount.ts";
import { assertGolden } from "../golden.ts";
import { assert, present, suite } from "../harness.ts";
import { type TestProject, testProject, type ToolRun } from "../test-project.ts";

const test = suite("teaching-lines");

const tools = fileURLToPath(new URL("teaching-tools/tools", import.meta.url));

/** The mistake, the typed line, and the line with which the message has to end. */
type Row = readonly [mistake: string, typed: string, repaired: string, isPlaceholder?: "placeholder"];

const rows: readonly Row[] = [
  ["a typo in an option", "read_file --file_pth=a.txt", "dottool read_file a.txt"],
  ["a typo in an option with its value behind it", "read_file --flie_path a.txt", "dottool read_file a.txt"],
  ["camelCase in an option", "read_file --filePath a.txt", "dottool read_file a.txt"],
  ["singular for plural", "head --file a.txt", "dottool head --files a.txt"],
  ["a short option", "head -l 1 a.txt", "dottool head --lines 1 --files a.txt"],
  ["the short option of another program", "head -n 1 a.txt", "dottool head --lines 1 --files a.txt"],
  ["a short flag", "sort_lines -r a.txt", "dottool sort_lines --reverse --files a.txt"],
  ["a typo in a flag", "sort_lines --uniqe a.txt", "dottool sort_lines --files a.txt --unique"],
  ["a typo in a flag that is off", "sort_lines --no-uniqe a.txt", "dottool sort_lines --files a.txt --unique=false"],
  ["a value behind a flag", "sort_lines a.txt --reverse true", "dottool sort_lines --reverse --files a.txt"],
  ["another word for true", "sort_lines a.txt --reverse=yes", "dottool sort_lines --files a.txt --reverse"],
  [
    "an option without its value",
    "read_file --file_path",
    "dottool read_file --file_path='<file_path>'",
    "placeholder",
  ],
  ["text for a number", "head a.txt --lines=five", "dottool head --files a.txt --lines='<lines>'", "placeholder"],
  ["a number with a word", "head a.txt --lines='2 lines'", "dottool head --files a.txt --lines 2"],
  ["too much", "list_dir --depth=900000", "dottool list_dir --depth 100"],
  ["a word too many", "list_dir . more", "dottool list_dir --path ."],
  ["a word more than there are places", "between 1 3 5", "dottool between 1 3"],
  ["a typo in key=value", "between from=1 too=3", "dottool between 1 --to='<to>'", "placeholder"],
  ["key:value", "list_dir path:.", "dottool list_dir --path ."],
  ["a refused word", "glob . -name a.txt -delete", "dottool glob . -name a.txt"],
  ["capitals in a choice", "order pen --size LARGE", "dottool order pen --size large"],
  ["choices with commas", "order pen --colors red,green", "dottool order pen --colors red --colors green"],
  ["a date with slashes", "order pen --day 2026/11/21", "dottool order pen --day 2026-11-21"],
  ["a value with a blank, in quotes again", "order \"'pen'\"", "dottool order pen"],
  ["JSON that is a list", "call head --json '[\"a.txt\"]'", "dottool head --files a.txt"],
  ["JSON that is text", "call read_file --json '\"a.txt\"'", "dottool read_file a.txt"],
  ["JSON with a wrong name", 'call read_file --json \'{"path": "a.txt"}\'', "dottool read_file a.txt"],
  ["JSON that is none", "call head --json '{files: a.txt}'", "dottool head --files a.txt"],
  [
    "JSON in an option",
    'ship --address \'{"stret": "B 1", "city": "Zug"}\'',
    'dottool ship --address \'{"street":"B 1","city":"Zug"}\'',
  ],
  ["words behind call", "call words one -two", "dottool words one"],
  ["a typo in a name", "raed_file a.txt", "dottool read_file a.txt"],
  ["capitals in a name", "Between 1 3", "dottool between 1 3"],
  ["a hyphen in a name", "sort-lines a.txt", "dottool sort_lines --files a.txt"],
  ["a name as APIs have it", "shop__price pen", "dottool shop/price pen"],
  ["the name of a shell", "bash 'echo hi'", "dottool run_command --command 'echo hi'"],
  ["a typo in the name of a tool of words", "grpe -n two a.txt", "dottool grep -n two a.txt"],
  ["a tool that is called like a command", "call show --file_pth a.txt", "dottool call show a.txt"],
  ["an option that a preset sets", "call first_lines --lines 5 -- a.txt", "dottool first_lines a.txt"],
  ["an option of a tool of steps", "release --version 1.2.3 --chanel beta", "dottool release v1.2.3 beta"],
];

function openFixture(): TestProject {
  const bench = testProject({ "a.txt": "one\ntwo\nthree\n" });
  const { command, words } = bench.program;
  bench.write(
    "bin/dottool",
    `#!/bin/sh\nexec '${command}' ${words.map((word) => `'${word}'`).join(" ")} --tools '${tools}' "$@"\n`,
  );
  chmodSync(join(bench.folder, "bin/dottool"), 0o755);
  return bench;
}

interface Run {
  readonly exitCode: number;
  readonly stderr: string;
}

function shell(line: string, { folder, program }: TestProject): Promise<Run> {
  const env = { ...program.environment, PATH: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}` };
  return new Promise((resolve) => {
    const child = execFile("sh", ["-c", line], { cwd: folder, env, timeout: HANG_MS_MAX }, (error, _stdout, stderr) =>
      resolve({ exitCode: error === null ? 0 : Number(error.code), stderr: stderr.replaceAll(folder, "<bench>") }),
    );
    child.stdin?.end();
  });
}

async function here([program, ...words]: readonly string[], bench: TestProject): Promise<Run> {
  assert.is(program, "dottool");
  const { exitCode, stderr } = await bench.here(["--tools", tools, ...words]);
  return { exitCode: exitCode ?? -1, stderr };
}

/** Splits lines into words, as a shell does. */
function wordsOf(lines: readonly string[]): readonly (readonly string[])[] {
  const script = `say() { for word; do printf '%s\\0' "$word"; done; printf '\\1\\0'; }\n${lines.map((line) => `say ${line}\n`).join("")}`;
  return execFileSync("sh", ["-c", script], { encoding: "utf8" })
    .split("\x01\0")
    .map((words) => words.split("\0").slice(0, -1));
}

/** One line in so many is run by a shell, which starts the program; of the others a shell only splits the words. */
const STARTED_EACH = 8;

test("the command line that ends the message succeeds in a shell", async () => {
  const bench = openFixture();
  try {
    const typedWords = wordsOf(rows.map(([, typed]) => typed));
    const answers: ToolRun[] = [];
    for (const words of typedWords) answers.push(await bench.here(["--tools", tools, ...words]));
    const lines = answers.map(({ stderr }) => /^ {2}= call it like this: (.*)$/m.exec(stderr)?.[1] ?? "");
    const lineWords = wordsOf(lines);
    const lessons: { readonly text: string; readonly got: object; readonly wanted: object }[] = [];
    for (const [index, [mistake, typed, repaired, placeholder]] of rows.entries()) {
      const [wrong, line, words] = [present(answers[index]), lines[index] ?? "", lineWords[index] ?? []];
      const isPlaceholder = /placeholders?; replace (?:it|them) with yours$/m.test(wrong.stderr);
      const right =
        index % STARTED_EACH === 0
          ? await shell(line, bench)
          : await here(
              words.map((word) => word.replace(/<\w+>/, "1")),
              bench,
            );
      lessons.push({
        text: `$ dottool ${typed}\n${wrong.stderr}`,
        got: { mistake, wrong: wrong.exitCode, line, isPlaceholder, right },
        // The program accepts the line with any value in place of a placeholder.
        wanted: {
          mistake,
          wrong: wrong.exitCode === 66 ? 66 : 64,
          line: repaired,
          isPlaceholder: placeholder !== undefined,
          right: placeholder !== undefined && right.exitCode !== 64 ? right : { exitCode: 0, stderr: "" },
        },
      });
    }
    assert.equal(
      lessons.map(({ got }) => got),
      lessons.map(({ wanted }) => wanted),
    );
    assertGolden("run/golden/teaching-lines.txt", lessons.map(({ text }) => text).join("\n"));
    assert.is(readFileSync(join(bench.folder, "a.txt"), "utf8"), "one\ntwo\nthree\n");
  } finally {
    bench.remove();
  }
});

test.run();
