// Ten sessions of MCP clients at once, each in a folder of its own: the memory of all their processes, and the time
// until each has listed its tools. Memory is the proportional share (Pss): pages that processes share count once.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { openStdio } from "./mcp-client.mjs";
import { withFolder } from "./programs.mjs";

const SESSIONS = 10;
const SETTLE_MS = 3_000;
const TEN_TO_ONE_MAX = 1.3;
const reference = resolve("scripts/bench/mcp-reference.mjs");
const filesystem = resolve("scripts/bench/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");

export function benchSessions(dottool) {
  if (process.platform !== "linux") return [];
  return withFolder(async ({ project, home, environment: own }) => {
    const environment = { ...own, XDG_RUNTIME_DIR: join(home, "runtime") };
    mkdirSync(environment.XDG_RUNTIME_DIR, { mode: 0o700 });
    const folders = Array.from({ length: SESSIONS }, (_item, index) => join(project, String(index)));
    for (const folder of folders) mkdirSync(folder);
    const resident = (...words) =>
      spawnSync(dottool, ["resident", ...words], { env: environment, encoding: "utf8" }).stdout;
    const launcher = join(home, "dottool");
    resident("launcher", launcher);
    const measured = (argv, shared = []) => measure(argv, { folders, environment, shared });
    const rows = [];
    for (const [name, argv] of Object.entries({
      "dottool mcp": () => [dottool, "mcp"],
      fastmcp: () => [process.execPath, reference, "stdio"],
      "server-filesystem": (folder) => [process.execPath, filesystem, folder],
    })) {
      const [one, ten] = await measured(argv);
      rows.push(
        { name: `${name}: ${SESSIONS} sessions`, value: ten.mb, unit: "MB", reference: one.mb, of: "one" },
        { name: "  until all have listed", value: ten.ms, unit: "ms", reference: one.ms, of: "one" },
      );
    }
    JSON.parse(resident("start", "--json"));
    const { pid } = JSON.parse(resident("status", "--json"));
    try {
      const [one, ten] = await measured(() => [launcher, "mcp"], [pid]);
      return [
        {
          name: `dottool mcp, launcher: ${SESSIONS} sessions`,
          value: ten.mb,
          unit: "MB",
          reference: one.mb,
          of: "one",
          target: one.mb * TEN_TO_ONE_MAX,
        },
        { name: "  until all have listed", value: ten.ms, unit: "ms", reference: one.ms, of: "one" },
        { name: "  a session's own process", value: ten.ownMb, unit: "MB", target: 2 },
        ...rows,
      ];
    } finally {
      resident("stop");
    }
  });
}

/** Measures one session, then ten; `shared` are processes that serve all of them. */
async function measure(argv, { folders, environment, shared }) {
  const results = [];
  // The first time warms what is cached.
  for (const count of [1, 1, SESSIONS]) {
    const startMs = performance.now();
    const clients = await Promise.all(
      folders.slice(0, count).map(async (cwd) => {
        const client = await openStdio({ argv: argv(cwd), cwd, environment });
        await client.request("tools/list");
        return client;
      }),
    );
    const ms = performance.now() - startMs;
    await new Promise((settled) => setTimeout(settled, SETTLE_MS));
    const own = clients.map(({ pid }) => shareMb(pid));
    const mb = [...own, ...shared.map(shareMb)].reduce((sum, each) => sum + each, 0);
    results.push({ ms, mb, ownMb: Math.max(...own) });
    await Promise.all(clients.map((client) => client.close()));
  }
  return results.slice(1);
}

function shareMb(pid) {
  return Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))[1]) / 1024;
}
