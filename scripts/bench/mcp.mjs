// `dottool mcp` beside other MCP servers. The same client asks all of them for the same, and they take turns.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { callTool, eras, listTools, openHttp, openStdio } from "./mcp-client.mjs";
import { timePrograms, withFolder, writeDefinitions } from "./programs.mjs";
import { median } from "./table.mjs";

const START_ROUNDS = 15;
const FEW = 20;
const MANY = 1_000;
const START_ADDED_MS_MAX = 60;
const MANY_RATIO_MAX = 2;
const CALLS = 1_000;
/** The number of calls that start a process. These take some milliseconds everywhere, so a few are enough. */
const SPAWN_CALLS = 200;
const WARM_UP_CALLS = 20;
const IN_FLIGHT = 64;
/** The requests at once over HTTP. With more, some are told to try again. */
const HTTP_IN_FLIGHT = 32;
const PIPELINED_CALLS = 2_000;
const MEMORY_CALLS = 10_000;
const MEMORY_GROWTH_MAX = 1.25;
const CHARACTERS_PER_TOKEN = 4;
const MODES = ["full", "search", "code"];

export async function benchMcp(dottool) {
  return [
    ...(await startRows(dottool)),
    ...(await callRows(dottool)),
    ...(await memoryRows(dottool)),
    ...(await tokenRows(dottool)),
  ];
}

/** Writes definitions to the user's folder, where they need no trust. */
function writeTools({ home }, count) {
  writeDefinitions(join(home, ".config", "dottool", "tools"), count);
}

function dottoolOver({ project, environment }, ...words) {
  return (dottool) => ({ argv: [dottool, "mcp", ...words], cwd: project, environment });
}

async function startRows(dottool) {
  const ms = await withFolder((few) => withFolder((many) => startTimes(dottool, { [FEW]: few, [MANY]: many })));
  const floor = { reference: ms.node, of: "node -e 0" };
  return [
    ...["before", "now"].flatMap((era) => [
      {
        name: `start to tools/list, ${FEW} tools, ${eras[era]}`,
        value: ms[`${era} ${FEW}`],
        unit: "ms",
        ...floor,
        target: ms.node + START_ADDED_MS_MAX,
      },
      {
        name: `start to tools/list, ${MANY} tools, ${eras[era]}`,
        value: ms[`${era} ${MANY}`],
        unit: "ms",
        reference: ms[`${era} ${FEW}`],
        of: `${FEW} tools`,
        target: ms[`${era} ${FEW}`] * MANY_RATIO_MAX,
      },
    ]),
    {
      name: `  and all pages of ${MANY} tools`,
      value: ms[`whole ${MANY}`],
      unit: "ms",
      reference: ms[`whole ${FEW}`],
      of: `${FEW} tools`,
    },
    { name: "  the same in fastmcp, 2 tools", value: ms.fastmcp, unit: "ms", ...floor },
    { name: "  the same in server-everything", value: ms.everything, unit: "ms", ...floor },
    { name: "  the same in mcp-server-commands", value: ms.commands, unit: "ms", ...floor },
  ];
}

/** Starts all in turns, also folder by folder. Returns medians in ms. */
async function startTimes(dottool, benches) {
  const times = {};
  const keep = (round, name, tookMs) => (times[name] ??= []).push(...(round === 0 ? [] : [tookMs]));
  for (const [count, bench] of Object.entries(benches)) writeTools(bench, Number(count));
  const plain = { cwd: benches[FEW].project, environment: benches[FEW].environment };
  for (let round = 0; round <= START_ROUNDS; round++) {
    keep(round, "node", timePrograms({ node: { argv: [process.execPath, "-e", "0"], ...plain } }, 1).node);
    for (const [count, bench] of Object.entries(benches)) {
      const program = dottoolOver(bench)(dottool);
      for (const era of ["before", "now"]) keep(round, `${era} ${count}`, await timeToList(program, eras[era]));
      keep(round, `whole ${count}`, await timeToList(program, eras.now, listTools));
    }
    for (const [name, argv] of Object.entries(others))
      keep(round, name, await timeToList({ argv, ...plain }, eras.before));
  }
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
}

