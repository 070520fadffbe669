// The program as CommonJS chunks. Every module imported with `import()` in src/ is a chunk of its own, so that a call
// loads only what it needs. esbuild only splits ESM, so every chunk is converted to CommonJS afterwards.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { readContent, trustContent } from "../../src/core/catalog/trusted-content.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { collectLongTexts } from "./long-texts.mjs";
import {
  greetTool,
  hookCommands,
  hookInput,
  hotCommands,
  listAnewCommands,
  listCommands,
  mcpCommands,
  mcpInput,
} from "./sample-commands.mjs";

/** The timestamp resolution of file systems: see src/core/catalog/cache.ts. */
const TICK_MS = 2_100;
const SAMPLES_MS_MAX = 60_000;
const SMALL_BYTES_MAX = 1_500;
/** A cache has unused bytes, which are zero unless a collection of garbage has freed the memory before. */
const STEADY = ["--hash-seed=1", "--no-flush-bytecode", "--initial-old-space-size=1024"];
/**
 * The scripts of a warm call, of a decision, of a cached list, the addition for a new list, and that of `mcp`. They are
 * separate, so that none reads code that it does not run. That of `mcp` is read before `mcp` changes flags of V8, under
 * which it would refuse the code caches of chunks.
 */
const HOT = "./hot.js";
const HOOK = "./hook.js";
const LIST = "./list.js";
const LIST_ANEW = "./list-anew.js";
const MCP = "./mcp.js";
const TEXTS = "texts";
const COMMON = { platform: "node", target: "node24", charset: "ascii", legalComments: "none", logLevel: "warning" };

/**
 * Writes `main.js` and its imports to `folder`. Returns the names by which chunks import each other (`./main.js`), and
 * esbuild's metafile.
 */
export async function buildChunks({ entry, folder }) {
  const { outputFiles, metafile } = await esbuild.build({
    ...COMMON,
    entryPoints: { main: entry },
    outdir: folder,
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: "esm",
    define: { "import.meta.url": "undefined" },
  });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const names = [];
  const texts = collectLongTexts();
  for (const file of outputFiles) {
    const name = `./${basename(file.path)}`;
    writeFileSync(join(folder, name), texts.withoutLongTexts(await asCommonJs(file.text, name)));
    names.push(name);
  }
  writeFileSync(join(folder, TEXTS), texts.all());
  for (const name of [HOT, HOOK, LIST, LIST_ANEW, MCP]) writeFileSync(join(folder, name), "[]");
  return { names, metafile };
}

const MINIFIED = { minifyWhitespace: true, minifySyntax: true, minifyIdentifiers: true };

/**
 * Converts a chunk. Names of functions, classes and methods stay, because a crash report must show where it happened.
 * Local variables are renamed: `minifyIdentifiers` does not touch the top level of a script.
 */
