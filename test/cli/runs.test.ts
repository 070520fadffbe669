// `dottool --detach` and `dottool runs`: the program as a person uses it, and the process that goes on.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assertGolden } from "../golden.ts";
import { assert, suite } from "../harness.ts";
import { childOf, isAlive, startSlow, STATE, storedRuns, whenGone, withoutIds, withRuns } from "./runs-fixture.ts";

const all = suite("cli runs");
/** Left out in Deno, where the program that detaches a call does not end before the call. */
const test: typeof all = "Deno" in globalThis ? Object.assign(() => undefined, all) : all;

test("a detached call goes on, and its run has its output, its exit code and no secret", () =>
  withRuns(async (bench) => {
    const id = await startSlow(bench, "hello", "--token", "f00dcafe77");
    const running = withoutIds(await bench.run(["runs", "show", id]));
    writeFileSync(join(bench.folder, "go"), "");
    assert.equal(await bench.run(["runs", "follow", id]), {
      stdout: "begin hello\n",
      stderr: "end hello •••\n",
      exitCode: 3,
    });
    assert.equal(await bench.run(["runs", "wait", id]), { stdout: "", stderr: "", exitCode: 3 });
    const shown = await Promise.all(
      [["runs"], ["runs", "show", "last"], ["runs", "show", id, "--json"]].map((words) => bench.run(words)),
    );
    assertGolden("cli/golden/runs.txt", [running, ...shown].map((run) => withoutIds(run).stdout).join("----\n"));
    const folder = join(bench.folder, STATE, "runs", id);
    for (const file of ["run.json", "end.json", "stdout", "stderr"]) {
      assert.not.match(readFileSync(join(folder, file), "utf8"), /f00dcafe77/);
      assert.is(statSync(join(folder, file)).mode & 0o777, 0o600);
    }
    assert.is(statSync(folder).mode & 0o777, 0o700);
  }));

test("runs cancel ends a run with all its processes", () =>
  withRuns(async (bench) => {
    const id = await startSlow(bench, "a");
    assert.equal(await bench.run(["runs", "cancel", id]), { stdout: `${id} was cancelled\n`, stderr: "", exitCode: 0 });
    assert.not.ok(isAlive(childOf(bench)));
    assert.is((await bench.run(["runs", "wait", id])).exitCode, 130);
    assert.equal(withoutIds(await bench.run(["runs", "cancel", id])), {
      stdout: "",
      stderr: "failed[runs]: `<id>` has ended already: cancelled\n  = `dottool runs show <id>`\n",
      exitCode: 1,
    });
  }));

test("the beginning or the end of an id is enough, and an id alone is shown", () =>
  withRuns(async (bench) => {
    const ids = [await startSlow(bench, "a"), await startSlow(bench, "b")].toSorted();
    const [first = "", second = ""] = ids;
    const shown = async (...words: readonly string[]): Promise<string> =>
      (await bench.run(["runs", ...words])).stdout.split("\n")[0] ?? "";
    assert.equal(
      [await shown(first), await shown("show", first.slice(-6)), await shown("show", second.slice(0, -1))],
      [first, first, second],
    );
    assert.match(await shown("last"), /^\d{8}-\d{6}-/);
    const { stderr, exitCode } = await bench.run(["runs", "cancel", first.slice(0, 6)]);
    assert.is(exitCode, 66);
    assert.match(stderr, /^failed\[runs\]: `\d{6}` is the beginning or the end of 2 ids: `.*`, `.*`\n/);
    for (const id of ids) assert.is((await bench.run(["runs", "cancel", id.slice(-6)])).exitCode, 0);
  }));

test("a run whose process was killed is lost, and nothing of it is left running", () =>
  withRuns(async (bench) => {
    const id = await startSlow(bench, "a");
    const { processId } = JSON.parse((await bench.run(["runs", "show", id, "--json"])).stdout) as {
      readonly processId: number;
    };
    process.kill(processId, "SIGKILL");
    assert.is((await bench.run(["runs", "wait", id])).exitCode, 137);
    assert.match((await bench.run(["runs", "show", id])).stdout, /lost: it ended without a result/);
    await whenGone(childOf(bench));
  }));

test("runs prune removes what has ended, and keeps what runs", () =>
  withRuns(async (bench) => {
    const id = await startSlow(bench, "a");
    assert.equal(await bench.run(["runs", "prune"]), { stdout: "removed 0 runs\n", stderr: "", exitCode: 0 });
    assert.equal(withoutIds(await bench.run(["runs", "prune", id])), {
      stdout: "removed 0 runs\n",
      stderr: "failed[runs]: `<id>` is running\n  = `dottool runs cancel ID` ends a run\n",
      exitCode: 1,
    });
    writeFileSync(join(bench.folder, "go"), "");
    await bench.run(["runs", "wait", id]);
    assert.is((await bench.run(["runs", "prune", "--older-than", "1d"])).stdout, "removed 0 runs\n");
    assert.is((await bench.run(["runs", "prune", "--older-than", "0s"])).stdout, "removed 1 run\n");
    assert.equal(storedRuns(bench), []);
  }));

all.run();
