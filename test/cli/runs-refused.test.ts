// Calls that cannot be detached, runs that cannot be read, and words that `dottool runs` does not take: each is said,
// and nothing is left behind.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandLine } from "../../src/core/base/quote.ts";
import { assertGolden } from "../golden.ts";
import { runOnFullDisk } from "../full-disk.ts";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";
import { startSlow, STATE, storedRuns, whenThere, withoutIds, withRuns } from "./runs-fixture.ts";

const all = suite("cli runs refused");
/** Left out in Deno, where the program that detaches a call does not end before the call. */
const test: typeof all = "Deno" in globalThis ? Object.assign(() => undefined, all) : all;

test("what cannot be used is said", () =>
  withRuns(async (bench) => {
    const lines: string[] = [];
    for (const words of [
      ["runs"],
      ["runs", "shwo"],
      ["runs", "logs", "last"],
      ["runs", "stop", "last"],
      ["runs", "show"],
      ["runs", "show", "last"],
      ["runs", "show", "20260101-000000-000000"],
      ["runs", "show", "../../x"],
      ["runs", "list", "more"],
      ["runs", "wait", "x", "y"],
      ["runs", "follow", "x", "--older-than", "1d"],
      ["runs", "prune", "--older-than", "soon"],
      ["runs", "prune", "x"],
      ["--detach", "list"],
      ["--detach", "--trace", "t.json", "slow", "a"],
      ["--detach", "slow"],
      ["--detach", "nothing"],
    ]) {
      const { stdout, stderr, exitCode } = await bench.here(words);
      lines.push(`$ dottool ${words.join(" ")}\n${stdout}${stderr}exit code ${exitCode}\n`);
    }
    assertGolden("cli/golden/runs-refused.txt", lines.join("\n"));
    assert.equal(storedRuns(bench), []);
  }));

test("a damaged or missing record is said, is listed among none, and can be pruned", () =>
  withRuns(async (bench) => {
    const id = await startSlow(bench, "a");
    writeFileSync(join(bench.folder, "go"), "");
    await bench.run(["runs", "wait", id]);
    writeFileSync(join(bench.folder, STATE, "runs", id, "run.json"), "half a rec");
    assert.equal(withoutIds(await bench.run(["runs"])), {
      stdout: "",
      stderr:
        "warning[runs]: `<bench>/home/.local/state/dottool/runs/<id>/run.json` is damaged: its content does not match its checksum\nthere are no runs; `dottool --detach NAME` starts one\n",
      exitCode: 0,
    });
    assert.is((await bench.run(["runs", "show", id])).exitCode, 1);
    rmSync(join(bench.folder, STATE, "runs", id, "run.json"));
    assert.match(
      withoutIds(await bench.run(["runs", "show", id])).stderr,
      /^failed\[runs\]: `[^`]*\/run.json` is missing\n {2}= `dottool runs prune <id>` removes the run\n$/,
    );
    assert.is((await bench.run(["runs", "prune", id])).stdout, "removed 1 run\n");
  }));

test("a run that was killed before its record was stored is no run: `last` and the list pass over it", () =>
  withRuns(async (bench) => {
    const id = await startSlow(bench, "a");
    writeFileSync(join(bench.folder, "go"), "");
    await bench.run(["runs", "wait", id]);
    mkdirSync(join(bench.folder, STATE, "runs", `${id.slice(0, -6)}ffffff`));
    assert.match((await bench.run(["runs", "show", "last"])).stdout, new RegExp(`^${id}\\n`));
    const { stdout, stderr } = await bench.run(["runs"]);
    assert.equal([stdout.trim().split("\n").length, stderr], [2, ""]);
    assert.is((await bench.run(["runs", "prune"])).stdout, "removed 2 runs\n");
    assert.match((await bench.run(["runs", "resume", "last"])).stderr, /^failed\[runs\]: there are no runs\n/);
  }));

test("a call that a rule asks about is denied before it is detached, where nobody can be asked", async () => {
  const rules = "policy:\n  - {decision: ask, tool: slow, reason: it is slow}\n";
  await withRuns(
    async (bench) => {
      const { stdout, stderr, exitCode } = await bench.run(["--detach", "slow", "a"]);
      assert.equal([stdout, exitCode, storedRuns(bench)], ["", 77, []]);
      assert.match(stderr, /^failed\[denied\]: /);
    },
    { "home/.config/dottool/config.yaml": rules },
  );
});

if (!("Deno" in globalThis) && spawnSync("script", ["-V"]).status === 0)
  test("a person is asked before the call is detached, and not again", async () => {
    const rules = "policy:\n  - {decision: ask, tool: slow, reason: it is slow}\n";
    await withRuns(
      async (bench) => {
        const said = await answered(bench, ["--detach", "slow", "a"], "y\n");
        assert.match(said, /run it\? /);
        await whenThere(join(bench.folder, "child"));
        writeFileSync(join(bench.folder, "go"), "");
        assert.is((await bench.run(["runs", "wait", "last"])).exitCode, 3);
      },
      { "home/.config/dottool/config.yaml": rules },
    );
  });

/** Runs the program at a terminal, and types the answer when it asks. */
function answered(bench: TestProject, words: readonly string[], answer: string): Promise<string> {
  bench.trust();
  const { command, words: program, environment } = bench.program;
  const line = `stty cols 80 -echo; ${commandLine([command, ...program, ...words])}`;
  return new Promise((resolve, reject) => {
    const child = spawn("script", ["-qec", line, "/dev/null"], {
      cwd: bench.folder,
      env: { ...environment, SHELL: "/bin/bash", TERM: "dumb" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      if (!text.includes("[N]o ") && (text + part).includes("[N]o ")) child.stdin.write(answer);
      text += part;
    });
    child.on("error", reject).on("close", () => resolve(text));
  });
}

test("a tool cannot detach a call", () =>
  withRuns(async (bench) => {
    const { stderr, exitCode } = await bench.run(["--detach", "slow", "a"], {
      environment: { DOTTOOL_RUN_ID: "0123456789abcdef0123456789abcdef" },
    });
    assert.equal([exitCode, existsSync(join(bench.folder, "child")), storedRuns(bench)], [77, false, []]);
    assert.match(stderr, /^failed\[denied\]: a tool cannot detach a call/);
  }));

test("a call whose run cannot be stored is not made", () => {
  using bench = testProject({
    ".tools/say.tool": "Say.\n\n@name say\n@wrapped run_command\n@shell sh\n@command touch made\n",
  });
  bench.trust();
  const run = runOnFullDisk(bench, ["--detach", "say"]);
  assert.equal([run.stdout, run.exitCode, storedRuns(bench)], ["", 1, []]);
  assert.match(run.stderr, /^failed\[runs\]: the run cannot be stored: /m);
  assert.not.ok(existsSync(join(bench.folder, "made")));
});

test("the output and the result of the detached process are its own files, not those of the caller", () =>
  withRuns(async (bench) => {
    const id = await startSlow(bench, "a");
    writeFileSync(join(bench.folder, "go"), "");
    const followed = await bench.run(["runs", "follow", id, "--json"]);
    const lines = followed.stdout.trim().split("\n");
    assert.equal(
      lines.slice(0, -1).map((line) => JSON.parse(line) as unknown),
      [
        { stream: "stdout", text: "begin a\n" },
        { stream: "stderr", text: "end a\n" },
      ],
    );
    assert.is(readFileSync(join(bench.folder, STATE, "runs", id, "stdout"), "utf8"), "begin a\n");
  }));

all.run();
