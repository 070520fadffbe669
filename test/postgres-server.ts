// PostgreSQL, started for tests of queues: one cluster for a file of tests, with a database of its own for each test.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chownSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import pg from "pg";
import { HANG_MS_MAX } from "./amount.ts";
import { needPrograms } from "./programs-needed.ts";
import { disk, endedWithTests, freePort, onSmallDisk, type QueueServer, type Watched } from "./queue-server.ts";

/** The server refuses to run as root. */
const NOBODY = 65_534;
/** The files of a new server take half of it. */
const SMALL_MIB = 96;
const STORED = [
  "-c",
  "fsync=off",
  "-c",
  "listen_addresses=127.0.0.1",
  "-c",
  "max_connections=60",
  "-c",
  "logging_collector=on",
];

interface Cluster extends Pick<QueueServer, "fill" | "empty"> {
  readonly port: number;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** The folder of its logs. */
  readonly log: string;
  signal(name: "SIGSTOP" | "SIGCONT"): void;
}

const clusters = new Map<boolean, Promise<Cluster>>();
let databases = 0;

/** What a test leaves is in its own database. */
export async function postgresServer(hasSmallDisk = false): Promise<QueueServer> {
  const known = clusters.get(hasSmallDisk) ?? startCluster(hasSmallDisk);
  clusters.set(hasSmallDisk, known);
  const { port, kill, start, signal, fill, empty, log } = await known;
  const name = `test${++databases}`;
  await query(port, "postgres", `create database ${name}`);
  return {
    address: `postgres://dottool@127.0.0.1:${port}/${name}`,
    port,
    kill,
    start,
    pause: () => signal("SIGSTOP"),
    goOn: () => signal("SIGCONT"),
    fill,
    empty,
    watch: () => watchStatements(port, name, log),
    remove: async () => {
      signal("SIGCONT");
      await start();
      await query(port, "postgres", `drop database ${name} with (force)`);
    },
  };
}

/** Has the statements of later connections logged, with their values. */
async function watchStatements(port: number, name: string, log: string): Promise<Watched> {
  await query(port, "postgres", `alter database ${name} set log_statement = 'all'`);
  return {
    end: async () => {
      const last = `the end of ${name}`;
      await query(port, name, `select '${last}'`);
      for (;;) {
        const text = readdirSync(log)
          .map((file) => readFileSync(join(log, file), "latin1"))
          .join("");
        if (text.includes(last)) return text;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}

async function startCluster(hasSmallDisk: boolean): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "dottool-postgres-"));
  const runs = endedWithTests(folder);
  const rights = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if ("uid" in rights) chownSync(folder, NOBODY, NOBODY);
  const [data, small, log] = [join(folder, "data"), join(folder, "small"), join(folder, "log")];
  mkdirSync(small);
  const [initdb, server] = [programOf("initdb"), programOf("postgres")];
  const made = spawnSync(
    initdb,
    ["-D", data, "-U", "dottool", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"],
    {
      ...rights,
      cwd: folder,
      encoding: "utf8",
    },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  let child: ChildProcess | undefined;
  const members = (): readonly number[] => {
    if (child?.pid === undefined || hasEnded(child)) return [];
    try {
      const text = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
      return [child.pid, ...text.split(" ").filter(Boolean).map(Number)];
    } catch {
      return [];
    }
  };
  const signal = (name: NodeJS.Signals): void => {
    for (const pid of members())
      try {
        process.kill(pid, name);
      } catch {
        // It has ended meanwhile.
      }
  };
  const start = async (): Promise<void> => {
    const endMs = performance.now() + HANG_MS_MAX;
    for (;;) {
      if (!child || hasEnded(child)) {
        const line = [server, "-D", data, "-p", `${port}`, "-k", folder, ...STORED, "-c", `log_directory=${log}`];
        const [command = "", ...rest] = hasSmallDisk ? copiedTo(small, line) : line;
        child = spawn(command, rest, { ...(hasSmallDisk ? {} : rights), stdio: "ignore" });
        child.unref();
        runs(child.pid ?? "");
      }
      try {
        await query(port, "postgres", "select 1");
        return;
      } catch (error) {
        // Processes of a server that was killed may still be there, and then the new one ends.
        if (performance.now() > endMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };
  const kill = async (): Promise<void> => {
    const ended = child;
    if (!ended || hasEnded(ended)) return;
    const exited = new Promise<void>((resolve) => ended.once("exit", () => resolve()));
    signal("SIGKILL");
    await exited;
  };
  await start();
  return { port, kill, start, signal, log, ...disk(() => `/proc/${child?.pid}/root${small}`) };
}

/** Returns the words that start the server with a copy of its files on a small disk. `line` has the folder of the files. */
function copiedTo(small: string, [server = "", option = "", data = "", ...rest]: readonly string[]): readonly string[] {
  const script =
    'cp -a "$1" "$2/data" && exec setpriv --reuid "$3" --regid "$3" --clear-groups -- "$4" "$5" "$2/data" "${@:6}"';
  return onSmallDisk(small, SMALL_MIB, [
    "bash",
    "-c",
    script,
    "bash",
    data,
    small,
    `${NOBODY}`,
    server,
    option,
    ...rest,
  ]);
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Debian keeps the programs of the server out of PATH. */
function programOf(name: string): string {
  const [found = ""] = [globSync(`/usr/lib/postgresql/*/bin/${name}`).toSorted().at(-1) ?? needPrograms(name)[0]];
  return found;
}

async function query(port: number, database: string, text: string): Promise<void> {
  const client = new pg.Client({
    host: "127.0.0.1",
    port,
    user: "dottool",
    database,
    connectionTimeoutMillis: HANG_MS_MAX,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query(text);
  } finally {
    await client.end().catch(() => undefined);
  }
}
