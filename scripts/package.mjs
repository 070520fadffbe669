// `npm run package -- [--target TARGET,…|all] [--when-stale]`: makes dist/dottool-TARGET, each one file that needs
// nothing else. The one for this machine contains V8 code caches and has to make a call; the others are only built
// and inspected. `--when-stale` builds nothing if the one for this machine was made from the same files.
import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import * as esbuild from "esbuild";
import { emptyMarker } from "../src/core/tool/bundle-marker.ts";
import { baseFor, nativeTarget, targets, versionOf } from "./package/bases.mjs";
import { buildChunks, groupChunks } from "./package/chunks.mjs";
import { executableFor, makeExecutable } from "./package/executable.mjs";
import { isMadeFromInputs, recordInputs } from "./package/inputs.mjs";
import { buildConfine, buildLauncher } from "./package/launcher.mjs";
import { licensesText } from "./package/licenses.mjs";
import { ALIGNMENT_BYTES, writePack } from "./package/pack.mjs";
import { smokeTest } from "./package/smoke-test.mjs";

const { values } = parseArgs({
  options: {
    target: { type: "string", default: nativeTarget },
    entry: { type: "string", default: "src/main.ts" },
    "when-stale": { type: "boolean" },
  },
});
if (values["when-stale"] && isMadeFromInputs(executableFor(nativeTarget))) process.exit();
const wanted = values.target === "all" ? targets : values.target.split(",");
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const folder = resolve("dist/chunks");
const boot = resolve("dist/boot.cjs");
const pack = resolve("dist/pack");
const licenses = resolve("dist/licenses.txt");
const COMMON = { bundle: true, platform: "node", format: "cjs", metafile: true, logLevel: "warning" };
const PACK_HEAD_BYTES = 256;

mkdirSync("dist", { recursive: true });
const metafiles = [
  await buildBoot(),
  await buildAmaro(),
  await buildWorker("sandbox-worker"),
  await buildWorker("typescript-worker"),
];
const { names, metafile } = await buildChunks({ entry: resolve(values.entry), folder });
// The base of this machine also stands for the others, whose packages have the same license.
writeFileSync(
  licenses,
  licensesText({ metafiles: [...metafiles, metafile], packages: [`node-${nativeTarget}`, "quickjs-wasi"] }),
);
const parts = groupChunks({ node: await baseFor(nativeTarget), folder, names });
for (const target of wanted) await packageFor(target);

async function buildBoot() {
  const { metafile } = await esbuild.build({
    ...COMMON,
    entryPoints: ["scripts/package/boot.mjs"],
    outfile: boot,
    target: "node24",
    minifyWhitespace: true,
    minifySyntax: true,
    define: {
      "process.env.VERSION": JSON.stringify(version),
      "process.env.BUNDLE_MARKER": JSON.stringify(emptyMarker),
    },
  });
  return metafile;
}

/** Builds the compiler from TypeScript to JavaScript, 3.8 MB in an asset of its own that is read only when needed. */
async function buildAmaro() {
  const { metafile } = await esbuild.build({
    ...COMMON,
    entryPoints: ["node_modules/amaro/dist/index.js"],
    outfile: "dist/amaro.cjs",
    minify: true,
  });
  return metafile;
}

/** Builds a thread's script. Its asset is the sandbox's machine or the compiler, read when a thread first starts. */
async function buildWorker(name) {
  const { metafile } = await esbuild.build({
    ...COMMON,
    entryPoints: [`src/features/javascript/host/${name}.ts`],
    outfile: `dist/${name}.cjs`,
    minify: true,
    target: "node24",
  });
  return metafile;
}

async function packageFor(target) {
  const startMs = performance.now();
  const isNative = target === nativeTarget;
  // A code cache only works in the V8 that made it.
  writePack(pack, isNative ? parts : { first: withoutCaches(parts.first), rest: withoutCaches(parts.rest) });
  const launcher = buildLauncher(target);
  const confine = buildConfine(target);
  const assets = {
    pack,
    ...(launcher === undefined ? {} : { launcher: resolve(launcher) }),
    ...(confine === undefined ? {} : { confine: resolve(confine) }),
    licenses,
    "amaro.cjs": resolve("dist/amaro.cjs"),
    "sandbox-worker.cjs": resolve("dist/sandbox-worker.cjs"),
    "typescript-worker.cjs": resolve("dist/typescript-worker.cjs"),
    "quickjs.wasm": resolve("node_modules/quickjs-wasi/quickjs.wasm"),
  };
  let file = await makeExecutable({ target, main: boot, assets });
  if (isNative && missingToAligned(file) > 0) {
    // The script precedes the assets, so padding it moves them.
    appendFileSync(boot, "\n".repeat(missingToAligned(file)));
    file = await makeExecutable({ target, main: boot, assets });
    if (missingToAligned(file) > 0)
      throw new Error(`the pack in ${file} is not aligned, so V8 would copy each code cache`);
  }
  if (isNative) {
    smokeTest(file, version);
    if (values.entry === "src/main.ts") recordInputs(file);
  }
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  console.log(
    `${relative(".", file)}  ${(statSync(file).size / 1e6).toFixed(1)} MB  node ${versionOf(target)}  ${seconds} s`,
  );
}

/**
 * Returns the bytes by which the pack must move in the executable, because pages are mapped as they lie in the file.
 */
function missingToAligned(file) {
  const at = readFileSync(file).indexOf(readFileSync(pack).subarray(0, PACK_HEAD_BYTES));
  return (ALIGNMENT_BYTES - (at % ALIGNMENT_BYTES)) % ALIGNMENT_BYTES;
}

function withoutCaches(paths) {
  return Object.fromEntries(Object.entries(paths).filter(([name]) => !name.endsWith(".cache")));
}
