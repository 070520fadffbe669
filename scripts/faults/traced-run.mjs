// One run of the program, with strace attached to one or both of its threads: the calls of each, or a fault in one
// call.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const preload = fileURLToPath(new URL("stopped-start.mjs", import.meta.url));
const POLL_MS = 2;
const STOP_MS_MAX = 20_000;
/** The time after which a fault counts as one that keeps the program from ending. Calls take less than a second. */
const RUN_MS_MAX = 25_000;

/**
 * Runs the program. `start` has folder, words, environment, and stdin or `talk`; `talk` gets the process, and a
 * function for lines that were answered elsewhere than on standard output. `fault` is { thread, call, ordinal, error },
 * or absent to trace all. Returns exitCode, signalName, stdout, stderr, isHung and the lines of the trace.
 */
export async function tracedRun({ program, start, fault, logFile }) {
  const child = spawn(process.execPath, ["--import", preload, program, ...start.words], {
    cwd: start.folder,
    env: { ...start.environment, UV_THREADPOOL_SIZE: "1" },
  });
  const texts = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => (texts.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (texts.stderr += text));
  child.stdin.on("error", () => undefined);
  const ended = new Promise((resolve) =>
    child.on("close", (exitCode, signalName) => resolve({ exitCode, signalName })),
  );
  let isHung = false;
  let timer;
  try {
    const threads = await stoppedThreads(child.pid);
    const tracer = attach(threads, { fault, logFile });
    await tracer.attached;
    process.kill(child.pid, "SIGCONT");
    timer = setTimeout(() => {
      isHung = true;
      endAll(child.pid, start.folder);
    }, RUN_MS_MAX);
    if (start.talk) start.talk(child, (line) => (texts.stdout += `${line}\n`));
    else child.stdin.end(start.stdin ?? "");
    const end = await ended;
    await tracer.ended;
    return { ...end, ...texts, isHung, pid: child.pid, threads, lines: readFileSync(logFile, "utf8").split("\n") };
  } finally {
    clearTimeout(timer);
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    rmSync(logFile, { force: true });
  }
}

async function stoppedThreads(pid) {
  for (let waitedMs = 0; waitedMs < STOP_MS_MAX; waitedMs += POLL_MS) {
    if (existsSync(`/proc/${pid}/stat`) && /^\d+ \(.*\) T /s.test(readFileSync(`/proc/${pid}/stat`, "latin1"))) {
      const pool = readdirSync(`/proc/${pid}/task`).find(
        (id) => readFileSync(`/proc/${pid}/task/${id}/comm`, "utf8").trim() === "libuv-worker",
      );
      if (pool === undefined) throw new Error("the program has no thread for files");
      return { main: pid, pool: Number(pool) };
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error("the program did not stop at its start");
}

function attach(threads, { fault, logFile }) {
  const ids = fault ? [threads[fault.thread]] : Object.values(threads);
  const rules = fault ? [`trace=${fault.call}`, `inject=${fault.call}:error=${fault.error}:when=${fault.ordinal}`] : [];
  const strace = spawn(
    "strace",
    [
      "-y",
      "-s",
      "32",
      "-o",
      logFile,
      ...(fault?.path === undefined ? [] : ["-P", fault.path]),
      ...rules.flatMap((rule) => ["-e", rule]),
      ...ids.flatMap((id) => ["-p", String(id)]),
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  let said = "";
  let attachedAll;
  let failed;
  const attached = new Promise((resolve, reject) => ([attachedAll, failed] = [resolve, reject]));
  strace.stderr.setEncoding("utf8").on("data", (text) => {
    said += text;
    if (said.split("attached").length > ids.length) attachedAll();
  });
  strace.on("error", failed);
  const ended = new Promise((resolve) =>
    strace.on("close", () => {
      failed(new Error(`strace could not attach: ${said}`));
      resolve();
    }),
  );
  return { attached, ended };
}

/** Ends the program and its processes, which all have its home in their environment. */
function endAll(pid, folder) {
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (Number(id) === pid || readFileSync(join("/proc", id, "environ"), "latin1").includes(`HOME=${folder}/`))
        process.kill(Number(id), "SIGKILL");
    } catch {
      // It has ended, or belongs to another user.
    }
  }
}
