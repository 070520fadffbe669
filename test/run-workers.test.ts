import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { assert, suite } from "./harness.ts";
import { type FileOutcome, testFolder } from "./run-file.ts";
import { runInWorkers } from "./run-workers.ts";

const test = suite("runInWorkers");
const uvu = import.meta.resolve("uvu");

const bodies = {
  good: `test("is good", () => console.log("said by good"));`,
  bad: `test("is bad", () => { throw new Error("bad"); });`,
  ender: `test("ends", () => { console.log("said by ender"); process.exit(3); });`,
};

/** Runs files with these bodies. `goesOn` is the result of `onOutcome`. */
async function outcomesOf(
  names: readonly (keyof typeof bodies)[],
  goesOn: (outcome: FileOutcome) => boolean,
): Promise<readonly unknown[]> {
  const folder = mkdtempSync(join(tmpdir(), "dottool-run-workers-"));
  const seen: unknown[] = [];
  try {
    const files = names.map((name, index) => {
      const file = join(folder, `${index}-${name}.test.ts`);
      writeFileSync(
        file,
        `import process from "node:process";\nimport { suite } from ${JSON.stringify(uvu)};\nconst test = suite("one");\n${bodies[name]}\ntest.run();\n`,
      );
      return relative(testFolder, file);
    });
    await runInWorkers(files, {
      count: 1,
      onOutcome: (outcome, printed) => {
        const { file, passed, failed, failures } = outcome;
        seen.push({
          name: /-(\w+)\.test/.exec(file)?.[1],
          passed,
          failed,
          reason: /ended before.*/.exec(failures.join())?.[0],
          said: /said by \w+/g.exec(printed)?.[0],
        });
        return goesOn(outcome);
      },
    });
    return seen;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const good = { name: "good", passed: 1, failed: 0, reason: undefined, said: "said by good" };
const bad = { name: "bad", passed: 0, failed: 1, reason: undefined, said: undefined };

test("runInWorkers goes on behind a file that ends its process, and shows what each printed", async () => {
  const ender = {
    name: "ender",
    passed: 0,
    failed: 1,
    reason: "ended before its tests did (exit code 3)",
    said: "said by ender",
  };
  assert.equal(await outcomesOf(["good", "ender", "bad", "good"], () => true), [good, ender, bad, good]);
});

test("runInWorkers hands no more out when it is told so", async () => {
  assert.equal(await outcomesOf(["good", "bad", "good"], ({ failed }) => failed === 0), [good, bad]);
});

test.run();
