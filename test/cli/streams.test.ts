// The program with pipes and signals: nothing lost, nothing left running, and the documented exit codes.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { type TestProject, testProject } from "../test-project.ts";
import { assertNothingLeft, killLeft, processesOf, send, signalled, until, withFixture } from "./stream-fixture.ts";

const test = suite("streams");

/** Deno itself does not start in a removed folder, and has its own words for full disks. */
const isDeno = "Deno" in globalThis;
/** Tests that are left out in Deno, which handles Ctrl-Z itself. */
const inNode: typeof test = isDeno ? Object.assign(() => undefined, { run: () => undefined }) : test;

function start({ program, folder }: TestProject, words: readonly string[]): ReturnType<typeof spawn> {
  return spawn(program.command, [...program.words, ...words], {
    cwd: folder,
    env: program.environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

test("each signal ends the whole tree, also what ignores TERM, without a word, and the exit code tells which it was", async () => {
  await Promise.all(
    (Object.keys(signalled) as (keyof typeof signalled)[]).map((signal) =>
      withFixture(async (bench) => {
        const child = start(bench, [
          "run_command",
          "--command",
          "trap '' TERM; echo started; (setsid sleep 61 &) ; sleep 60 & wait; sleep 60",
        ]);
        let errors = "";
        child.stderr?.on("data", (bytes: Buffer) => (errors += bytes.toString()));
        child.stdout?.once("data", () => send(child, signal));
        const [code, name] = await new Promise<[number | null, string | null]>((resolve) =>
          child.on("close", (...end) => resolve(end)),
        );
        assert.equal([code, name, errors], [signalled[signal], null, ""], signal);
        await assertNothingLeft(bench);
      }),
    ),
  );
});

inNode("Ctrl-Z stops the command too, and continuing goes on with both", async () => {
  if (!existsSync("/proc")) return;
  const [perl = ""] = needPrograms("perl");
  await withFixture(async (bench) => {
    // A process group below a parent of the same session, as a shell makes for each line, because Ctrl-Z needs one.
    const words = [
      "-e",
      'if (!($p = fork)) { setpgrp; exec @ARGV } print STDERR "$p\\n"; waitpid($p, 0); exit($? >> 8)',
      bench.program.command,
      ...bench.program.words,
    ];
    const child = spawn(
      perl,
      [...words, "run_command", "--command", "while [ ! -e done ]; do date +%s%N > time; sleep 0.02; done; echo ended"],
      { cwd: bench.folder, env: bench.program.environment, stdio: ["ignore", "pipe", "pipe"] },
    );
    try {
      const ended = new Promise((resolve) => child.once("close", resolve));
      let [output, pid] = ["", 0];
      child.stdout.on("data", (bytes: Buffer) => (output += bytes.toString()));
      child.stderr.on("data", (bytes: Buffer) => (pid ||= Number(bytes.toString())));
      await until(() => pid > 0 && existsSync(`${bench.folder}/time`));
      assert.ok(pid > 0);
      process.kill(pid, "SIGTSTP");
      const states = (): readonly string[] =>
        processesOf(bench)
          .filter((one) => one !== String(child.pid))
          .map((one) => /\) (\S)/.exec(statOf(one))?.[1] ?? "");
      // D is the state of a shell whose next command is stopped between `vfork` and `exec`, which blocks the shell too.
      const isHeld = (): boolean => states().includes("T") && states().every((state) => "TDZ".includes(state));
      await until(isHeld);
      assert.is(isHeld(), true, states().join(" "));
      process.kill(pid, "SIGCONT");
      bench.write("done", "");
      assert.equal([await ended, output], [0, "ended\n"]);
    } finally {
      for (const left of processesOf(bench)) killLeft(Number(left));
    }
  });
});

function statOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return "";
  }
}

inNode("a second SIGINT leaves no temporary folder", async () => {
  using bench = testProject({
    ".tools/slow.tool":
      "Waits.\n\n@name slow\n@step one sh\n    trap '' TERM INT\n    touch {TEMP_DIR}/file began\n    sleep 60\n    sleep 60\n",
  });
  bench.write("temporary/x", "");
  const environment = { ...bench.program.environment, TMPDIR: `${bench.folder}/temporary` };
  const child = start({ ...bench, program: { ...bench.program, environment } }, ["slow"]);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await until(() => existsSync(`${bench.folder}/began`));
  const again = setInterval(() => send(child, "SIGINT"), 50);
  const code = await ended;
  clearInterval(again);
  assert.equal([code, readdirSync(`${bench.folder}/temporary`)], [130, ["x"]]);
  await assertNothingLeft(bench);
});

