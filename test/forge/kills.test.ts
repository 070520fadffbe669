// Whatever change of the file system a killed dottool was about to make, each forged tool is as before or as after, and
// the next dottool lists, changes and forges. strace kills at one call after the other.
import { spawn } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { ForgedRecord } from "../../src/features/forge/record.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import { sampleOf } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { leaveOut, needPrograms } from "../programs-needed.ts";
import { type TestProject, testProject } from "../test-project.ts";
import { codeRequest } from "./forge-fixture.ts";

const test = suite("forge kills");

const add = codeRequest(
  "add",
  "if (input.a > 9) throw new Error('no');\nreturn input.a + 1;",
  [{ a: 1 }, 2],
  [{ a: 2 }, 3],
);
const other = codeRequest("add", "return 1 + input.a;", [{ a: 1 }, 2], [{ a: 2 }, 3]);
const judge =
  "Approves.\n\n@title Approves\n@name approves\n@tags read forge-judge\n@param definition {string} [required] The definition\n@returns {object}\n@code\n    return { approved: true, reasoning: 'fine' };\n";

/** Words that make these calls in one process, one after the other. */
const calling = (...calls: readonly (readonly [name: string, args: JsonObject])[]): Command => ({
  words: ["exec", "--parallel", "1", "--allow-forge"],
  stdin: JSON.stringify({
    role: "assistant",
    content: null,
    tool_calls: calls.map(([name, args], index) => ({
      id: `call_${index}`,
      type: "function",
      function: { name, arguments: JSON.stringify(args) },
    })),
  }),
});
const run = (a: number) => ["run_forged", { name: "add", arguments: { a } }] as const;
const runs = (...numbers: readonly number[]): Command => calling(...numbers.map(run));

interface Command {
  readonly words: readonly string[];
  readonly stdin?: string;
}

interface Verb {
  readonly name: string;
  readonly before: readonly Command[];
  readonly command: Command;
  /** What `forge list` may have after a kill: before, between its changes, and after. */
  readonly states: readonly string[];
  /** A file that the verb writes: it is whole or absent. */
  readonly file?: string;
  /** What there is after doing it again, or for the first time. */
  readonly last: string;
}

const forgeAdd: Command = calling(["forge_tool", add]);
/** Makes it a tool of every session. */
const promoted: Command = calling(["forge_tool", add], ...[1, 2, 3, 4, 5].map(run));

const verbs: readonly Verb[] = [
  {
    name: "register",
    before: [],
    command: forgeAdd,
    states: ["", "add session active 0/0"],
    last: "add session active 0/0",
  },
  {
    name: "demote what another text replaces",
    before: [],
    command: calling(["forge_tool", add], ["forge_tool", other]),
    states: ["", "add session active 0/0", "add session active 0/0, add session active 0/0"],
    last: "add session active 0/0",
  },
  {
    name: "promote",
    before: [],
    command: promoted,
    states: ["", ...[0, 1, 2, 3, 4].map((uses) => `add session active ${uses}/0`), "add agent active 5/0"],
    last: "add agent active 5/0",
  },
  {
    name: "quarantine",
    before: [promoted, runs(10, 10)],
    command: runs(10),
    states: ["add agent active 5/2", "add session quarantined 5/3"],
    last: "add session quarantined 5/3",
  },
  {
    name: "test",
    before: [promoted, runs(10, 10)],
    command: { words: ["forge", "test", "add"] },
    states: ["add agent active 5/2", "add agent active 0/0"],
    last: "add agent active 0/0",
  },
  {
    name: "revoke",
    before: [forgeAdd],
    command: { words: ["forge", "revoke", "add"] },
    states: ["add session active 0/0", ""],
    last: "",
  },
  {
    name: "keep",
    before: [forgeAdd],
    command: { words: ["forge", "keep", "add", "--yes"] },
    states: ["add session active 0/0", ""],
    file: ".tools/add.tool",
    last: "",
  },
];

/** Calls that change what others see. What is written before one of these is in a file that nobody reads yet. */
const CHANGES = "rename,renameat2,link,unlink,unlinkat,fsync,fdatasync,mkdir,chmod,fchmod,ftruncate,rmdir,symlink";

interface Point {
  readonly call: string;
  readonly ordinal: number;
}

