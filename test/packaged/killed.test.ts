// Whatever moment a command that writes is ended at: after INT and TERM nothing of a write is left in the project, and
// what is left after KILL is gone once the command has run again.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { amount, seed } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { packagedFile } from "../run-variables.ts";

const test = suite("killed writers");

const KILLS = amount(4, 40);
const SIGNALS = ["SIGINT", "SIGTERM", "SIGKILL"] as const;
const crooked = "Greets.\n\n@name   greet\n@wrapped run_command\n@command  echo hello\n@tags   read\n";
const FILES = 30;

interface Writer {
  readonly words: readonly string[];
  /** Removes what it has written, so that it writes again. */
  reset(project: string): void;
  /** Its longest life from the first file on, on a quick machine. */
  readonly lifeMs: number;
}

const writers: Readonly<Record<string, Writer>> = {
  fmt: {
    words: ["fmt", ".tools"],
    reset: (project) => {
      for (let number = 0; number < FILES; number++)
        writeFileSync(join(project, ".tools", `greet${number}.tool`), crooked.replace("greet", `greet${number}`));
    },
    lifeMs: 400,
  },
  new: {
    words: ["new", "farewell"],
    reset: (project) => rmSync(join(project, ".tools", "farewell.tool"), { force: true }),
    lifeMs: 200,
  },
  bundle: {
    words: ["bundle", "-o", "ourtools"],
    reset: (project) => rmSync(join(project, "ourtools"), { force: true }),
    lifeMs: 1_000,
  },
};

/** Returns numbers from 0 to 1, the same for the same seed. */
function numbersFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function leftIn(project: string): readonly string[] {
  return readdirSync(project, { recursive: true, encoding: "utf8" }).filter((name) => name.includes(".dottool-"));
}

for (const [name, { words, reset, lifeMs }] of Object.entries(writers))
  test(`${name} leaves nothing of a write behind, ended ${KILLS} times by each signal (seed ${seed})`, async () => {
    const root = mkdtempSync(join(tmpdir(), "dottool-killed-"));
    const project = join(root, "project");
    mkdirSync(join(project, ".tools"), { recursive: true });
    writeFileSync(join(project, ".tools", "hello.tool"), crooked.replaceAll("greet", "hello"));
    const random = numbersFrom(seed);
    const run = async (by?: NodeJS.Signals): Promise<number | null> => {
      reset(project);
      const child = spawn(packagedFile, words, {
        cwd: project,
        env: { PATH: process.env["PATH"] ?? "", HOME: root },
        stdio: ["ignore", "ignore", "ignore"],
      });
      const ended = once(child, "exit") as Promise<[number | null]>;
      if (by) {
        await sleep(random() * lifeMs);
        child.kill(by);
      }
      return (await ended)[0];
    };
    try {
      for (let round = 0; round < KILLS; round++)
        for (const by of SIGNALS) {
          const before = leftIn(project);
          await run(by);
          const left = leftIn(project).filter((one) => by === "SIGKILL" || !before.includes(one));
          if (by === "SIGKILL") assert.ok(left.length <= 1, `${by}: ${left.join(" ")}`);
          else assert.equal(left, [], by);
        }
      assert.is(await run(), 0);
      assert.equal(leftIn(project), []);
      assert.ok(readFileSync(join(project, ".tools", "hello.tool"), "utf8").includes("@name"));
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });

test.run();
