// A server for queues, started for tests: Redis or Valkey, whichever this machine has.
import { Buffer } from "node:buffer";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { HANG_MS_MAX } from "./amount.ts";
import { codeOf } from "../src/core/tool/error-code.ts";
import { hasProgram, leaveOut, needPrograms } from "./programs-needed.ts";

export interface QueueServer {
  readonly address: string;
  readonly port: number;
  /** Ends it as a power cut does. */
  kill(): Promise<void>;
  /** Starts it again at the same port, with what it has on its disk. */
  start(): Promise<void>;
  /** Stops it without closing a connection, as a broken network does. */
  pause(): void;
  goOn(): void;
  /** Leaves no room on its disk, which has to be a small one. */
  fill(): void;
  empty(): void;
  /** Reads all that the server is sent until `end` returns it. */
  watch(): Promise<Watched>;
  remove(): Promise<void>;
}

export interface Watched {
  end(): Promise<string>;
}

/** The kinds of servers, for tests that hold for each. */
export const stores = ["redis", "postgres"] as const;
export type QueueStore = (typeof stores)[number];

export interface QueueServerOptions {
  readonly store?: QueueStore;
  /** Words of the server's configuration. */
  readonly words?: readonly string[];
  /** Its folder is a file system of its own, until the server ends. Needs the rights to mount one. */
  readonly hasSmallDisk?: true;
}

/** Gets the ids of processes as lines, and the folder as its argument. */
const WATCH = `while read -r id; do last=$id; done
test -z "$last" || kill -KILL $(cat "/proc/$last/task/$last/children" 2>/dev/null) "$last" 2>/dev/null
rm -rf "$1"`;

/**
 * Has the process of a server killed and its folder removed when this process ends, however it does. Call what it returns
 * with the id of each new process, and with an empty text when there is none any more.
 */
export function endedWithTests(folder: string): (processId: number | "") => void {
  // Not in the group of this process, so that Ctrl-C does not end it first.
  const watcher = spawn("sh", ["-c", WATCH, "sh", folder], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  watcher.unref();
  const { stdin } = watcher;
  stdin.on("error", () => undefined);
  (stdin as Socket).unref();
  return (processId) => void stdin.write(`${processId}\n`);
}

/** By default it stores everything at once, so that a kill loses nothing. */
export async function queueServer(options: QueueServerOptions = {}): Promise<QueueServer> {
  const { store, words = STORED, hasSmallDisk } = options;
  if (hasSmallDisk) needSmallDisk();
  if (store === "postgres") return (await import("./postgres-server.ts")).postgresServer(hasSmallDisk);
  const [program = ""] = needPrograms(hasProgram("valkey-server") ? "valkey-server" : "redis-server");
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "dottool-queue-"));
  const runs = endedWithTests(folder);
  let child: ChildProcess | undefined;
  let isPaused = false;
  const start = async (): Promise<void> => {
    const line = [program, "--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder, ...words];
    const [command = "", ...rest] = hasSmallDisk ? onSmallDisk(folder, SMALL_MIB, line) : line;
    child = spawn(command, rest, { stdio: "ignore" });
    runs(child.pid ?? "");
    await whenListening(port);
  };
  const kill = async (): Promise<void> => {
    const ended = child;
    if (!ended || ended.exitCode !== null || ended.signalCode !== null) return;
    await new Promise<void>((resolve) => {
      ended.once("exit", () => resolve());
      ended.kill("SIGKILL");
    });
  };
  await start();
  return {
    address: `redis://127.0.0.1:${port}`,
    port,
    kill,
    start,
    pause: () => {
      isPaused = true;
      child?.kill("SIGSTOP");
    },
    goOn: () => {
      isPaused = false;
      child?.kill("SIGCONT");
    },
    ...disk(() => `/proc/${child?.pid}/root${folder}`),
    watch: () => watchTraffic(port),
    remove: async () => {
      if (isPaused) child?.kill("SIGCONT");
      await kill();
      runs("");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const SMALL_MIB = 8;
const PIECE_BYTES = 4096;

/** Leaves the test out where a file system cannot be mounted. */
function needSmallDisk(): void {
  needPrograms("unshare", "mount", "setpriv");
  if (process.getuid?.() !== 0 || spawnSync("unshare", ["-m", "true"]).status !== 0)
    leaveOut("needs the rights to mount a file system");
}

/** Returns the words that start a program which alone sees the file system in a folder. */
export function onSmallDisk(folder: string, sizeMiB: number, line: readonly string[]): readonly string[] {
  const script = 'mount -t tmpfs -o "size=$1,mode=755" tmpfs "$2" && shift 2 && exec "$@"';
  return ["unshare", "-m", "sh", "-c", script, "sh", `${sizeMiB}m`, folder, ...line];
}

/** `folder` returns the small disk as other processes see it. */
export function disk(folder: () => string): Pick<QueueServer, "fill" | "empty"> {
  return {
    fill: () => {
      const file = openSync(join(folder(), "filler"), "w");
      try {
        for (;;) writeSync(file, Buffer.alloc(PIECE_BYTES));
      } catch (error) {
        if (codeOf(error) !== "ENOSPC") throw error;
      } finally {
        closeSync(file);
      }
    },
    empty: () => rmSync(join(folder(), "filler")),
  };
}

const STORED = ["--save", "", "--appendonly", "yes", "--appendfsync", "always"];

/** ioredis takes commands that come with the answer to `MONITOR` for answers. */
function watchTraffic(port: number): Promise<Watched> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write("MONITOR\r\n"));
    socket.on("error", reject).on("data", (part: Buffer) => {
      text += part.toString("latin1");
      resolve({ end: () => Promise.resolve((socket.destroy(), text)) });
    });
  });
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

function whenListening(port: number): Promise<void> {
  const endMs = performance.now() + HANG_MS_MAX;
  return new Promise((resolve, reject) => {
    const attempt = (): void => {
      const socket = connect({ port, host: "127.0.0.1" });
      socket.on("error", () => {
        socket.destroy();
        if (performance.now() > endMs) reject(new Error(`no server at port ${port}`));
        else setTimeout(attempt, 20);
      });
      // A server that still reads its file answers so.
      socket.on("connect", () => socket.write("PING\r\n"));
      socket.on("data", (bytes) => {
        socket.destroy();
        if (bytes.toString().startsWith("-LOADING")) setTimeout(attempt, 20);
        else resolve();
      });
    };
    attempt();
  });
}
