// Run by the very Node that becomes the executable: runs typical commands from the chunks, then writes the V8 code cache of every chunk
// that they loaded. By then a cache holds the functions that were called, and no others: exactly what the next run wants.
// Usage: node warm.mjs CHUNKS FILE, where FILE holds a JSON array of commands, each an array of words.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import vm from "node:vm";

const [chunks, commandFile] = process.argv.slice(2);
const commands = JSON.parse(readFileSync(commandFile, "utf8"));
const requireBuiltIn = createRequire(import.meta.url);
const scripts = new Map();

function scriptOf(name) {
  const known = scripts.get(name);
  if (known !== undefined) return known;
  const script = new vm.Script(readFileSync(join(chunks, name), "latin1"), {
    filename: `dottool:${name.slice(2)}`,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  scripts.set(name, script);
  return script;
}

/** Every command gets modules of its own; the compiled functions belong to the scripts and stay. */
function makeLoader() {
  const loaded = new Map();
  const requireChunk = (name) => {
    if (!name.startsWith("./")) return requireBuiltIn(name);
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(name, module);
    const importChunk = async (wanted) => requireChunk(wanted);
    scriptOf(name).runInThisContext()(module.exports, requireChunk, module, importChunk);
    return module.exports;
  };
  return requireChunk;
}

// A command is over when nothing is left to wait for; the next one starts then.
process.exit = () => {};
process.reallyExit = () => {};
process.on("beforeExit", () => {
  const command = commands.shift();
  if (command !== undefined) {
    process.argv = [process.execPath, "dottool", ...command];
    makeLoader()("./main.js");
    // Something must be left to wait for, or a command that did all its work at once would be the last.
    setImmediate(() => {});
    return;
  }
  for (const [name, script] of scripts) writeFileSync(join(chunks, `${name}.cache`), script.createCachedData());
  process.exitCode = 0;
});
