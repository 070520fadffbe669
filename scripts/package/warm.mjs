// Run by the very Node that becomes the executable: runs commands from the chunks, then writes the V8 code cache of every script that they
// loaded. By then a cache holds the functions that were called, and no others: exactly what the next run wants.
// Usage: node warm.mjs CHUNKS COMMANDS LOADED. COMMANDS: a JSON file, an array of commands, each an array of words.
// LOADED: the file that gets each command's exit code and the names of the chunks that it loaded.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { makeRequire, openChunks } from "./chunk-loader.cjs";
import { runCommands } from "./run-commands.cjs";

const [folder, commandFile, loadedFile] = process.argv.slice(2);
const texts = readFileSync(join(folder, "texts"));
const { scripts, factoryOf } = openChunks({ read: (name) => readFileSync(join(folder, name), "latin1"), readCache: () => undefined });

runCommands({
  commands: JSON.parse(readFileSync(commandFile, "utf8")),
  loaderFor: () => makeRequire({ factoryOf, requireBuiltIn: createRequire(import.meta.url), textAt: (start, end) => texts.utf8Slice(start, end) }),
  then: (runs) => {
    for (const [name, script] of scripts) writeFileSync(join(folder, `${name}.cache`), script.createCachedData());
    writeFileSync(loadedFile, JSON.stringify(runs.map(({ loader, exitCode }) => ({ names: loader.loadedNames(), exitCode }))));
    process.exitCode = 0;
  },
});