if (process.platform === "linux" && !("Deno" in globalThis))
  for (const [offset, verb] of verbs.entries())
    test(`${verb.name}: old or new after every kill, and it can be done again`, async () => {
      needPrograms("strace");
      using bench = testProject({ ".tools/approves.tool": judge });
      const kept = `${bench.folder}-kept`;
      try {
        for (const { words, stdin } of verb.before) await bench.run(words, stdin === undefined ? {} : { stdin });
        cpSync(bench.folder, kept, { recursive: true });
        const restore = (): void => {
          for (const name of readdirSync(bench.folder)) rmSync(join(bench.folder, name), { recursive: true });
          cpSync(kept, bench.folder, { recursive: true, preserveTimestamps: true });
        };
        const points = await pointsOf(bench, verb);
        const written = verb.file === undefined ? undefined : readFileSync(join(bench.folder, verb.file), "utf8");
        const wrong: string[] = [];
        let killed = 0;
        let tried = 0;
        const sample = sampleOf(points, 16, offset);
        // A call may come in another thread this time, and then nothing is killed: others follow until one is.
        for (const point of [...sample, ...points]) {
          if (++tried > sample.length && killed > 0) break;
          restore();
          if (await isKilledAt(point, bench, verb)) killed++;
          const said = await whatIsWrong(bench, verb, written);
          if (said !== "") wrong.push(`${point.call} ${point.ordinal}: ${said}`);
        }
        assert.equal(wrong, []);
        assert.ok(killed > 0);
      } finally {
        rmSync(kept, { recursive: true, force: true });
      }
    });

interface Traced {
  readonly signalName: string | null;
  readonly lines: readonly string[];
}

async function traced(words: readonly string[], bench: TestProject, { command }: Verb): Promise<Traced> {
  const log = join(`${bench.folder}-trace`);
  bench.trust();
  const { program } = bench;
  // strace must not inherit what the program's environment has, but starts the program with it.
  const child = spawn("strace", ["-f", "-o", log, ...words, program.command, ...program.words, ...command.words], {
    cwd: bench.folder,
    env: { ...program.environment, UV_THREADPOOL_SIZE: "1" },
    stdio: ["pipe", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  child.stdin.on("error", () => undefined);
  child.stdin.end(command.stdin ?? "");
  const signalName = await new Promise<string | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (_code, signal) => resolve(signal));
  });
  if (/PTRACE|not permitted/i.test(errors)) return leaveOut("strace may not trace here");
  const lines = readFileSync(log, "utf8").split("\n");
  rmSync(log);
  return { signalName, lines };
}

/** Each change below the folder, as strace counts it: by thread and call. */
async function pointsOf(bench: TestProject, verb: Verb): Promise<readonly Point[]> {
  const { lines } = await traced(["-y", "-e", `trace=${CHANGES}`], bench, verb);
  const counts = new Map<string, number>();
  const points = new Map<string, Point>();
  for (const line of lines) {
    const [, thread, call = ""] = /^(\d+)\s+(\w+)\(/.exec(line) ?? [];
    if (thread === undefined) continue;
    const ordinal = (counts.get(`${thread} ${call}`) ?? 0) + 1;
    counts.set(`${thread} ${call}`, ordinal);
    if (line.includes(bench.folder)) points.set(`${call} ${ordinal}`, { call, ordinal });
  }
  assert.ok(points.size > 1);
  return [...points.values()];
}

async function isKilledAt({ call, ordinal }: Point, bench: TestProject, verb: Verb): Promise<boolean> {
  const rules = ["-e", `trace=${call}`, "-e", `inject=${call}:signal=KILL:when=${ordinal}`];
  return (await traced(rules, bench, verb)).signalName === "SIGKILL";
}

async function whatIsWrong(bench: TestProject, verb: Verb, written: string | undefined): Promise<string> {
  const state = await stateOf(bench);
  if (!verb.states.includes(state)) return `the tools are ${state}`;
  const path = verb.file === undefined ? undefined : join(bench.folder, verb.file);
  const isWritten = path !== undefined && existsSync(path);
  if (isWritten && readFileSync(path, "utf8").replace(TIME, "") !== written?.replace(TIME, ""))
    return `${verb.file} is not whole`;
  const { words, stdin } = verb.command;
  const again = await bench.run(words, stdin === undefined ? {} : { stdin });
  // What is kept is a person's, and the rest of it is taken back by hand.
  if (verb.name === "keep" && isWritten) await bench.run(["forge", "revoke", "add"]);
  const isDone = state === verb.last || (verb.name === "keep" && isWritten);
  if (again.exitCode !== 0 && !isDone) return `again: ${again.stdout}${again.stderr}`;
  const last = await stateOf(bench);
  // A session that was killed leaves its tool, which a person can keep.
  // What was done already is done once more, with more uses.
  if (isDone && !/^\d/.test(last)) return "";
  return last === verb.last || last.split(", ").includes(verb.last) ? "" : `the tools are ${last} in the end`;
}

const TIME = /"\w+At": "[^"]*"/g;

async function stateOf(bench: TestProject): Promise<string> {
  const { stdout, stderr, exitCode } = await bench.run(["forge", "list", "--json"]);
  if (exitCode !== 0 || stderr !== "") return `${exitCode} ${stderr}`;
  const { tools } = JSON.parse(stdout) as { readonly tools: readonly ForgedRecord[] };
  return tools
    .map(({ name, tier, state, uses }) => `${name} ${tier} ${state} ${uses.succeeded}/${uses.failed}`)
    .sort()
    .join(", ");
}

test.run();