test("a second SIGINT ends at once and leaves nothing", () =>
  withFixture(async (bench) => {
    const child = start(bench, [
      "run_command",
      "--command",
      "trap '' TERM INT; echo started; sleep 60 & wait; sleep 60",
    ]);
    child.stdout?.once("data", () => {
      send(child, "SIGINT");
      // The first signal has been handled when the command is told; its group gets TERM, which `trap` ignores.
      const again = setInterval(() => send(child, "SIGINT"), 50);
      child.once("close", () => clearInterval(again));
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    assert.is(code, 130);
    await assertNothingLeft(bench);
  }));

test("a reader that has had enough ends the command quietly", () =>
  withFixture(async (bench) => {
    const child = start(bench, ["run_command", "--command", "yes"]);
    let errors = "";
    child.stderr?.on("data", (bytes: Buffer) => (errors += bytes.toString()));
    child.stdout?.once("data", () => child.stdout?.destroy());
    const code = await new Promise((resolve) => child.on("close", resolve));
    assert.equal([code, errors], [0, ""]);
    await assertNothingLeft(bench);
  }));

test("a check that fails is one, also if no one reads what it says", () =>
  withFixture(async (bench) => {
    bench.write(
      ".tools/broken.tool",
      "Broken.\n\n@title Broken\n@name broken\n@wrapped run_command\n@command echo {x}\n",
    );
    const child = start(bench, ["check"]);
    child.stdout?.destroy();
    assert.is(await new Promise((resolve) => child.on("close", resolve)), 65);
  }));

test("output that cannot be written is a failure", async () => {
  if (!existsSync("/dev/full") || isDeno) return;
  await withFixture(async (bench) => {
    const [short, long] = await Promise.all(
      ["echo x", "yes | head -c 200000"].map(
        (command) =>
          new Promise<readonly [number | null, string]>((resolve) => {
            const line = `exec "$@" > /dev/full`;
            const child = spawn(
              "sh",
              ["-c", line, "sh", bench.program.command, ...bench.program.words, "run_command", "--command", command],
              { cwd: bench.folder, env: bench.program.environment },
            );
            let errors = "";
            child.stderr.on("data", (bytes: Buffer) => (errors += bytes.toString()));
            child.on("close", (code) => resolve([code, errors]));
          }),
      ),
    );
    assert.equal(short, [1, "failed[output]: the output cannot be written: the disk is full\n"]);
    assert.equal(long, [1, "failed[output]: the output cannot be written: the disk is full\n"]);
  });
});

test("long output arrives whole, on both streams", () =>
  withFixture(async (bench) => {
    const { stdout, stderr, exitCode } = await bench.run([
      "run_command",
      "--command",
      "yes ab | head -c 3000000; yes cd | head -c 300000 >&2; exit 7",
    ]);
    assert.equal([stdout.length, stderr.length, exitCode], [3_000_000, 300_000, 7]);
  }));

test("bytes that are not text pass unchanged", () =>
  withFixture(async (bench) => {
    const child = start(bench, ["run_command", "--command", "printf '\\377\\000\\200'"]);
    const chunks: Buffer[] = [];
    child.stdout?.on("data", (bytes: Buffer) => chunks.push(bytes));
    await new Promise((resolve) => child.on("close", resolve));
    assert.equal([...Buffer.concat(chunks)], [0xff, 0x00, 0x80]);
  }));

test("a pipe gets no colors unless asked, and NO_COLOR wins", () =>
  withFixture(async (bench) => {
    const [plain, forced, refused, flag] = await Promise.all([
      bench.run(["list", "glob"]),
      bench.run(["list", "glob"], { environment: { FORCE_COLOR: "1" } }),
      bench.run(["list", "glob"], { environment: { FORCE_COLOR: "1", NO_COLOR: "1" } }),
      bench.run(["--no-color", "list", "glob"], { environment: { FORCE_COLOR: "1" } }),
    ]);
    assert.equal(
      [plain, forced, refused, flag].map(({ stdout }) => stdout.includes("\u001b[")),
      [false, true, false, false],
    );
  }));

test("a folder that is gone is said so", async () => {
  if (isDeno) return;
  await withFixture(async (bench) => {
    bench.write("gone/x", "");
    const child = spawn(
      "sh",
      ["-c", 'rm -r ../gone && exec "$@"', "sh", bench.program.command, ...bench.program.words, "list"],
      { cwd: `${bench.folder}/gone`, env: bench.program.environment },
    );
    let errors = "";
    child.stderr.on("data", (bytes: Buffer) => (errors += bytes.toString()));
    const code = await new Promise((resolve) => child.on("close", resolve));
    assert.equal([code, errors], [66, "failed[folder]: the current folder was removed\n  = change to another one\n"]);
  });
});

test.run();
