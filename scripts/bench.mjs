// `npm run bench [-- ROWS…]`: the times and sizes of dottool beside those of what it is compared with. Each is the
// median of a run in which both take turns. A row prints value, reference, ratio, target and whether it is met. ROWS:
// start-up, bundle, list, parse, calls, memory, sandbox, confined, steps, patterns, policy, forge, mcp, packages,
// queue, queue-calls, queue-memory, servers, runners, sessions, size. It measures dist/dottool-<this machine>, which
// `npm run package` makes. Without it, the rows `servers` measure the sources. The programs that only this compares are
// in bench/package.json, and are installed when they are first wanted. The rows of a part are printed as soon as it is
// measured, and a part that fails does not keep the others from it.
import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { nativeTarget } from "./package/bases.mjs";
import { executableFor } from "./package/executable.mjs";
import { benchBundle } from "./bench/bundle.mjs";
import { benchCalls, benchMemory } from "./bench/calls.mjs";
import { benchList } from "./bench/list.mjs";
import { benchMcp } from "./bench/mcp.mjs";
import { benchPackages } from "./bench/packages.mjs";
import { benchParse } from "./bench/parse.mjs";
import { benchPatterns } from "./bench/patterns.mjs";
import { benchForge } from "./bench/forge.mjs";
import { benchPolicy } from "./bench/policy.mjs";
import { benchQueue, benchQueueCalls, benchQueueMemory } from "./bench/queue.mjs";
import { benchRunners } from "./bench/runners.mjs";
import { benchSandbox } from "./bench/sandbox.mjs";
import { benchServers } from "./bench/servers.mjs";
import { benchSessions } from "./bench/sessions.mjs";
import { benchSize } from "./bench/size.mjs";
import { benchStartUp } from "./bench/start-up.mjs";
import { benchConfined } from "./bench/confined.mjs";
import { benchSteps } from "./bench/steps.mjs";
import { printRows } from "./bench/table.mjs";

const dottool = resolve(executableFor(nativeTarget));
const parts = {
  "start-up": () => benchStartUp(dottool),
  bundle: () => benchBundle(dottool),
  list: () => benchList(dottool),
  parse: () => benchParse(),
  calls: () => benchCalls(),
  memory: () => benchMemory(),
  sandbox: () => benchSandbox(),
  confined: () => benchConfined(dottool),
  steps: () => benchSteps(),
  patterns: () => benchPatterns(),
  policy: () => benchPolicy(),
  forge: () => benchForge(dottool),
  mcp: () => benchMcp(dottool),
  packages: () => benchPackages(dottool),
  queue: () => benchQueue(dottool),
  "queue-calls": () => benchQueueCalls(dottool),
  "queue-memory": () => benchQueueMemory(dottool),
  servers: () => benchServers(existsSync(dottool) ? [dottool] : [process.execPath, resolve("src/main.ts")]),
  runners: () => benchRunners(dottool),
  sessions: () => benchSessions(dottool),
  size: () => benchSize(dottool),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => parts[name] === undefined);
if (unknown.length > 0)
  throw new Error(`there is no part ${unknown.join(", ")}; there are ${Object.keys(parts).join(", ")}`);
if (!existsSync(dottool) && wanted.join() !== "servers")
  throw new Error(`${dottool} is not there; run \`npm run package\` first`);
const comparing = ["start-up", "mcp", "runners", "sessions"];
if (comparing.some((name) => wanted.length === 0 || wanted.includes(name))) installCompared();
const failed = [];
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  try {
    printRows(await measure());
  } catch (error) {
    console.error(`${name}: ${error.stack}`);
    failed.push(name);
  }
}
if (failed.length > 0) {
  console.error(`not measured: ${failed.join(", ")}`);
  process.exitCode = 1;
}

function installCompared() {
  const installed = "scripts/bench/node_modules/.package-lock.json";
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync("scripts/bench/package-lock.json").mtimeMs)
    return;
  execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: "scripts/bench", stdio: "inherit" });
}
