// A server for queues, started for tests: Redis or Valkey, whichever this machine has.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasProgram, needPrograms } from "./programs-needed.ts";

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
  remove(): Promise<void>;
}

/** The kinds of servers, for tests that hold for each. */
export const stores = ["redis", "postgres"] as const;
export type QueueStore = (typeof stores)[number];

export interface QueueServerOptions {
  readonly store?: QueueStore;
  /** Words of the server's configuration. */
  readonly words?: readonly string[];
}

const START_MS_MAX = 20_000;

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
export async function queueServer({ store, words = STORED }: QueueServerOptions = {}): Promise<QueueServer> {
  if (store === "postgres") return (await import("./postgres-server.ts")).postgresServer();
  const [program = ""] = needPrograms(hasProgram("valkey-server") ? "valkey-server" : "redis-server");
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "dottool-queue-"));
  const runs = endedWithTests(folder);
  let child: ChildProcess | undefined;
  let isPaused = false;
  const start = async (): Promise<void> => {
    child = spawn(program, ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder, ...words], {
      stdio: "ignore",
    });
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
    remove: async () => {
      if (isPaused) child?.kill("SIGCONT");
      await kill();
      runs("");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const STORED = ["--save", "", "--appendonly", "yes", "--appendfsync", "always"];

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
  const endMs = performance.now() + START_MS_MAX;
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