async function asCommonJs(source, name) {
  const { code } = await esbuild.transform(source, { ...COMMON, format: "cjs", sourcefile: name });
  const loaded = code
    // Only chunks are imported with a literal "./", since plugins have computed addresses. Built-in modules take this
    // way too, because the real `import()` starts Node's loader of ES modules, which costs 1.5 ms.
    .replaceAll(/\bimport\("(\.\/[\w.-]+\.js|node:[\w/]+)"\)/g, 'importChunk("$1")')
    // esbuild would copy every property of a built-in module to give it a `default`, which takes 4 ms in total.
    .replaceAll(/__toESM\(require\("([\w:/]+)"\)(?:, 1)?\)/g, (all, module) =>
      isBuiltin(module) ? `builtIn("${module}")` : all,
    );
  const minified = await esbuild.transform(importedWhenUsed(withoutPreamble(loaded)), { ...COMMON, ...MINIFIED });
  const [, gone] = /(?<![\w.]|get )(__(?:export|toESM|toCommonJS))\(/.exec(minified.code) ?? [];
  if (gone !== undefined && !minified.code.includes(`${gone}=`))
    throw new Error(`${name} calls \`${gone}\`, which was taken out of it`);
  return `(function(require,module,importChunk,builtIn,__text){${asAscii(minified.code)}\n})`;
}

/** Chunks are read as Latin-1. esbuild escapes the other characters of texts, but not those of regular expressions. */
function asAscii(code) {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const chunkImport = /^var (import_\w+) = require\("(\.\/[\w.-]+)"\);\n/gm;

/**
 * Delays imports until they are used, so that most calls do not load chunks that they might need, and `hot.js` does not
 * contain them. The order of evaluation does not matter, because modules only define things or do something once (zod's
 * settings). A chunk that is never used, which esbuild only imports for its place in the order, is not loaded at all.
 */
function importedWhenUsed(code) {
  const chunks = new Map([...code.matchAll(chunkImport)].map(([, name, chunk]) => [name, chunk]));
  const rest = code.replace(chunkImport, "").replace(/\bimport_\w+\b(?=(\.)?)/g, (name, dot) => {
    const chunk = chunks.get(name);
    if (chunk === undefined) return name;
    if (dot === undefined) throw new Error(`${name} stands for a whole chunk where only what it exports was expected`);
    return `(${name} ??= require("${chunk}"))`;
  });
  return withShortImports(chunks.size === 0 ? rest : `var ${[...chunks.keys()].join(", ")};\n${rest}`, chunks.keys());
}

/** Names at the top stay as they are, and those of imports are a tenth of a chunk. */
function withShortImports(code, names) {
  const imports = new Set([...names, ...[...code.matchAll(/^var (import_\w+) = /gm)].map(([, name]) => name)]);
  const short = new Map([...imports].map((name, index) => [name, `$i${index}`]));
  if (/\$i\d/.test(code)) throw new Error("a chunk has names such as those that its imports get");
  return code.replace(/\bimport_\w+\b/g, (name) => short.get(name) ?? name);
}

const preamble =
  /^(?:"use strict";\n)?(?:var __(?:create|defProp|getOwnPropDesc|getOwnPropNames|getProtoOf|hasOwnProp|export|copyProps|toESM|toCommonJS) = (?:.*;\n|.*\n(?: .*\n|\}.*\n|\)\);\n)+))+var (\w+_exports) = \{\};\n/;

/**
 * Replaces the functions that esbuild puts at the head of every chunk by plain code, which saves 1 ms of a call.
 * Exports are read when they are used, because chunks may import each other in a circle.
 */
function withoutPreamble(code) {
  const [head, exported] = preamble.exec(code) ?? [];
  if (head === undefined) return code;
  const rest = code.slice(head.length).replace(`module.exports = __toCommonJS(${exported});\n`, "");
  return rest.replace(
    new RegExp(`^__export\\(${exported}, \\{\n((?:  .*\n)*)\\}\\);\n`, "m"),
    (_all, lines) => `module.exports = {\n${lines.replaceAll(exportLine, "  get $1() { return $2; }$3")}};\n`,
  );
}

const exportLine = /^ {2}(.+?): \(\) => (.*?)(,?)$/gm;

/** Beside each other: a sandbox refuses a working folder that contains the home folder. */
const [HOME, PROJECT] = ["home", "project"];

/**
 * Runs typical commands with `node`, merges the chunks of a warm call into `hot.js` and those of a list into `list.js`,
 * and writes the code caches. Two builds of the same files are the same. Returns the paths of the parts of an executable, those of warm calls first. A cache
 * follows its part as `NAME.cache`.
 */
