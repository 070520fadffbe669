// The resources that `dottool mcp` uses: its memory with many definitions, clients and long outputs, and how long one
// client waits for another.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { callTool, connectHttp, eras, listTools, openHttp, openStdio } from "./mcp-client.mjs";
import { definition, withFolder, writeDefinitions } from "./programs.mjs";
import { median } from "./table.mjs";

const MANY = 10_000;
const SETTLE_MS = 3_000;
const MANY_MB_MAX = 150;
const CHANGES = 50;
const CHANGE_MS_MAX = 60_000;
const CLIENTS = 200;
const FIRST_MS_MAX = 1_000;
const CLIENTS_MB_MAX = 150;
const OUTPUT_MB = 100;
const OUTPUT_ADDED_MB_MAX = 120;
const PING_PAUSE_MS = 20;

/** Commands that print that much, with the name of their output. */
const outputs = { "one line": "tr '\\0' x < /dev/zero", "many lines": "yes 0123456789abcdef" };

export async function benchServers(program) {
  if (process.platform !== "linux") return [];
  return [...(await definitionRows(program)), ...(await clientRows(program)), ...(await outputRows(program))];
}

async function definitionRows(program) {
  return withFolder(async ({ project, home, environment }) => {
    const folder = join(home, ".config", "dottool", "tools");
    writeDefinitions(folder, MANY);
    const warmUp = await openStdio({ argv: [...program, "mcp"], cwd: project, environment });
    await warmUp.request("tools/list");
    await warmUp.close();
    const client = await openStdio({ argv: [...program, "mcp"], cwd: project, environment });
    try {
      await client.request("tools/list");
      const first = residentMb(client.pid);
      await listTools(client);
      const listed = await settledMb(client.pid);
      const timesMs = [];
      for (let index = 0; index < CHANGES; index++) {
        const startMs = performance.now();
        const news = client.hear();
        writeFileSync(
          join(folder, `tool_${index * 7}.tool`),
          definition(index * 7).replace("Log Lines", `Changed Log Lines ${index}`),
        );
        await within(news, CHANGE_MS_MAX);
        timesMs.push(performance.now() - startMs);
      }
      const after = await settledMb(client.pid);
      await listTools(client);
      const again = await settledMb(client.pid);
      return [
        { name: `memory over ${MANY} definitions, first page`, value: first, unit: "MB", target: MANY_MB_MAX },
        { name: "  all pages", value: listed, unit: "MB", target: MANY_MB_MAX },
        { name: `  after ${CHANGES} changes of a file`, value: after, unit: "MB", target: MANY_MB_MAX },
        { name: "  and all pages again", value: again, unit: "MB", target: MANY_MB_MAX },
        {
          name: "    of which private, not the executable's pages",
          value: residentMb(client.pid, "RssAnon"),
          unit: "MB",
        },
        { name: "  the most it ever was", value: residentMb(client.pid, "VmHWM"), unit: "MB" },
        { name: "  a change to the news of it", value: median(timesMs), unit: "ms" },
      ];
    } finally {
      await client.close();
    }
  });
}

