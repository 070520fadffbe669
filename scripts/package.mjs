// `npm run package -- [--target TARGET,…|all]`: dist/dottool-TARGET, each one file that needs nothing else. The one for this machine
// carries a warm V8 code cache and is run once; the others are built and inspected only.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { baseFor, nativeTarget, targets, versionOf } from "./package/bases.mjs";
import { buildChunks } from "./package/chunks.mjs";
import { makeExecutable } from "./package/executable.mjs";
import { warmCommands, withWarmFolder } from "./package/warm-commands.mjs";

const { values } = parseArgs({ options: { target: { type: "string", default: nativeTarget }, entry: { type: "string", default: "src/main.ts" } } });
const wanted = values.target === "all" ? targets : values.target.split(",");
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const chunks = resolve("dist/chunks");
const boot = resolve("dist/boot.cjs");

const names = await buildChunks({ entry: resolve(values.entry), folder: chunks });
mkdirSync("dist", { recursive: true });
writeFileSync(boot, readFileSync(new URL("./package/boot.cjs", import.meta.url), "utf8").replace("__VERSION__", version));
for (const target of wanted) await packageFor(target);

async function packageFor(target) {
  const startMs = performance.now();
  const isNative = target === nativeTarget;
  if (isNative) await warm(await baseFor(target));
  const assets = Object.fromEntries(names.map((name) => [name, resolve(chunks, name)]));
  if (isNative) for (const name of names) if (existsSync(`${assets[name]}.cache`)) assets[`${name}.cache`] = `${assets[name]}.cache`;
  const file = await makeExecutable({ target, main: boot, assets });
  if (isNative) smokeTest(file);
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  console.log(`${file.replace(`${resolve(".")}/`, "")}  ${(statSync(file).size / 1e6).toFixed(1)} MB  node ${versionOf(target)}  ${seconds} s`);
}

async function warm(node) {
  await withWarmFolder((folder) => {
    const commandFile = resolve("dist/warm-commands.json");
    writeFileSync(commandFile, JSON.stringify(warmCommands));
    // The same V8 flags as the executable has: a cache made under other flags is refused.
    execFileSync(node, ["--disable-warning=ExperimentalWarning", resolve("scripts/package/warm.mjs"), chunks, commandFile], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 60_000,
    });
    rmSync(commandFile);
  });
}

function smokeTest(file) {
  const said = execFileSync(file, ["--version"], { encoding: "utf8" });
  if (said !== `dottool ${version}\n`) throw new Error(`${file} --version says ${JSON.stringify(said)}`);
}
