// Tests of the command line as text: `test/scripts/NAME.txt`. What such a file may say is in CONTRIBUTING.md.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { HANG_MS_MAX } from "./amount.ts";
import { assert } from "./harness.ts";
import { needPrograms } from "./programs-needed.ts";
import { sideBySide } from "./side-by-side.ts";
import { startingOnce, type TestProject, testProject, type ToolRun } from "./test-project.ts";

/** A line that begins something, and the lines that belong to it. */
interface Block {
  readonly head: string;
  readonly body: readonly string[];
}

/** A run in this process changes its environment. */
const isUpdate = process.env["UPDATE"] === "1";

type Runner = ReturnType<typeof startingOnce>;

/** `== NAME`, `-- FILE --` or `$ LINE`. */
const HEAD = /^(?:== |-- \S.* --$|\$ )/;
/** What stands behind a line: what it prints is none of these, so it is written with a `\` before it. */
const MARK = /^(?:== |-- \S.* --$|\$ |# |!(?: |$)|exit \d+$|\\)/;
const NO_LINE_END = "\\ no line end";
/** Words as a shell has them, without any that it would replace. */
const WORD = /'[^']*'|"[^"$`\\]*"|[^\s'"$`\\|<>&;()*?]+/.source;
const PROGRAM_LINE = new RegExp(
  `^((?:[A-Z_]+=(?:${WORD})* )*)dottool((?: (?:${WORD})+)*)(?: < (\\S+))?( 2>&1)?(?: \\| (.*))?$`,
);

/** Makes the suite of this file below test/. */
export function scriptSuite(file: string, path: string): void {
  const test = sideBySide(file);
  const run = startingOnce();
  const [first, ...tests] = testsIn(readFileSync(path, "utf8"));
  const ran = tests.map((blocks) => [...blocks]);
  for (const [index, blocks] of tests.entries())
    test(blocks[0]?.head.slice("== ".length) ?? "", async () => {
      const after = await runBlocks(first ?? [], blocks, run);
      ran[index] = after;
      // The others may be running: each writes what is known of all.
      if (isUpdate) writeFileSync(path, textOf([...(first ?? []), ...ran.flat()]));
      else assert.is(textOf(after), textOf(blocks));
    });
  test.run();
}

/** Returns what stands before the first test, and the blocks of each test. */
function testsIn(text: string): readonly (readonly Block[])[] {
  const tests: Block[][] = [[]];
  let block = { head: "", body: [] as string[] };
  const take = (head: string): void => {
    if (head.startsWith("== ")) tests.push([]);
    block = { head, body: [] };
    tests.at(-1)?.push(block);
  };
  // The empty line at the end is that of the last block, as each one has one before the next.
  for (const line of text.split("\n"))
    if (HEAD.test(line) || (tests.length === 1 && tests[0]?.length === 0)) take(line);
    else if (line.startsWith("# ") && /^[$#] /.test(block.head)) take(line);
    else block.body.push(line);
  return tests;
}

function textOf(blocks: readonly Block[]): string {
  return blocks.flatMap(({ head, body }) => [head, ...body]).join("\n");
}

async function runBlocks(shared: readonly Block[], blocks: readonly Block[], run: Runner): Promise<Block[]> {
  const notes = blocks[0]?.body.filter((line) => line !== "") ?? [];
  for (const note of notes) {
    if (note.startsWith("needs ")) needPrograms(...note.split(" ").slice(1));
    else if (note !== "untrusted" && !note.startsWith("# ")) throw new Error(`what \`${note}\` means is not known`);
  }
  using bench = testProject({}, { isTrusted: !notes.includes("untrusted") });
  for (const block of shared) writeFile(bench, block);
  const after: Block[] = [];
  for (const block of blocks) {
    const { head, body } = block;
    writeFile(bench, block);
    after.push({ head, body: head.startsWith("$ ") ? [...shown(await runOne(bench, head.slice(2), run)), ""] : body });
  }
  return after;
}

function writeFile(bench: TestProject, { head, body }: Block): void {
  const [, path] = /^-- (.*) --$/.exec(head) ?? [];
  // Nor is the empty line before the next block a part of the file.
  if (path !== undefined) bench.write(path, `${(body.at(-1) === "" ? body.slice(0, -1) : body).join("\n")}\n`);
}

async function runOne(bench: TestProject, line: string, run: Runner): Promise<ToolRun> {
  const read = PROGRAM_LINE.exec(line);
  if (read === null) {
    if (/^([A-Z_]+=\S* )*dottool\b/.test(line)) throw new Error(`\`${line}\` is more than a script can have`);
    return runShell(bench, line, "");
  }
  const [, variables = "", words = "", input, isMerged, filter] = read;
  const { stdout, stderr, exitCode } = await run(bench, wordsOf(words), {
    ...(input !== undefined && { stdin: readFileSync(join(bench.folder, input)) }),
    environment: Object.fromEntries(
      wordsOf(variables.replaceAll("<bench>", bench.folder)).map((word) => [
        /^\w+/.exec(word)?.[0],
        word.replace(/^\w+=/, ""),
      ]),
    ),
  });
  const said = isMerged ? { stdout: stdout + stderr, stderr: "", exitCode } : { stdout, stderr, exitCode };
  if (filter === undefined) return said;
  const filtered = runShell(bench, filter, said.stdout);
  return { stdout: filtered.stdout, stderr: said.stderr + filtered.stderr, exitCode };
}

function wordsOf(text: string): string[] {
  return [...text.matchAll(new RegExp(`(?:${WORD})+`, "g"))].map(([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_quoted, single?: string, double?: string) => single ?? double ?? ""),
  );
}

function runShell(bench: TestProject, line: string, input: string): ToolRun {
  const { stdout, stderr, status } = spawnSync("sh", ["-c", line], {
    cwd: bench.folder,
    env: { ...bench.program.environment },
    input,
    encoding: "utf8",
    timeout: HANG_MS_MAX,
  });
  const hidden = (text: string): string => text.replaceAll(bench.folder, "<bench>");
  return { stdout: hidden(stdout), stderr: hidden(stderr), exitCode: status };
}

/** Returns the lines that a run leaves in a script. */
function shown({ stdout, stderr, exitCode }: ToolRun): readonly string[] {
  const linesOf = (text: string): string[] => {
    const lines = text.split("\n").map((line) => (MARK.test(line) ? `\\${line}` : line));
    return text === "" ? [] : lines.at(-1) === "" ? lines.slice(0, -1) : [...lines, NO_LINE_END];
  };
  const errors = linesOf(stderr).map((line) => (line === "" ? "!" : `! ${line}`));
  return [...linesOf(stdout), ...errors, ...(exitCode === 0 ? [] : [`exit ${exitCode}`])];
}
