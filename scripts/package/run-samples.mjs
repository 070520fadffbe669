// Runs commands from the chunks, one after the other. Usage: node run-samples.mjs CHUNKS COMMANDS LOADED. COMMANDS is a
// JSON file: an array of commands, each an array of words. LOADED is the file for each command's exit code and the names
// of the chunks that it loaded.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { makeRequire, openChunks } from "./chunk-loader.mjs";

const [folder, commandFile, loadedFile] = process.argv.slice(2);
const commands = JSON.parse(readFileSync(commandFile, "utf8"));
const texts = readFileSync(join(folder, "texts"));
const { factoryOf } = openChunks({
  groups: [],
  read: (name) => readFileSync(join(folder, name), "latin1"),
  readCache: () => undefined,
});
const runs = [];

// A command is over when nothing is left to wait for. Then the next one starts, with modules of its own.
process.exit = () => {};
process.reallyExit = () => {};
process.on("beforeExit", () => {
  if (runs.length > 0) runs.at(-1).exitCode ??= process.exitCode;
  const command = commands.shift();
  if (command === undefined) {
    writeFileSync(
      loadedFile,
      JSON.stringify(runs.map((run) => ({ names: run.loadedNames(), exitCode: run.exitCode }))),
    );
    process.exitCode = 0;
    return;
  }
  process.argv = [process.execPath, "dottool", ...command];
  // Each run of the program listens.
  process.removeAllListeners("uncaughtException");
  const run = makeRequire({
    factoryOf,
    requireBuiltIn: createRequire(import.meta.url),
    textAt: (start, end) => texts.utf8Slice(start, end),
  });
  runs.push(run);
  process.exitCode = undefined;
  run.requireChunk("./main.js");
  // Something must be left to wait for, or a command that does all its work at once would be the last.
  setImmediate(() => {});
});
