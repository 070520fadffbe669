import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { isLong } from "./amount.ts";
import { assert, suite } from "./harness.ts";
import { program } from "./program.ts";
import { EXECUTABLE_VARIABLE, packagedFile, SEED_VARIABLE } from "./run-variables.ts";

const test = suite("run");
const runFile = fileURLToPath(new URL("run.ts", import.meta.url));
const isInner = "DOTTOOL_RUN_INNER" in process.env;

test("what run.ts was told reaches the files in its own process", () => {
  assert.is(isLong, SEED_VARIABLE in process.env);
  assert.is(program.command === packagedFile, EXECUTABLE_VARIABLE in process.env);
});

if (!isInner) {
  for (const [flag, variable] of [
    ["--long", SEED_VARIABLE],
    ["--executable", EXECUTABLE_VARIABLE],
  ] as const) {
    test(`run.ts ${flag} sets ${variable} before it loads a test`, () => {
      const { [SEED_VARIABLE]: _seed, [EXECUTABLE_VARIABLE]: _executable, ...rest } = process.env;
      const words = [
        ...process.execArgv,
        ...(process.versions["deno"] === undefined ? [] : ["run", "-A"]),
        runFile,
        flag,
        "run.test",
      ];
      const { stdout } = spawnSync(process.execPath, words, {
        env: { ...rest, DOTTOOL_RUN_INNER: "" },
        encoding: "utf8",
        timeout: 60_000,
      });
      assert.match(stdout, /^1 passed, 0 failed$/m);
      assert.is(stdout.includes(`seed: ${SEED_VARIABLE}=`), flag === "--long");
    });
  }
}

test.run();
