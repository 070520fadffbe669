"use strict";
// The only script that the executable runs by itself. The program is a set of chunks, kept as assets: each is loaded
// when something first needs it, compiled from its V8 code cache where the build could make one. `--version` loads none.
const words = process.argv.slice(2);
if (words.length === 1 && (words[0] === "--version" || words[0] === "-v")) {
  process.stdout.write("dottool __VERSION__\n");
} else {
  const { getRawAsset } = require("node:sea");
  const { Script, constants } = require("node:vm");
  const loaded = new Map();

  // Cross-built executables carry no caches: they are made by the very V8 that reads them.
  const cacheOf = (name) => {
    try {
      return Buffer.from(getRawAsset(name + ".cache"));
    } catch {
      return undefined;
    }
  };

  const requireChunk = (name) => {
    if (!name.startsWith("./")) return require(name);
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(name, module);
    const script = new Script(Buffer.from(getRawAsset(name)).latin1Slice(), {
      filename: "dottool:" + name.slice(2),
      cachedData: cacheOf(name),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    script.runInThisContext()(module.exports, requireChunk, module, importChunk);
    return module.exports;
  };

  // What `import()` of a CommonJS package gives in Node: its properties by name, and itself as `default`.
  const importChunk = async (name) => {
    const exports = requireChunk(name);
    const inner = exports.default;
    const isCommonJs = Object.keys(exports).length === 1 && inner !== null && (typeof inner === "object" || typeof inner === "function");
    return isCommonJs ? { ...inner, default: inner } : exports;
  };

  requireChunk("./main.js");
}
