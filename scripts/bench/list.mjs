// `dottool list` over more and more definitions, with and without what is kept of the last, and over YAML beside .tool files.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { loadFrontEnd } from "../../src/catalog/front-end.ts";
import { yamlText } from "../../src/language/write/yaml-text.ts";
import { definition, timePrograms, trustProject, withFolder, writeDefinitions } from "./programs.mjs";

const COUNTS = [1, 100, 1_000, 10_000];
const TARGET_COUNT = 1_000;
const FLOOR_RATIO_MAX = 1.5;
/** What was written within it may be written again unseen, so nothing is kept of it: see src/catalog/settled.ts. */
const TICK_MS = 2_100;
/** How much dearer a definition may be among ten thousand than among a thousand. */
const GROWTH_MAX = 1.2;

export async function benchList(dottool) {
  const rows = [];
  const warmMs = new Map();
  for (const count of COUNTS) {
    const ms = await timeList(dottool, count, writeDefinitions);
    warmMs.set(count, ms.warm);
    const floor = { reference: ms.node, of: "node -e 0" };
    rows.push({ name: `dottool list, ${count} definitions, cold`, value: ms.cold, unit: "ms", ...floor });
    rows.push({ name: `dottool list, ${count} definitions, --tags read, which is not kept`, value: ms.anew, unit: "ms", ...floor });
    rows.push({ name: `dottool list, ${count} definitions, warm`, value: ms.warm, unit: "ms", ...floor, ...(count === TARGET_COUNT ? { target: ms.node * FLOOR_RATIO_MAX } : {}) });
  }
  const asYaml = await timeList(dottool, TARGET_COUNT, await yamlWriter());
  rows.push({ name: `dottool list, ${TARGET_COUNT} definitions in YAML, cold`, value: asYaml.cold, unit: "ms", reference: asYaml.node, of: "node -e 0" });
  rows.push({ name: `dottool list, ${TARGET_COUNT} definitions in YAML, warm`, value: asYaml.warm, unit: "ms", reference: warmMs.get(TARGET_COUNT), of: "as .tool" });
  const perDefinition = (from, to) => ((warmMs.get(to) - warmMs.get(from)) * 1000) / (to - from);
  const among1000 = perDefinition(1, 1_000);
  rows.push({ name: "a definition among 10,000, warm", value: perDefinition(1_000, 10_000), unit: "µs", reference: among1000, of: "among 1,000", target: among1000 * GROWTH_MAX });
  return rows;
}

/** As `writeDefinitions`, in custom-tools YAML. */
async function yamlWriter() {
  const { read } = await loadFrontEnd("any.tool");
  return (folder, count) => {
    mkdirSync(folder, { recursive: true });
    for (let index = 0; index < count; index++) writeFileSync(join(folder, `tool_${index}.yaml`), yamlText(read({ path: `tool_${index}.tool`, text: definition(index) }, { scope: "project" }).value));
  };
}

function timeList(dottool, count, write) {
  return withFolder(async ({ project, home, environment }) => {
    write(join(project, ".tools"), count);
    await trustProject({ project, home });
    const list = { argv: [dottool, "list"], cwd: project, environment };
    const forget = () => rmSync(join(home, ".cache"), { recursive: true, force: true });
    const node = { argv: [process.execPath, "-e", "0"], cwd: project, environment };
    const rounds = count > 1_000 ? 3 : count > 100 ? 7 : 15;
    const { cold } = timePrograms({ cold: { ...list, before: forget } }, rounds);
    // The cache of definitions first, and behind a tick the list that was made of it.
    await setTimeout(TICK_MS);
    const timed = timePrograms({ node, warm: list, anew: { ...list, argv: [...list.argv, "--tags", "read"] } }, rounds * 2);
    return { ...timed, cold };
  });
}
