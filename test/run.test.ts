import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { HANG_MS_MAX, isLong } from "./amount.ts";
import { assert, suite } from "./harness.ts";
import { inTurn, inTurnInDeno, isInTurn } from "./in-turn.ts";
import { leftToCi } from "./left-to-ci.ts";
import { program } from "./program.ts";
import { testFolder } from "./run-file.ts";
import { EXECUTABLE_VARIABLE, packagedFile, SEED_VARIABLE } from "./run-variables.ts";

const test = suite("run");
const runFile = fileURLToPath(new URL("run.ts", import.meta.url));
const isInner = "DOTTOOL_RUN_INNER" in process.env;

test("what run.ts was told reaches the files in its own process", () => {
  assert.is(isLong, SEED_VARIABLE in process.env);
  assert.is(program.command === packagedFile, EXECUTABLE_VARIABLE in process.env);
});

if (!isInner) {
  test("only files that exist are left to CI, and CI leaves out none", () => {
    const files = readdirSync(testFolder, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".test.ts"),
    );
    assert.equal(
      leftToCi.filter((part) => !files.some((file) => file.replaceAll("\\", "/").includes(part))),
      [],
    );
    assert.ok(leftToCi.length < files.length / 4);
    assert.match(readFileSync(join(testFolder, "../.ci/run"), "utf8"), /^export CI=true\b/m);
  });

  test("files that take turns exist, are long, and each has one of ten commits in a row", () => {
    const files = readdirSync(testFolder, { recursive: true, encoding: "utf8" }).map((file) =>
      file.replaceAll("\\", "/"),
    );
    assert.equal(
      inTurn.filter((file) => !files.includes(file)),
      [],
    );
    const commits = Array.from({ length: 10 }, (_, index) => (index + 7).toString(16).padStart(8, "0"));
    for (const list of [inTurn, inTurnInDeno])
      for (const file of list) {
        assert.ok(files.includes(file), file);
        assert.is(commits.filter((commit) => isInTurn(file, commit, list)).length, 1, file);
      }
    assert.ok(commits.every((commit) => isInTurn("run.test.ts", commit)));
  });

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
        timeout: HANG_MS_MAX,
      });
      assert.match(stdout, /^1 passed, 0 failed$/m);
      assert.is(stdout.includes(`seed: ${SEED_VARIABLE}=`), flag === "--long");
    });
  }
}

test.run();