async function clientRows(program) {
  return withFolder(async ({ project, environment }) => {
    const rows = [];
    for (const era of Object.values(eras)) {
      const server = await openHttp(
        {
          argv: [...program, "mcp", "--http", "0", "--without-token"],
          cwd: project,
          environment,
          ready: /(http:\/\/[^\s"]+\/mcp)/,
        },
        era,
      );
      try {
        await server.request("tools/list");
        const before = residentMb(server.pid);
        const startMs = performance.now();
        const clients = await Promise.all(
          Array.from({ length: CLIENTS }, async () => {
            const client = await connectHttp(server.url, era);
            await client.request("tools/list");
            return { client, tookMs: performance.now() - startMs };
          }),
        );
        const times = clients.map(({ tookMs }) => tookMs);
        const after = residentMb(server.pid);
        for (const { client } of clients) client.close();
        rows.push(
          {
            name: `first list of ${CLIENTS} new clients at once, HTTP, ${era}, median`,
            value: median(times),
            unit: "ms",
          },
          { name: "  the slowest", value: Math.max(...times), unit: "ms", target: FIRST_MS_MAX },
          {
            name: "  memory of the server",
            value: after,
            unit: "MB",
            reference: before,
            of: "one client",
            target: CLIENTS_MB_MAX,
          },
        );
      } finally {
        await server.close();
      }
    }
    return rows;
  });
}

async function outputRows(program) {
  return withFolder(async ({ project, home, environment }) => {
    const config = join(home, ".config", "dottool");
    mkdirSync(join(config, "tools"), { recursive: true });
    const names = Object.keys(outputs).map((what) => what.replace(" ", "_"));
    for (const [index, command] of Object.values(outputs).entries())
      writeFileSync(join(config, "tools", `${names[index]}.tool`), flooding(names[index], command));
    writeFileSync(
      join(config, "config.yaml"),
      `policy:\n${names.map((name) => `  - decision: allow\n    tool: ${name}\n    front_end: mcp\n`).join("")}`,
    );
    const rows = [];
    for (const [index, what] of Object.keys(outputs).entries()) {
      const server = await openHttp({
        argv: [...program, "mcp", "--http", "0", "--without-token"],
        cwd: project,
        environment,
        ready: /(http:\/\/[^\s"]+\/mcp)/,
      });
      const other = await connectHttp(server.url);
      try {
        const before = residentMb(server.pid);
        const startMs = performance.now();
        let isDone = false;
        const call = callTool(server, names[index], {}).finally(() => (isDone = true));
        const pings = await pingWhile(other, () => !isDone);
        const handle = /"handle":"([0-9a-f]{32})"/.exec((await call).content[0].text)?.[1];
        const tookMs = performance.now() - startMs;
        const most = residentMb(server.pid, "VmHWM");
        const pageMs = performance.now();
        await callTool(server, "read_output", { handle, offset: 30_000 });
        rows.push(
          {
            name: `memory that ${OUTPUT_MB} MB of ${what} take`,
            value: most - before,
            unit: "MB",
            target: OUTPUT_ADDED_MB_MAX,
          },
          { name: "  the call", value: tookMs, unit: "ms" },
          {
            name: "  another client's ping meanwhile, the slowest",
            value: Math.max(...pings),
            unit: "ms",
            reference: median(pings),
            of: "median",
          },
          { name: "  a page of it", value: performance.now() - pageMs, unit: "ms" },
          {
            name: "  memory after the page",
            value: residentMb(server.pid, "VmHWM") - before,
            unit: "MB",
            target: OUTPUT_ADDED_MB_MAX,
          },
        );
      } finally {
        other.close();
        await server.close();
      }
    }
    return rows;
  });
}

const flooding = (name, command) => `Prints a lot.

@name ${name}
@title ${name}
@wrapped run_command
@command sh -c "${command.replaceAll("\\", "\\\\")} | head -c ${OUTPUT_MB * 1_000_000}"
@tags read
`;

async function pingWhile(client, goesOn) {
  const times = [];
  while (goesOn()) {
    const startMs = performance.now();
    await client.request("ping");
    times.push(performance.now() - startMs);
    await new Promise((resolve) => setTimeout(resolve, PING_PAUSE_MS));
  }
  return times;
}

async function within(promise, limitMs) {
  let timer;
  const late = new Promise(
    (_resolve, reject) => (timer = setTimeout(() => reject(new Error(`nothing was heard for ${limitMs} ms`)), limitMs)),
  );
  await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** A server gives back what a list took within seconds; the most it ever was has a row of its own. */
async function settledMb(pid) {
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  return residentMb(pid);
}

function residentMb(pid, field = "VmRSS") {
  return (
    Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024
  );
}