const referenceServer = resolve("scripts/bench/mcp-reference.mjs");
const others = {
  fastmcp: [process.execPath, referenceServer, "stdio"],
  everything: [
    process.execPath,
    resolve("node_modules/@modelcontextprotocol/server-everything/dist/index.js"),
    "stdio",
  ],
  commands: [process.execPath, resolve("scripts/bench/node_modules/mcp-server-commands/build/index.js")],
};

/** Measures the time to the first answer, which a client can show; `list` may ask for more. */
async function timeToList(program, era, list = (client) => client.request("tools/list")) {
  const startMs = performance.now();
  const client = await openStdio(program, era);
  await list(client);
  const tookMs = performance.now() - startMs;
  await client.close();
  return tookMs;
}

/** Measures calls with one client at a time for each server. The servers take turns call by call. */
async function callRows(dottool) {
  return withFolder(async (bench) => {
    const { project, environment } = bench;
    for (let index = 0; index < 50; index++) writeFileSync(join(project, `file_${index}.txt`), `${index}\n`.repeat(20));
    const plain = { cwd: project, environment };
    const http = { ...dottoolOver(bench, "--http", "0", "--without-token")(dottool), ready: /(http:\/\/[^\s"]+\/mcp)/ };
    const port = await freePort();
    const clients = {
      stdio: await openStdio(dottoolOver(bench)(dottool)),
      stdioNow: await openStdio(dottoolOver(bench)(dottool), eras.now),
      http: await openHttp(http),
      httpNow: await openHttp(http, eras.now),
      fastmcp: await openStdio({ argv: others.fastmcp, ...plain }),
      fastmcpHttp: await openHttp({
        argv: [process.execPath, referenceServer, "http", String(port)],
        ...plain,
        ready: /listening on/,
        address: `http://127.0.0.1:${port}/mcp`,
      }),
      everything: await openStdio({ argv: others.everything, ...plain }),
      commands: await openStdio({ argv: others.commands, ...plain }),
    };
    try {
      const read = (client) => (index) => callTool(client, "read_file", { file_path: `file_${index % 50}.txt` });
      const find = (client, name) => () => callTool(client, name, { arguments: [".", "-name", "*.txt"] });
      const reading = await inTurns(CALLS, {
        ...Object.fromEntries(
          ["stdio", "stdioNow", "http", "httpNow", "fastmcp", "fastmcpHttp"].map((name) => [name, read(clients[name])]),
        ),
        everything: () => callTool(clients.everything, "echo", { message: "hello" }),
      });
      const finding = await inTurns(SPAWN_CALLS, {
        ...Object.fromEntries(
          ["stdio", "stdioNow", "http", "httpNow"].map((name) => [name, find(clients[name], "glob")]),
        ),
        ...Object.fromEntries(["fastmcp", "fastmcpHttp"].map((name) => [name, find(clients[name], "find")])),
        commands: () => callTool(clients.commands, "run_command", { command: "find . -name '*.txt' -type f" }),
        bare: () => spawnSync("find", [".", "-name", "*.txt", "-type", "f"], { cwd: project }),
      });
      const rates = {};
      for (const name of ["stdio", "stdioNow", "http", "httpNow", "fastmcp", "fastmcpHttp"])
        rates[name] = await msPerPipelinedCall(read(clients[name]), /http/i.test(name) ? HTTP_IN_FLIGHT : IN_FLIGHT);
      return [
        ...rowsOfCalls("read_file", reading),
        ...rowsOfCalls("find", finding),
        ...rowsOfCalls(`read_file, ${IN_FLIGHT} in flight (HTTP ${HTTP_IN_FLIGHT})`, rates),
      ];
    } finally {
      await Promise.all(Object.values(clients).map((client) => client.close()));
    }
  });
}

function rowsOfCalls(what, ms) {
  return [
    { name: `${what}, stdio, ${eras.before}`, value: ms.stdio, unit: "ms", reference: ms.fastmcp, of: "fastmcp" },
    { name: `${what}, stdio, ${eras.now}`, value: ms.stdioNow, unit: "ms", reference: ms.fastmcp, of: "fastmcp" },
    { name: `${what}, HTTP, ${eras.before}`, value: ms.http, unit: "ms", reference: ms.fastmcpHttp, of: "fastmcp" },
    { name: `${what}, HTTP, ${eras.now}`, value: ms.httpNow, unit: "ms", reference: ms.fastmcpHttp, of: "fastmcp" },
    ...(ms.everything === undefined
      ? []
      : [
          {
            name: "  echo of server-everything, stdio",
            value: ms.everything,
            unit: "ms",
            reference: ms.fastmcp,
            of: "fastmcp",
          },
        ]),
    ...(ms.commands === undefined
      ? []
      : [
          {
            name: "  the same in mcp-server-commands, stdio",
            value: ms.commands,
            unit: "ms",
            reference: ms.bare,
            of: "bare find",
          },
        ]),
  ];
}

async function inTurns(rounds, works) {
  const timesMs = Object.fromEntries(Object.keys(works).map((name) => [name, []]));
  for (let round = -WARM_UP_CALLS; round < rounds; round++) {
    for (const [name, work] of Object.entries(works)) {
      const startMs = performance.now();
      await work(Math.abs(round));
      if (round >= 0) timesMs[name].push(performance.now() - startMs);
    }
  }
  return Object.fromEntries(Object.entries(timesMs).map(([name, times]) => [name, median(times)]));
}

async function msPerPipelinedCall(call, inFlight) {
  let next = 0;
  const worker = async () => {
    while (next < PIPELINED_CALLS) await call(next++);
  };
  const startMs = performance.now();
  await Promise.all(Array.from({ length: inFlight }, worker));
  return (performance.now() - startMs) / PIPELINED_CALLS;
}

/** Measures memory. A process takes free memory until it is warmed up; what it takes after that is a leak. */
async function memoryRows(dottool) {
  if (process.platform !== "linux") return [];
  return withFolder(async (bench) => {
    writeFileSync(join(bench.project, "file.txt"), "1\n".repeat(20));
    const [used, later] = await memoryAfterCalls(dottoolOver(bench)(dottool), [MEMORY_CALLS, 2 * MEMORY_CALLS]);
    const [reference] = await memoryAfterCalls(
      { argv: others.fastmcp, cwd: bench.project, environment: bench.environment },
      [MEMORY_CALLS],
    );
    return [
      { name: `memory of the server after ${MEMORY_CALLS} calls`, value: used, unit: "MB", reference, of: "fastmcp" },
      {
        name: `memory of the server after ${2 * MEMORY_CALLS} calls`,
        value: later,
        unit: "MB",
        reference: used,
        of: `after ${MEMORY_CALLS}`,
        target: used * MEMORY_GROWTH_MAX,
      },
    ];
  });
}

/** Returns MB after each of these numbers of calls. */
async function memoryAfterCalls(program, counts) {
  const client = await openStdio(program);
  try {
    const megabytes = [];
    for (let calls = 1; calls <= counts.at(-1); calls++) {
      await callTool(client, "read_file", { file_path: "file.txt" });
      if (counts.includes(calls)) megabytes.push(residentMb(client.pid));
    }
    return megabytes;
  } finally {
    await client.close();
  }
}

function residentMb(pid) {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
}

/** Counts the tokens that a client passes to its model for each tool, with the estimate of `dottool list --tokens`. */
async function tokenRows(dottool) {
  const rows = [];
  for (const count of [FEW, 200]) {
    await withFolder(async (bench) => {
      writeTools(bench, count);
      const tokens = {};
      for (const mode of MODES) {
        const client = await openStdio(dottoolOver(bench, "--mode", mode)(dottool)).catch((error) =>
          /--mode/.test(error.message) ? undefined : Promise.reject(error),
        );
        if (!client) continue;
        tokens[mode] = (await listTools(client)).reduce(
          (sum, tool) => sum + Math.ceil(JSON.stringify(tool).length / CHARACTERS_PER_TOKEN),
          0,
        );
        await client.close();
      }
      for (const [mode, value] of Object.entries(tokens))
        rows.push({
          name: `tools/list, ${count} tools and the bundled ones, --mode ${mode}`,
          value,
          unit: "tokens",
          ...(mode === "full" ? {} : { reference: tokens.full, of: "full" }),
        });
    });
  }
  return rows;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
