// Ten sessions of MCP clients at once, each in a folder of its own: the memory of all their processes, and the time
// until each has listed its tools. Memory is the proportional share (Pss): pages that processes share count once. Of one
// session it is also what is its own, which no other process can share and the system cannot take back: the rest are
// pages of files, of which the kernel maps sixteen around each that is used.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { openStdio } from "./mcp-client.mjs";
import { withFolder } from "./programs.mjs";

const SESSIONS = 10;
const SETTLE_MS = 3_000;
const TEN_TO_ONE_MAX = 1.3;
const ALONE_MB_MAX = 60;
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
        { name: "  their own memory alone", value: ten.anonymousMb, unit: "MB", reference: one.anonymousMb, of: "one" },
        { name: "  one of them, all that is mapped", value: one.residentMb, unit: "MB", ...aloneTarget(name) },
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
        { name: "  their own memory alone", value: ten.anonymousMb, unit: "MB", reference: one.anonymousMb, of: "one" },
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
    const pids = [...clients.map(({ pid }) => pid), ...shared];
    const sumOf = (field) => pids.reduce((sum, pid) => sum + statusMb(pid, field), 0);
    results.push({ ms, mb, ownMb: Math.max(...own), anonymousMb: sumOf("RssAnon"), residentMb: sumOf("VmRSS") });
    await Promise.all(clients.map((client) => client.close()));
  }
  return results.slice(1);
}

const aloneTarget = (name) => (name === "dottool mcp" ? { target: ALONE_MB_MAX } : {});

function statusMb(pid, field) {
  const text = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(text)[1]) / 1024;
}

function shareMb(pid) {
  return Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))[1]) / 1024;
}
