// `npm run package -- [--target TARGET,…|all]`: dist/dottool-TARGET, each one file that needs nothing else. The one for this machine
// carries warm V8 code caches and is run once; the others are built and inspected only.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import * as esbuild from "esbuild";
import { baseFor, nativeTarget, targets, versionOf } from "./package/bases.mjs";
import { buildChunks, warmChunks } from "./package/chunks.mjs";
import { makeExecutable } from "./package/executable.mjs";

const { values } = parseArgs({ options: { target: { type: "string", default: nativeTarget }, entry: { type: "string", default: "src/main.ts" } } });
const wanted = values.target === "all" ? targets : values.target.split(",");
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const folder = resolve("dist/chunks");
const boot = resolve("dist/boot.cjs");

mkdirSync("dist", { recursive: true });
await buildBoot();
await buildAmaro();
await buildSandboxWorker();
const names = await buildChunks({ entry: resolve(values.entry), folder });
const caches = warmChunks({ node: await baseFor(nativeTarget), folder, names });
for (const target of wanted) await packageFor(target);

async function buildBoot() {
  await esbuild.build({ entryPoints: ["scripts/package/boot.cjs"], outfile: boot, bundle: true, platform: "node", target: "node24", define: { "process.env.VERSION": JSON.stringify(version) } });
}

/** Turns enums and the like of plugins into JavaScript. 3.8 MB that few need, so it is read only then. */
async function buildAmaro() {
  await esbuild.build({ entryPoints: ["node_modules/amaro/dist/index.js"], outfile: "dist/amaro.cjs", bundle: true, minify: true, platform: "node", format: "cjs", logLevel: "warning" });
}

/** The sandbox's thread is a script of its own; its machine lies beside it as bytes. Both are read when code first runs there. */
async function buildSandboxWorker() {
  await esbuild.build({ entryPoints: ["src/host/sandbox-worker.ts"], outfile: "dist/sandbox-worker.cjs", bundle: true, minify: true, platform: "node", target: "node24", format: "cjs", logLevel: "warning" });
}

async function packageFor(target) {
  const startMs = performance.now();
  const isNative = target === nativeTarget;
  const assets = { "amaro.cjs": resolve("dist/amaro.cjs"), "sandbox-worker.cjs": resolve("dist/sandbox-worker.cjs"), "quickjs.wasm": resolve("node_modules/quickjs-wasi/quickjs.wasm") };
  for (const name of names) assets[name] = resolve(folder, name);
  if (isNative) for (const name of caches) assets[`${name}.cache`] = resolve(folder, `${name}.cache`);
  const file = await makeExecutable({ target, main: boot, assets });
  if (isNative) smokeTest(file);
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  console.log(`${relative(".", file)}  ${(statSync(file).size / 1e6).toFixed(1)} MB  node ${versionOf(target)}  ${seconds} s`);
}

function smokeTest(file) {
  const said = execFileSync(file, ["--version"], { encoding: "utf8" });
  if (said !== `dottool ${version}\n`) throw new Error(`${file} --version says ${JSON.stringify(said)}`);
}
