// The small program that starts the processes of one that starts many: a batch gets the same results by it, and nothing
// survives when either of the two is killed.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { assert, suite } from "../harness.ts";
import { openPackaged, processesWith } from "./packaged-program.ts";

const test = suite("starter");
const program = openPackaged(["sh", "cat", "tr", "sleep", "setsid"]);
process.on("exit", () => program.remove());

/** As no other test sleeps. */
const SLEEP = `98${process.pid}.5`;

/** Says who started it, and with `stay` it stays, with a process in a session of its own. */
program.write(
  ".tools/who.tool",
  `Who.

@title Who
@name who
@wrapped run_command
@command tr '\\0' ' ' < /proc/$PPID/cmdline; case {word} in stay) setsid sh -c 'echo > stays; exec sleep ${SLEEP}' & sleep 1000;; fail) exit 7;; die) kill -KILL $$;; esac; printf %s {word}
@shell sh
@param word {string} [required] Word
@tags run
`,
);

interface Batch {
  readonly child: ChildProcess;
  /** Sends a line, and returns its result. */
  ask(word: string): Promise<string>;
  send(word: string): void;
  next(): Promise<string>;
}

/** Gives a batch that has its starter. */
async function withBatch(body: (batch: Batch) => Promise<void>): Promise<void> {
  const batch = await startBatch();
  try {
    await body(batch);
  } finally {
    batch.child.kill("SIGKILL");
  }
}

async function startBatch(): Promise<Batch> {
  const child = spawn(program.file, ["batch", "who"], {
    cwd: program.folder,
    env: { PATH: program.programs, HOME: join(program.state, "../..") },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const results: string[] = [];
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    const lines = (text += part).split("\n");
    text = lines.pop() ?? "";
    results.push(...lines);
  });
  const send = (word: string): void => void child.stdin.write(`${word}\n`);
  const next = async (): Promise<string> => {
    for (;;) {
      const result = results.shift();
      if (result !== undefined) return result;
      await delay(5);
    }
  };
  const ask = (word: string): Promise<string> => {
    send(word);
    return next();
  };
  while (!(await ask("a")).includes("__starts"));
  return { child, ask, send, next };
}

const shown = (result: string): string => {
  const { status, exitCode, content, failure } = JSON.parse(result) as Record<string, never>;
  return JSON.stringify({ status, exitCode, content, failure }).replaceAll(/[^"]*__starts [^ ]* ?/g, "");
};

const starters = (): readonly number[] => processesWith(`__starts\0${program.file}`);

async function whenNone(find: () => readonly number[]): Promise<void> {
  while (find().length > 0) await delay(10);
}

const isLinux = process.platform === "linux" && !("Deno" in globalThis);

if (isLinux)
  test("the results are those of processes that the program starts itself, and it ends with the batch", () =>
    withBatch(async ({ child, ask }) => {
      const alone = (word: string): string =>
        program.shell(`echo ${word} | dottool batch who`).stdout.replaceAll(/[^"]*dottool batch who ?/g, "");
      for (const word of ["a", "b c", "fail", "die"]) assert.is(shown(await ask(word)), shown(alone(word)));
      assert.is(starters().length, 1);
      child.stdin?.end();
      await once(child, "close");
      await whenNone(starters);
    }));

if (isLinux)
  test("when the batch is killed, its processes are ended, and so is the starter", () =>
    withBatch(async ({ child, send }) => {
      send("stay");
      while (!existsSync(join(program.folder, "stays"))) await delay(10);
      program.drop("stays");
      const sleepers = (): readonly number[] => processesWith(`sleep\0${SLEEP}`);
      assert.is(sleepers().length, 1);
      child.kill("SIGKILL");
      await whenNone(sleepers);
      await whenNone(starters);
    }));

if (isLinux)
  test("when the starter is killed, its processes are ended, and the batch goes on with another one", () =>
    withBatch(async ({ child, ask, send, next }) => {
      send("stay");
      while (!existsSync(join(program.folder, "stays"))) await delay(10);
      program.drop("stays");
      for (const id of starters()) process.kill(id, "SIGKILL");
      assert.match(await next(), /"status":"failed","exitCode":137/);
      await whenNone(() => processesWith(`sleep\0${SLEEP}`));
      const { content } = JSON.parse(await ask("b")) as { readonly content: readonly { readonly text: string }[] };
      assert.match(content[0]?.text ?? "", / __starts .* b$/);
      child.stdin?.end();
      assert.equal(await once(child, "close"), [1, null]);
    }));

if (isLinux)
  test("a call that kills its parent fails alone, from the first one on, and those beside it go on", () => {
    program.write(
      ".tools/poison.tool",
      "Poison.\n\n@title Poison\n@name poison\n@wrapped run_command\n@shell sh\n@command if [ {word} = bad ]; then sleep 0.3; kill -9 $PPID; sleep 1; else sleep 0.6; fi; printf %s {word}\n@param word {string} [required] Word\n@tags run\n",
    );
    const lines = ["bad", "a", "b", "c", "bad", "bad", "d", "e"].join("\\n");
    const { stdout, exitCode } = program.shell(`printf '${lines}\\n' | dottool batch --parallel 4 --in-order poison`);
    const results = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.equal(
      results.map(({ line, status }) => `${line} ${status}`),
      ["1 failed", "2 ok", "3 ok", "4 ok", "5 failed", "6 failed", "7 ok", "8 ok"],
    );
    assert.is(exitCode, 1);
  });

if (isLinux)
  test("Ctrl-C ends a call of the starter, and what it has left behind", () =>
    withBatch(async ({ child, send, next }) => {
      send("stay");
      while (!existsSync(join(program.folder, "stays"))) await delay(10);
      child.kill("SIGINT");
      assert.match(await next(), /"kind":"cancelled"/);
      assert.equal(await once(child, "close"), [130, null]);
      assert.equal([processesWith(`sleep\0${SLEEP}`), readFileSync(join(program.folder, "stays"), "utf8")], [[], "\n"]);
      await whenNone(starters);
    }));

test.run();