export function groupChunks({ node, folder, names }) {
  const work = mkdtempSync(join(tmpdir(), "dottool-samples-"));
  try {
    for (const [tools, name] of [
      [`${HOME}/.config/dottool/tools`, "greet"],
      [`${PROJECT}/.tools`, "wave"],
    ]) {
      mkdirSync(join(work, tools), { recursive: true });
      writeFileSync(join(work, tools, `${name}.tool`), greetTool.replace("@name greet", `@name ${name}`));
    }
    trustProject(work);
    const run = (commands, input = mcpInput) => runCommands({ node, folder, work, commands, input });
    // The first run fills the cache of definitions, and a list after a tick is cached. The runs after that are like all
    // later ones.
    run([...hotCommands, ...listCommands]);
    waitForTick();
    run(listCommands);
    const ofLists = new Set();
    for (const [group, commands] of [
      [HOT, hotCommands],
      [HOOK, hookCommands],
      [LIST, listCommands],
      [LIST_ANEW, listAnewCommands],
      [MCP, mcpCommands],
    ]) {
      const runs = run(commands, group === HOOK ? hookInput : mcpInput);
      runs.forEach(({ exitCode }, index) => {
        // The parts of a failure would count as parts of every call.
        if (exitCode !== 0)
          throw new Error(
            `\`dottool ${commands[index].join(" ")}\` ends with exit code ${exitCode} while the build looks what it loads`,
          );
      });
      const used = withSmallOnes(folder, new Set(runs.flatMap((one) => one.names)));
      const loaded = names.filter((name) => used.has(name) && !(group === LIST_ANEW && ofLists.has(name)));
      if (group === LIST) for (const name of loaded) ofLists.add(name);
      writeFileSync(
        join(folder, group),
        `[${loaded.map((name) => `${JSON.stringify(name)},${readFileSync(join(folder, name), "latin1")}`).join(",")}]`,
      );
    }
    execFileSync(node, [...STEADY, script("code-caches.mjs"), folder], { stdio: "pipe" });
    return { first: pathsOf(folder, [HOT, HOOK, LIST, LIST_ANEW, MCP, TEXTS]), rest: pathsOf(folder, names) };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Adds the small chunks that these may load. A slow machine needs some of them, such as what stops a long search, and
 * the executable shall not depend on the speed of the machine that builds it.
 */
function withSmallOnes(folder, used) {
  for (const name of used)
    for (const [, other] of readFileSync(join(folder, name), "latin1").matchAll(/\brequire\("(\.\/[\w.-]+)"\)/g))
      if (statSync(join(folder, other)).size <= SMALL_BYTES_MAX) used.add(other);
  return used;
}

/**
 * Trusts the project as its user has. The tool is older than a tick of the clock, so that a call only looks at dates,
 * as nearly every call does.
 */
function trustProject(work) {
  const host = createNodeHost();
  const own = {
    ...host,
    folders: { ...host.folders, state: join(work, HOME, ".local/state/dottool"), temporary: tmpdir() },
  };
  waitForTick();
  trustContent(readContent(join(work, PROJECT, ".tools"), own), own);
}

function waitForTick() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TICK_MS);
}

/** Returns the files of the chunks and of their caches, by name. */
function pathsOf(folder, names) {
  const files = names.flatMap((name) => [name, `${name}.cache`]);
  return Object.fromEntries(files.map((name) => [name, join(folder, name)]).filter(([, path]) => existsSync(path)));
}

/** Returns each command's exit code, and the names of the chunks that it loaded. */
function runCommands({ node, folder, work, commands, input }) {
  const commandFile = join(work, "commands.json");
  const loadedFile = join(work, "loaded.json");
  writeFileSync(commandFile, JSON.stringify(commands));
  execFileSync(
    node,
    ["--disable-warning=ExperimentalWarning", script("run-samples.mjs"), folder, commandFile, loadedFile],
    {
      cwd: join(work, PROJECT),
      env: { PATH: process.env.PATH, HOME: join(work, HOME) },
      input,
      timeout: SAMPLES_MS_MAX,
      // What the samples print is not the build's. An error has it.
      stdio: "pipe",
    },
  );
  return JSON.parse(readFileSync(loadedFile, "utf8"));
}

const script = (name) => fileURLToPath(new URL(name, import.meta.url));
