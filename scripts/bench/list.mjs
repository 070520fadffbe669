// `dottool list` over growing numbers of definitions, with and without their cache, and over YAML beside .tool files.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { loadDefinitionReader } from "../../src/core/catalog/definition-reader.ts";
import { yamlText } from "../../src/features/yaml/yaml-text.ts";
import { definition, timePrograms, timesOfPrograms, trustProject, withFolder, writeDefinitions } from "./programs.mjs";
import { lowerQuartile, median } from "./table.mjs";

const COUNTS = [1, 100, 1_000, 10_000];
const TARGET_COUNT = 1_000;
const FLOOR_RATIO_MAX = 2.5;
/**
 * The timestamp tick. A file written within it may be written again unseen, so nothing of it is cached: see
 * src/core/catalog/cache.ts.
 */
const TICK_MS = 2_100;
/** The limit of a definition's cost among ten thousand, relative to that among a thousand. */
const GROWTH_MAX = 1.2;
const CACHED_ROUNDS = 60;

export async function benchList(dottool) {
  const writers = new Map([
    ...COUNTS.map((count) => [`${count} definitions`, (folder) => writeDefinitions(folder, count)]),
    [`${TARGET_COUNT} definitions in YAML`, await yamlWriter(TARGET_COUNT)],
  ]);
  return withLists([...writers], { dottool, work: rowsOf });
}

/**
 * Makes all folders at once, so that the lists of all sizes take turns in each round. The rows are differences, which
 * are smaller than the drift of a machine within a minute.
 */
async function withLists([next, ...others], { dottool, work, lists = new Map() }) {
  if (!next) return work(lists);
  const [name, write] = next;
  return withFolder(async ({ project, home, environment }) => {
    write(join(project, ".tools"));
    await trustProject({ project, home });
    const forget = () => rmSync(join(home, ".cache"), { recursive: true, force: true });
    return withLists(others, {
      dottool,
      work,
      lists: lists.set(name, { argv: [dottool, "list"], cwd: project, environment, forget }),
    });
  });
}

async function rowsOf(lists) {
  const [{ cwd, environment }] = lists.values();
  const node = { argv: [process.execPath, "-e", "0"], cwd, environment };
  const cold = Object.fromEntries(
    [...lists].map(([name, { forget, ...list }]) => [
      name,
      timePrograms({ list: { ...list, before: forget } }, coldRounds(Number.parseInt(name, 10))).list,
    ]),
  );
  await setTimeout(TICK_MS);
  const cached = timesOfPrograms({ node, ...Object.fromEntries(lists) }, CACHED_ROUNDS);
  const floorMs = median(cached.node);
  const floor = { reference: floorMs, of: "node -e 0" };
  const rows = COUNTS.map((count) => `${count} definitions`).flatMap((name) => [
    { name: `dottool list, ${name}, cold`, value: cold[name], unit: "ms", ...floor },
    {
      name: `dottool list, ${name}, warm`,
      value: median(cached[name]),
      unit: "ms",
      ...floor,
      ...(Number.parseInt(name, 10) === TARGET_COUNT ? { target: floorMs * FLOOR_RATIO_MAX } : {}),
    },
  ]);
  const inYaml = `${TARGET_COUNT} definitions in YAML`;
  rows.push({ name: `dottool list, ${inYaml}, cold`, value: cold[inYaml], unit: "ms", ...floor });
  rows.push({
    name: `dottool list, ${inYaml}, warm`,
    value: median(cached[inYaml]),
    unit: "ms",
    reference: median(cached[`${TARGET_COUNT} definitions`]),
    of: "as .tool",
  });
  return [...rows, growthRow(cached)];
}

/**
 * Returns the cost of one more definition between a thousand and ten thousand, beside that between one and a thousand.
 */
function growthRow(times) {
  const msOf = (count) => lowerQuartile(times[`${count} definitions`]);
  const perDefinition = (from, to) => ((msOf(to) - msOf(from)) * 1000) / (to - from);
  const among1000 = perDefinition(1, 1_000);
  return {
    name: "a definition among 10,000, lower quartiles",
    value: perDefinition(1_000, 10_000),
    unit: "µs",
    reference: among1000,
    of: "among 1,000",
    target: among1000 * GROWTH_MAX,
  };
}

function coldRounds(count) {
  return count > 1_000 ? 3 : count > 100 ? 7 : 15;
}

/** Like `writeDefinitions`, in custom-tools YAML. */
async function yamlWriter(count) {
  const { read } = await loadDefinitionReader("any.tool");
  return (folder) => {
    mkdirSync(folder, { recursive: true });
    for (let index = 0; index < count; index++)
      writeFileSync(
        join(folder, `tool_${index}.yaml`),
        yamlText(read({ path: `tool_${index}.tool`, text: definition(index) }, { scope: "project" }).value),
      );
  };
}
