// A call of a tool with steps is killed at random places, again and again, until it has ended: after each kill its
// record can be read, no step that was stored runs again, and a step that must not run twice never does by itself. A
// kill follows a line of the log, so that a busy machine does not have it before the first step.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { amount, seed } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";
import { whenGone } from "./runs-fixture.ts";

const test = suite("cli runs killed");

/** The kills of one test, and the number of tests: each has a limit of time. */
const KILLS = 10;
const TESTS = amount(1, 20);
const LINES_MAX = 3;
const LOOK_MS = 5;
/** Less than a step takes, so that most kills are within one. */
const DELAY_MS_MAX = 60;
/** How many kills come before the first line, perhaps before there is a record. */
const EARLY = 0.1;
const EARLY_MS_MAX = 400;
const NAMES = ["a", "b", "c", "pay", "d", "e"];

const stepText = (name: string): string =>
  `@step ${name} sh${name === "pay" ? " [once]" : ""}\n    echo +${name} >> log; sleep 0.05; echo -${name} >> log; echo ${name}\n`;
const definition = `Deploys.\n\n@name deploy\n@title Deploy\n${NAMES.map(stepText).join("")}`;

/** Returns numbers from 0 to 1, the same for the same seed. */
function numbersFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Attempt {
  readonly isKilled: boolean;
  readonly errors: string;
}

interface Kill {
  /** After so many more lines of the log. */
  readonly lines: number;
  readonly delayMs: number;
}

/** Runs the words, and kills the program at this place if it has not ended. */
async function attempt(bench: TestProject, words: readonly string[], kill: Kill | undefined): Promise<Attempt> {
  const lines = (): number => readFileSync(join(bench.folder, "log"), "utf8").split("\n").length;
  const linesAtKill = lines() + (kill?.lines ?? 0);
  const { command, words: program, environment } = bench.program;
  const child = spawn(command, [...program, ...words], {
    cwd: bench.folder,
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  // Not "close": a step that has just begun may outlive the program, with its standard error.
  const ended = new Promise<boolean>((resolve) => child.on("exit", (_code, signal) => resolve(signal === "SIGKILL")));
  let isOver = false;
  const killed = (async () => {
    while (kill && !isOver && lines() < linesAtKill) await sleep(LOOK_MS);
    await sleep(kill?.delayMs ?? 0);
    if (kill && !isOver) child.kill("SIGKILL");
  })();
  const isKilled = await ended;
  isOver = true;
  await killed;
  if (child.pid !== undefined) await whenGone(child.pid);
  return { isKilled, errors };
}

interface Known {
  readonly id: string | undefined;
  /** How often each step had begun whose end is stored. */
  readonly ended: ReadonlyMap<string, number>;
}

for (let number = 1; number <= TESTS; number++)
  test(`after each of ${KILLS} kills a run can be read and goes on, and no stored step runs again (${number}, seed ${seed})`, async () => {
    if ("Deno" in globalThis) return;
    const random = numbersFrom(seed + number);
    let kills = 0;
    while (kills < KILLS) {
      using bench = testProject({ ".tools/deploy.tool": definition, log: "" });
      bench.trust();
      const log = (): readonly string[] => readFileSync(join(bench.folder, "log"), "utf8").split("\n");
      const begun = (name: string): number => log().filter((line) => line === `+${name}`).length;
      const look = async (): Promise<Known> => {
        const { stdout, stderr, exitCode } = await bench.run(["runs", "--json"]);
        assert.equal([stderr, exitCode], ["", 0]);
        const [run] = (JSON.parse(stdout) as { readonly runs: readonly { readonly id: string }[] }).runs;
        if (!run) return { id: undefined, ended: new Map() };
        const shown = await bench.run(["runs", "show", run.id]);
        assert.equal([shown.stderr, shown.exitCode], ["", 0]);
        const names = [...shown.stdout.matchAll(/(\w+) ended/g)].map(([, name = ""]) => name);
        return { id: run.id, ended: new Map(names.map((name) => [name, begun(name)])) };
      };
      let words: readonly string[] = ["deploy"];
      let before: Known = { id: undefined, ended: new Map() };
      for (let isDone = false; !isDone; ) {
        const paid = begun("pay");
        // A step that another one followed had ended, whatever `runs show` makes of the record.
        const done = NAMES.filter((_one, index) => NAMES.slice(index + 1).some((later) => begun(later) > 0));
        const counts = words.length === 3 ? done.map((name) => [name, begun(name)] as const) : [];
        const isEarly = random() < EARLY;
        const lines = isEarly ? 0 : log().includes("-c") && paid === 0 ? 1 : Math.ceil(random() * LINES_MAX);
        const delayMs = Math.floor(random() * (isEarly ? EARLY_MS_MAX : DELAY_MS_MAX));
        const { isKilled, errors } = await attempt(bench, words, kills < KILLS ? { lines, delayMs } : undefined);
        if (isKilled) kills++;
        if (words.at(-1) !== "pay") assert.ok(begun("pay") <= Math.max(paid, 1), `it paid twice, seed ${seed}`);
        for (const [name, count] of [...before.ended, ...counts])
          assert.is(begun(name), count, `\`${name}\` ran again, seed ${seed}`);
        const after = await look();
        const { id } = after;
        isDone = id === undefined && log().includes("-e");
        const isUnknown = errors.includes("must not run twice");
        // Its beginning is stored before it begins, so a kill between the two leaves it unknown as well.
        if (isUnknown) assert.equal([begun("pay"), after.ended.has("pay")], [paid, false]);
        if (isUnknown) words = ["runs", "resume", id ?? "", "--from", random() < 0.5 ? "pay" : "d"];
        else words = id === undefined ? ["deploy"] : ["runs", "resume", id];
        // Without a record nothing had been stored, and the call begins anew.
        before = after;
      }
    }
    assert.is(kills, KILLS);
  });

test.run();
