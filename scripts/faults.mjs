// `node scripts/faults.mjs [--every N] [--at-once N] [--error EACCES] [--details] [SCENARIO…]`: puts one fault after
// another into the system calls of the program, and counts what becomes of the run: success, a clean failure, silence,
// a bug report, a hang. The last three are faults of the program, and end this script with exit code 1. `--every N`
// tries every N-th call alone, `--error E` that error alone. Needs Linux and strace. scripts/faults/README.md says what
// is known.
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import * as esbuild from "esbuild";
import { createBench } from "./faults/bench.mjs";
import { judge, outcomes } from "./faults/judge.mjs";
import { scenarios } from "./faults/scenarios.mjs";
import { placeHit, targetsOf } from "./faults/targets.mjs";
import { talkOf, talkOverHttp } from "./faults/talk.mjs";
import { tracedRun } from "./faults/traced-run.mjs";

const TRIES_MAX = 3;
const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    every: { type: "string", default: "1" },
    "at-once": { type: "string", default: "2" },
    error: { type: "string" },
    details: { type: "boolean" },
    list: { type: "boolean" },
  },
});
const every = Number(values.every);
const runsAtOnce = Number(values["at-once"]);
if (!(every >= 1 && runsAtOnce >= 1)) throw new Error("`--every` and `--at-once` take a number from 1");
const program = await build();
const wanted = scenarios.filter(
  ({ name }) =>
    names.length === 0 || names.some((one) => name === one || (one.endsWith("*") && name.startsWith(one.slice(0, -1)))),
);
const results = [];
const queue = [...wanted];
await Promise.all(
  Array.from({ length: runsAtOnce }, async () => {
    for (let scenario = queue.shift(); scenario; scenario = queue.shift()) results.push(await runScenario(scenario));
  }),
);
rmSync(dirname(program), { recursive: true, force: true });
printTable();

/** Builds one file for each chunk, with its packages as in the executable, so that a start makes few system calls. */
async function build() {
  const folder = join(process.cwd(), "dist/faults", String(process.pid));
  await esbuild.build({
    entryPoints: {
      main: "src/main.ts",
      "sandbox-worker": "src/features/javascript/host/sandbox-worker.ts",
      "typescript-worker": "src/features/javascript/host/typescript-worker.ts",
    },
    outdir: folder,
    bundle: true,
    splitting: true,
    banner: {
      js: 'import { createRequire as __requireOf } from "node:module"; const require = __requireOf(import.meta.url);',
    },
    platform: "node",
    target: "node24",
    format: "esm",
    logLevel: "warning",
    sourcemap: true,
  });
  return join(folder, "main.js");
}

async function runScenario(scenario) {
  const bench = createBench({ program, scenario });
  let end;
  try {
    end = await scenario.prepare?.(bench);
    const environment = { ...bench.environment, ...(await scenario.environment?.(bench)) };
    const start = {
      folder: bench.folder,
      environment,
      words: typeof scenario.words === "function" ? await scenario.words(bench) : scenario.words,
      stdin: scenario.stdin,
      talk: scenario.serves && (scenario.isOverHttp ? talkOverHttp : talkOf)(scenario.serves),
    };
    bench.save();
    const run = async (fault) => {
      bench.restore();
      return tracedRun({ program, start, fault, logFile: join(bench.root, "trace") });
    };
    bench.restore();
    const before = bench.files();
    // The first run compiles the modules that it loads.
    await run();
    const plain = await run();
    const after = bench.files();
    if (values.list) process.stdout.write(`${scenario.name}:${plain.exitCode}\n${plain.stdout}${plain.stderr}`);
    const targets = targetsOf(plain, bench.folder)
      .filter(({ error }) => values.error === undefined || error === values.error)
      .filter((_target, index) => index % every === 0);
    if (values.list)
      for (const { thread, call, ordinal, error, place } of targets)
        process.stdout.write(`${scenario.name}: ${thread} ${call} ${ordinal} ${error} ${place}\n`);
    const counts = Object.fromEntries(outcomes.map((outcome) => [outcome, 0]));
    const bad = [];
    let missed = 0;
    for (const fault of values.list ? [] : targets) {
      let faulted = await run(fault);
      let hit = placeHit(faulted.lines, fault, bench.folder);
      // The order of calls in two threads varies.
      for (let time = 1; hit !== fault.place && time < TRIES_MAX && !fault.place.startsWith("/proc/"); time++) {
        faulted = await run(fault);
        hit = placeHit(faulted.lines, fault, bench.folder);
      }
      if (hit !== fault.place) {
        missed++;
        if (values.details)
          process.stdout.write(
            `${scenario.name}: missed: ${fault.call}#${fault.ordinal} ${fault.error} ${fault.place}, hit ${hit}\n`,
          );
        continue;
      }
      const { outcome, reason } = judge({ run: faulted, fault, plain, scenario, now: bench.files(), before, after });
      counts[outcome]++;
      if (outcome !== "success" && outcome !== "clean") {
        bad.push({
          name: scenario.name,
          ...fault,
          place: hit,
          outcome,
          reason,
          exitCode: faulted.exitCode,
          said: `${faulted.stderr}${faulted.stdout}`,
        });
        process.stderr.write(badText(bad.at(-1)));
      } else if (values.details)
        process.stdout.write(
          `${scenario.name}: ${outcome}: ${fault.call}#${fault.ordinal} ${fault.error} ${hit}: ${faulted.exitCode}: ${(faulted.stderr || faulted.stdout).slice(0, 300)}\n`,
        );
    }
    process.stderr.write(`${scenario.name} (exit code ${plain.exitCode}) ${JSON.stringify(counts)}\n`);
    return { name: scenario.name, plain, counts, missed, bad };
  } finally {
    if (typeof end === "function") await end();
    bench.remove();
  }
}

function printTable() {
  const rows = wanted
    .map(({ name }) => results.find((result) => result.name === name))
    .map(({ name, counts, missed }) => [name, ...outcomes.map((outcome) => counts[outcome]), missed]);
  const totals = [
    "all",
    ...[...outcomes, "missed"].map((_outcome, index) => rows.reduce((sum, row) => sum + row[index + 1], 0)),
  ];
  process.stdout.write("\n");
  for (const row of [["scenario", ...outcomes, "missed"], ...rows, totals])
    process.stdout.write(
      `${String(row[0]).padEnd(20)}${row
        .slice(1)
        .map((cell) => String(cell).padStart(9))
        .join("")}\n`,
    );
  const bad = results.flatMap((result) => result.bad);
  for (const one of bad) process.stdout.write(badText(one));
  process.exitCode = bad.length > 0 ? 1 : 0;
}

function badText({ name, outcome, reason, thread, call, ordinal, error, place, exitCode, said }) {
  const lines = said
    .trim()
    .split("\n")
    .slice(0, 6)
    .map((line) => `    ${line.slice(0, 200)}\n`);
  return `\n${outcome} in ${name}: ${error} from ${call} (${thread} ${ordinal}) at ${place}: ${reason ?? ""}; exit code ${exitCode}\n${lines.join("")}`;
}
