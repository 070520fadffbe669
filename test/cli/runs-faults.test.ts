// Runs that go on after what nobody wants: a full disk, a reboot, a changed approval, a secret in the arguments.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandLine } from "../../src/core/base/quote.ts";
import { runOnFullDisk } from "../full-disk.ts";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";
import { startSlow, STATE, storedRuns, whenGone, withRuns } from "./runs-fixture.ts";

const all = suite("cli runs faults");
/** Left out in Deno, where the program that detaches a call does not end before the call. */
const test: typeof all = "Deno" in globalThis ? Object.assign(() => undefined, all) : all;

async function withTool(
  lines: string,
  body: (bench: TestProject) => Promise<void>,
  files: Readonly<Record<string, string>> = {},
): Promise<void> {
  using bench = testProject({ ".tools/deploy.tool": `Deploys.\n\n@name deploy\n@title Deploy\n${lines}`, ...files });
  bench.trust();
  await body(bench);
}

const state = async (bench: TestProject): Promise<unknown> =>
  JSON.parse((await bench.run(["runs", "--json"])).stdout).runs.map((run: { state: string }) => run.state);

test("a run that cannot be stored does not go on, and goes on later", () =>
  withTool("@step a sh\n    echo a >> log\n@step b sh\n    echo b >> log; test -e ok\n", async (bench) => {
    assert.is((await bench.run(["deploy"])).exitCode, 1);
    const { stdout, stderr, exitCode } = runOnFullDisk(bench, ["runs", "resume", "last"]);
    assert.equal([stdout, exitCode], ["", 1]);
    assert.match(stderr, /^failed\[file\]: cannot write `.*`: it is too large\n {2}= set XDG_STATE_HOME/);
    assert.equal(await state(bench), ["failed"]);
    writeFileSync(join(bench.folder, "ok"), "");
    assert.is((await bench.run(["runs", "resume", "last"])).exitCode, 0);
    assert.is(readFileSync(join(bench.folder, "log"), "utf8"), "a\nb\nb\n");
  }));

test("on a disk that becomes full, a resumed run says so, and a step that must not run twice does not begin", () =>
  withTool("@step a sh\n    test -e ok && seq 1 10000\n@step pay sh [once]\n    echo paid >> log\n", async (bench) => {
    await bench.run(["--detach", "deploy"]);
    await bench.run(["runs", "wait", "last"]);
    assert.equal(await state(bench), ["failed"]);
    writeFileSync(join(bench.folder, "ok"), "");
    const { stderr, exitCode } = runOnFullDisk(bench, ["runs", "resume", "last"], { blocks: 40 });
    assert.match(stderr, /finished steps are not stored, so the call cannot be resumed \(EFBIG\)/);
    assert.match(stderr, /`pay` must not run twice, so it does not begin before that is stored/);
    assert.equal([exitCode, existsSync(join(bench.folder, "log")), await state(bench)], [1, false, ["failed"]]);
    assert.is((await bench.run(["runs", "resume", "last"])).exitCode, 0);
    assert.is(readFileSync(join(bench.folder, "log"), "utf8"), "paid\n");
  }));

test("after a reboot, a run is lost, also if a process has the number that its process had", () =>
  withRuns(async (bench) => {
    const id = await startSlow(bench, "a");
    const lock = join(bench.folder, STATE, "runs", id, "lock");
    const held = JSON.parse(readFileSync(lock, "utf8")) as { readonly processId: number };
    process.kill(held.processId, "SIGKILL");
    await whenGone(held.processId);
    writeFileSync(lock, JSON.stringify({ ...held, processId: process.pid, boot: "before" }));
    // A machine takes longer than that to start again.
    utimesSync(lock, new Date(), new Date(Date.now() - 30_000));
    assert.equal(await state(bench), ["lost"]);
    assert.match((await bench.run(["runs", "show", id])).stdout, /state +lost: it ended without a result/);
    // A program that is killed in its first 25 ms leaves its command behind.
    writeFileSync(join(bench.folder, "go"), "");
    spawnSync("kill", [readFileSync(join(bench.folder, "child"), "utf8").trim()]);
  }));

/** Runs the program at a terminal, and types an answer each time that it asks. */
function atTerminal(bench: TestProject, words: readonly string[], answers: readonly string[] = []): Promise<string> {
  bench.trust();
  const { command, words: program, environment } = bench.program;
  const line = `stty cols 200 -echo; ${commandLine([command, ...program, ...words])}`;
  const left = [...answers];
  return new Promise((resolve, reject) => {
    const child = spawn("script", ["-qec", line, "/dev/null"], {
      cwd: bench.folder,
      env: { ...environment, SHELL: "/bin/bash", TERM: "dumb" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      const asked = (given: string): number => given.split("[N]o ").length;
      if (asked(text + part) > asked(text)) child.stdin.write(`${left.shift() ?? "n"}\n`);
      text += part;
    });
    child.on("error", reject).on("close", () => resolve(text.replaceAll("\r", "")));
  });
}

if (spawnSync("script", ["-V"]).status === 0) {
  test("the line that says how to go on has no secret, and neither has the store", () =>
    withTool(
      "@param token {string} [required, secret] A token\n@step a sh\n    true\n@step b sh\n    test {token} = no\n",
      async (bench) => {
        const said = await atTerminal(bench, ["deploy", "--token", "f00dcafe77"]);
        const [id = ""] = storedRuns(bench);
        assert.match(said, `= \`dottool runs resume ${id} token=…\` goes on where it ended`);
        assert.not.match(said, /f00dcafe77/);
        const found = spawnSync("grep", ["-r", "f00dcafe77", join(bench.folder, STATE)], { encoding: "utf8" });
        assert.is(found.stdout, "");
      },
    ));

  test("what was approved is not asked again; a changed call is, and that it changed is named", () =>
    withTool(
      "@step a sh\n    true\n@step b sh\n    test -e ok\n",
      async (bench) => {
        assert.match(await atTerminal(bench, ["deploy"], ["y"]), /run it\?/);
        assert.not.match(await atTerminal(bench, ["runs", "resume", "last"]), /run it\?/);
        bench.write(
          ".tools/deploy.tool",
          "Deploys.\n\n@name deploy\n@title Deploy\n@step a sh\n    true\n@step b sh\n    echo changed\n",
        );
        const said = await atTerminal(bench, ["runs", "resume", "last"], ["y", "n"]);
        assert.match(said, /go on with what it is now\?/);
        assert.match(said, /changed +│ when the run began, other values or another content of the tool were approved/);
        const unasked = await bench.run(["runs", "resume", "last"]);
        assert.is(unasked.exitCode, 77);
        assert.match(unasked.stderr, /when the run began, other values or another content of the tool were approved\n/);
        assert.match(await atTerminal(bench, ["runs", "resume", "last"], ["y"]), /changed\n$/);
      },
      { "home/.config/dottool/config.yaml": "policy:\n  - {decision: ask, tool: deploy, reason: it ships}\n" },
    ));
}

all.run();
