// Run by the Node that becomes the executable: runs commands from the chunks, then writes the V8 code cache of every
// script that they loaded. Such a cache has only the functions that were called, which are those that the next run
// needs. Usage: node warm.mjs CHUNKS COMMANDS LOADED. COMMANDS is a JSON file: an array of phases, each an array of
// commands, each an array of words. A script's cache is written after the first phase that loads it; functions that
// later phases call would only make it slower to read. LOADED is the file for each command's exit code and the names of
// the chunks that it loaded.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { groupsFor, makeRequire, openChunks } from "./chunk-loader.mjs";

const [folder, commandFile, loadedFile] = process.argv.slice(2);
const phases = JSON.parse(readFileSync(commandFile, "utf8"));
const texts = readFileSync(join(folder, "texts"));
const loaders = new Map();
const runs = [];
const written = new Set();

// The optimizing compilers. An optimized function may have no bytecode left for the cache. A cache must be written
// under the flags with which it is read.
const tiers = ["sparkplug", "maglev", "opt"];
const setTiers = (prefix) => setFlagsFromString(tiers.map((tier) => `--${prefix}${tier}`).join(" "));
setTiers("no-");
/** The defaults of what src/core/host/processes/lean-heap.ts sets: V8 refuses a cache that was made under other flags. */
const HEAP_DEFAULTS = "--semi-space-growth-factor=2 --heap-growing-percent=0 --no-expose-gc";
/** What makes a cache differ from one build to the next, and the default under which it is written. */
const CHANCE_DEFAULTS = "--hash-seed=0 --flush-bytecode";

// A command is over when nothing is left to wait for. Then the next one starts, with modules of its own.
process.exit = () => {};
process.reallyExit = () => {};
process.on("beforeExit", () => {
  if (runs.length > 0) runs.at(-1).exitCode ??= process.exitCode;
  if (phases.length === 0) return finish();
  const command = phases[0].shift();
  if (command === undefined) {
    // After the end of the last command, which this event begins too.
    setImmediate(() => {
      writeCaches();
      phases.shift();
    });
    return;
  }
  process.argv = [process.execPath, "dottool", ...command];
  // Each run of the program listens.
  process.removeAllListeners("uncaughtException");
  const run = makeRequire({
    factoryOf: loaderFor(command).factoryOf,
    requireBuiltIn: createRequire(import.meta.url),
    textAt: (start, end) => texts.utf8Slice(start, end),
  });
  runs.push(run);
  process.exitCode = undefined;
  run.requireChunk("./main.js");
  // Something must be left to wait for, or a command that does all its work at once would be the last.
  setImmediate(() => {});
});

function loaderFor(command) {
  const groups = groupsFor(command);
  const [group] = groups;
  if (!loaders.has(group))
    loaders.set(
      group,
      openChunks({ groups, read: (name) => readFileSync(join(folder, name), "latin1"), readCache: () => undefined }),
    );
  return loaders.get(group);
}

function writeCaches() {
  setTiers("");
  setFlagsFromString(HEAP_DEFAULTS);
  setFlagsFromString(CHANCE_DEFAULTS);
  for (const [name, script] of [...loaders.values()].flatMap(({ scripts }) => [...scripts])) {
    if (!written.has(name)) writeFileSync(join(folder, `${name}.cache`), script.createCachedData());
    written.add(name);
  }
  setTiers("no-");
}

function finish() {
  writeFileSync(loadedFile, JSON.stringify(runs.map((run) => ({ names: run.loadedNames(), exitCode: run.exitCode }))));
  process.exitCode = 0;
}
