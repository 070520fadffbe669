// Run by the Node that becomes the executable: writes the V8 code cache of every chunk. All functions are compiled,
// since those that a sample happens to run depend on how fast the machine is. Usage: node code-caches.mjs CHUNKS
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { openChunks } from "./chunk-loader.mjs";

/** Larger chunks are libraries of rare commands, which V8 compiles as far as they are used. */
const CACHED_BYTES_MAX = 200_000;
const GROUP = /^(?:hot|hook|list|list-anew|mcp)\.js$/;
/** V8 refuses a cache that was written under other flags than those with which it is read. */
const DEFAULTS = "--lazy --hash-seed=0 --flush-bytecode --initial-old-space-size=0";

const [folder] = process.argv.slice(2);
const read = (name) => readFileSync(join(folder, name), "latin1");
for (const name of readdirSync(folder).filter((file) => file.endsWith(".js"))) {
  if (!GROUP.test(name) && statSync(join(folder, name)).size > CACHED_BYTES_MAX) continue;
  setFlagsFromString("--no-lazy");
  const { scripts, factoryOf } = openChunks({ groups: [], read, readCache: () => undefined });
  factoryOf(name);
  setFlagsFromString(DEFAULTS);
  writeFileSync(join(folder, `${name}.cache`), scripts.get(name).createCachedData());
}
