// The program between pipes and signals: nothing lost, nothing left running, the exit codes of product.md.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { type ToolBench, toolBench } from "../tool-bench.ts";

const test = suite("streams");

/** Deno itself does not start in a folder that is gone, and words full disks in its own way. */
const isDeno = "Deno" in globalThis;

async function withBench(body: (bench: ToolBench) => Promise<void>): Promise<void> {
  const bench = toolBench();
  try {
    await body(bench);
  } finally {
    bench.remove();
  }
}

function start({ program, folder }: ToolBench, words: readonly string[]): ReturnType<typeof spawn> {
  return spawn(program.command, [...program.words, ...words], { cwd: folder, env: program.environment, stdio: ["ignore", "pipe", "pipe"] });
}

/** Not `child.kill`, after which Deno reports the signal instead of the exit code. */
function send({ pid }: ReturnType<typeof spawn>, signal: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(pid, signal);
}

/** Processes whose environment names the bench's folder as HOME. */
function processesOf({ folder }: ToolBench): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "utf8").includes(`HOME=${folder}/home`);
      } catch {
        return false;
      }
    });
}

test("SIGINT, SIGTERM and SIGHUP end the whole tree, also what ignores TERM, and exit 130 without a word", async () => {
  await Promise.all(
    (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((signal) =>
      withBench(async (bench) => {
        const child = start(bench, ["run_command", "--command", "trap '' TERM; echo started; (setsid sleep 61 &) ; sleep 60 & wait; sleep 60"]);
        let errors = "";
        child.stderr?.on("data", (bytes: Buffer) => (errors += bytes.toString()));
        child.stdout?.once("data", () => send(child, signal));
        const [code, name] = await new Promise<[number | null, string | null]>((resolve) => child.on("close", (...end) => resolve(end)));
        assert.equal([code, name, errors], [130, null, ""], signal);
        await assertNothingLeft(bench);
      }),
    ),
  );
});

/** What was killed may take the system a moment to clear away. */
async function assertNothingLeft(bench: ToolBench): Promise<void> {
  if (!existsSync("/proc")) return;
  const deadlineMs = performance.now() + 2_000;
  let left = processesOf(bench);
  while (left.length > 0 && performance.now() < deadlineMs) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    left = processesOf(bench);
  }
  assert.equal(left, []);
}

test("a second SIGINT ends at once and leaves nothing", () =>
  withBench(async (bench) => {
    const child = start(bench, ["run_command", "--command", "trap '' TERM INT; echo started; sleep 60 & wait; sleep 60"]);
    child.stdout?.once("data", () => {
      send(child, "SIGINT");
      // The first one has been seen when the command has been told; its group gets TERM, which `trap` ignores.
      const again = setInterval(() => send(child, "SIGINT"), 50);
      child.once("close", () => clearInterval(again));
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    assert.is(code, 130);
    await assertNothingLeft(bench);
  }));

test("a reader that has had enough ends the command quietly", () =>
  withBench(async (bench) => {
    const child = start(bench, ["run_command", "--command", "yes"]);
    let errors = "";
    child.stderr?.on("data", (bytes: Buffer) => (errors += bytes.toString()));
    child.stdout?.once("data", () => child.stdout?.destroy());
    const code = await new Promise((resolve) => child.on("close", resolve));
    assert.equal([code, errors], [0, ""]);
    await assertNothingLeft(bench);
  }));

test("output that cannot be written is a failure", async () => {
  if (!existsSync("/dev/full") || isDeno) return;
  await withBench(async (bench) => {
    const [short, long] = await Promise.all(
      ["echo x", "yes | head -c 200000"].map(
        (command) =>
          new Promise<readonly [number | null, string]>((resolve) => {
            const line = `exec "$@" > /dev/full`;
            const child = spawn("sh", ["-c", line, "sh", bench.program.command, ...bench.program.words, "run_command", "--command", command], { cwd: bench.folder, env: bench.program.environment });
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
  withBench(async (bench) => {
    const { stdout, stderr, exitCode } = await bench.run(["run_command", "--command", "yes ab | head -c 3000000; yes cd | head -c 300000 >&2; exit 7"]);
    assert.equal([stdout.length, stderr.length, exitCode], [3_000_000, 300_000, 7]);
  }));

test("bytes that are no text pass unchanged", () =>
  withBench(async (bench) => {
    const child = start(bench, ["run_command", "--command", "printf '\\377\\000\\200'"]);
    const chunks: Buffer[] = [];
    child.stdout?.on("data", (bytes: Buffer) => chunks.push(bytes));
    await new Promise((resolve) => child.on("close", resolve));
    assert.equal([...Buffer.concat(chunks)], [0xff, 0x00, 0x80]);
  }));

test("a pipe gets no colors unless asked, and NO_COLOR wins", () =>
  withBench(async (bench) => {
    const [plain, forced, refused, flag] = await Promise.all([
      bench.run(["list", "glob"]),
      bench.run(["list", "glob"], { environment: { FORCE_COLOR: "1" } }),
      bench.run(["list", "glob"], { environment: { FORCE_COLOR: "1", NO_COLOR: "1" } }),
      bench.run(["--no-color", "list", "glob"], { environment: { FORCE_COLOR: "1" } }),
    ]);
    assert.equal([plain, forced, refused, flag].map(({ stdout }) => stdout.includes("\u001b[")), [false, true, false, false]);
  }));

test("a folder that is gone is said so", async () => {
  if (isDeno) return;
  await withBench(async (bench) => {
    bench.write("gone/x", "");
    const child = spawn("sh", ["-c", 'rm -r ../gone && exec "$@"', "sh", bench.program.command, ...bench.program.words, "list"], { cwd: `${bench.folder}/gone`, env: bench.program.environment });
    let errors = "";
    child.stderr.on("data", (bytes: Buffer) => (errors += bytes.toString()));
    const code = await new Promise((resolve) => child.on("close", resolve));
    assert.equal([code, errors], [66, "failed[folder]: the folder you are in has been removed\n  = change to another one\n"]);
  });
});

test.run();
