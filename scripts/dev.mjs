// `npm run dev -- [FILTER…]`: runs types and the matching tests again whenever a file changes.
import { spawnSync } from "node:child_process";
import { watch } from "node:fs";

const SETTLE_MS = 100;
const filters = process.argv.slice(2);
let timer;

for (const folder of ["src", "test", "grammar", "wrapped-tools", "plugins"]) {
  watch(folder, { recursive: true }, (_event, file) => {
    // Files that the checks generate must not start them again.
    if (file?.startsWith("generated")) return;
    clearTimeout(timer);
    timer = setTimeout(check, SETTLE_MS);
  });
}
check();

function check() {
  console.clear();
  const options = { stdio: "inherit" };
  spawnSync("node", ["scripts/generate.mjs"], options);
  spawnSync("tsc", ["-p", "."], options);
  spawnSync("node", ["test/run.ts", ...filters], options);
}
