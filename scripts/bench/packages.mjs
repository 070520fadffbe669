// `dottool install` of 20 packages beside `npm ci` of the same, from a registry on this machine, with nothing stored.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startRegistry } from "../../test/packages/registry-fixture.ts";
import { timePrograms, withFolder } from "./programs.mjs";

const PACKAGES = 20;
const ROUNDS = 7;
const RATIO_MAX = 1.5;

export function benchPackages(dottool) {
  return withFolder(async ({ home }) => {
    const registry = await startRegistry();
    const names = Array.from({ length: PACKAGES }, (_, index) => `pack-${index}`);
    for (const name of names) await registry.publish({ name });
    const [ours, npms] = [placeIn(join(home, "ours"), registry.url), placeIn(join(home, "npms"), registry.url)];
    const runIn = ({ cwd, environment }, ...argv) =>
      execFileSync(argv[0], argv.slice(1), { cwd, env: environment, stdio: "pipe" });
    runIn(ours, dottool, "add", ...names);
    const dependencies = Object.fromEntries(names.map((name) => [name, "1.0.0"]));
    writeFileSync(join(npms.cwd, "package.json"), JSON.stringify({ name: "all", version: "1.0.0", dependencies }));
    runIn(npms, "npm", "install");
    const install = { ...ours, argv: [dottool, "install", "--frozen"] };
    const ms = timePrograms(
      {
        first: { ...install, before: () => emptied(ours.environment.HOME) },
        again: install,
        npm: {
          ...npms,
          argv: ["npm", "ci"],
          before: () => emptied(npms.environment.HOME, join(npms.cwd, "node_modules")),
        },
      },
      ROUNDS,
    );
    const beside = { unit: "ms", reference: ms.npm, of: "npm ci" };
    return [
      { name: `install of ${PACKAGES} packages`, value: ms.first, ...beside, target: ms.npm * RATIO_MAX },
      { name: `install of ${PACKAGES} packages that are stored already`, value: ms.again, ...beside },
    ];
  });
}

/** Makes a project with a home of its own, and returns how programs start there. */
function placeIn(folder, registry) {
  const [cwd, home] = [join(folder, "project"), join(folder, "home")];
  for (const made of [cwd, home]) mkdirSync(made, { recursive: true });
  const npm = { npm_config_registry: registry, npm_config_audit: "false", npm_config_fund: "false" };
  return { cwd, environment: { PATH: process.env.PATH, HOME: home, ...npm } };
}

function emptied(...folders) {
  for (const folder of folders) rmSync(folder, { recursive: true });
  mkdirSync(folders[0]);
}
