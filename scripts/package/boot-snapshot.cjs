"use strict";
// Run once, while the executable is built (`node --build-snapshot`): what the heap holds at the end is what each run of the executable begins
// with. That is the code of warm calls and lists, compiled as far as they run it, and the built-in modules they use. The program's own modules
// are not evaluated in it: as objects they would take longer to read than to make, and what they read of a machine must be read on each.
// DOTTOOL_SNAPSHOT: JSON with `folder`, of the chunks, and `commands`, which are run to have their code compiled.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { startupSnapshot } = require("node:v8");
const { HOT, makeRequire, openChunks } = require("./chunk-loader.cjs");
const { openPack } = require("./open-pack.cjs");
const { runCommands } = require("./run-commands.cjs");
const { start } = require("./start.cjs");

// The `require` of this script warns of modules of which Node does not promise that they can be in a snapshot; the tests tell.
const requireBuiltIn = process.getBuiltinModule;
const { folder, commands } = JSON.parse(process.env.DOTTOOL_SNAPSHOT);
const parts = new Map([HOT, "texts"].map((name) => [name, readFileSync(join(folder, name))]));
let part = (name) => parts.get(name) ?? (name.endsWith(".cache") ? undefined : refuse(`the commands of the snapshot load ${name}, which is not in ${HOT}`));
const { scripts, factoryOf } = openChunks({ read: (name) => part(name).latin1Slice(), readCache: (name) => part(`${name}.cache`) });
const loader = () => makeRequire({ factoryOf, requireBuiltIn, textAt: (from, to) => part("texts").utf8Slice(from, to) });

forgetCompiledCode();
const forgetTimers = keepTimers();
runCommands({
  commands,
  loaderFor: loader,
  then: (runs) => {
    for (const { command, exitCode } of runs) if (exitCode !== 0) refuse(`\`dottool ${command.join(" ")}\` ends with exit code ${exitCode} while the snapshot is made`);
    forgetTimers();
    // When a timer fires with none behind it, Node forgets the time for which it had set the last; it would set none for later ones.
    setTimeout(takeSnapshot, 1);
  },
});

/** Gives a function that clears all that were set since: one that is still set would fire in each run. */
function keepTimers() {
  const { setTimeout, setInterval } = globalThis;
  const timers = [];
  const kept = (timer) => timers[timers.push(timer) - 1];
  globalThis.setTimeout = (...given) => kept(setTimeout(...given));
  globalThis.setInterval = (...given) => kept(setInterval(...given));
  return () => {
    Object.assign(globalThis, { setTimeout, setInterval });
    timers.forEach(clearTimeout);
  };
}

/** What Node ran to begin would be read at every start and never run again. V8 forgets code that has not run for some collections of garbage. */
function forgetCompiledCode() {
  const ROUNDS = 20;
  const ARRAYS = 30;
  const LENGTH = 1_000_000;
  for (let round = 0; round < ROUNDS; round += 1) Array.from({ length: ARRAYS }, () => new Array(LENGTH).fill(round));
}

function takeSnapshot() {
  // A script cannot be in a snapshot; its functions can.
  scripts.clear();
  parts.clear();
  // Node remembers the working folder until it changes, and what it read last stands in a pool of memory until the next one is begun.
  process.chdir(".");
  for (let bytes = 0; bytes <= Buffer.poolSize; bytes += Buffer.poolSize / 4) Buffer.from("x".repeat(Buffer.poolSize / 4));
  const { getRawAsset } = requireBuiltIn("node:sea");
  part = (name) => {
    part = openPack(Buffer.from(getRawAsset("pack")));
    return part(name);
  };
  startupSnapshot.setDeserializeMainFunction(() => start(() => loader().requireChunk("./main.js")));
}

/** An exception would be shown, and the snapshot taken all the same. */
function refuse(problem) {
  process._rawDebug(problem);
  process.reallyExit(1);
}
