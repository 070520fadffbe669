// Loads the program's chunks. A chunk is a script that returns the function of a CommonJS module. `hot.js` has the
// functions of all chunks of a warm call, in one script with one code cache; `list.js` has those of a cached list, and
// `list-anew.js` those that a new list needs in addition. `hook.js` has those of a decision about another agent's tool,
// and `mcp.js` those of a server.

/** Returns the scripts for a command. Each is read when a function is in none before it. */
export const groupsFor = ([first]) =>
  first === "list"
    ? ["./list.js", "./list-anew.js"]
    : [first === "hook" || first === "mcp" ? `./${first}.js` : "./hot.js"];

/**
 * Opens the chunks. `read(name)` returns a chunk's text, `readCache(name)` its V8 code cache or nothing. The result
 * keeps every script that it made in `scripts`.
 */
export function openChunks({ groups, read, readCache }) {
  // The executable begins with this file even if it loads nothing.
  const { Script, constants } = process.getBuiltinModule("node:vm");
  const unread = [...groups];
  const scripts = new Map();
  const factories = new Map();
  const evaluate = (name) => {
    const script = new Script(read(name), {
      filename: `dottool:${name.slice(2)}`,
      cachedData: readCache(name),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    scripts.set(name, script);
    return script.runInThisContext();
  };
  const factoryOf = (name) => {
    while (!factories.has(name) && unread.length > 0) {
      const group = evaluate(unread.shift());
      for (let at = 0; at < group.length; at += 2) factories.set(group[at], group[at + 1]);
    }
    if (!factories.has(name)) factories.set(name, evaluate(name));
    return factories.get(name);
  };
  return { scripts, factoryOf };
}

/**
 * Returns the `require` of one run of the program. Each module is evaluated when it is first asked for. `textAt(start,
 * end)` returns long texts.
 */
export function makeRequire({ factoryOf, requireBuiltIn, textAt }) {
  const text = (offset, length) => textAt(offset, offset + length);
  const modules = new Map();
  const requireChunk = (name) => {
    if (!name.startsWith("./")) return requireBuiltIn(name);
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    factoryOf(name)(requireChunk, module, importChunk, builtIn, text);
    return module.exports;
  };
  // A built-in module with itself as `default`. A copy would take long, and would call getters that load more.
  const builtIns = new Map();
  const builtIn = (name) => {
    if (!builtIns.has(name)) {
      const exports = requireBuiltIn(name);
      builtIns.set(name, Object.create(exports, { default: { value: exports } }));
    }
    return builtIns.get(name);
  };
  // Returns what `import()` of a CommonJS package gives in Node: its properties by name, and itself as `default`.
  const importChunk = async (name) => {
    if (!name.startsWith("./")) return builtIn(name);
    const exports = requireChunk(name);
    const inner = exports.default;
    const isCommonJs = inner !== null && (typeof inner === "object" || typeof inner === "function");
    return isCommonJs && Object.keys(exports).length === 1 ? { ...inner, default: inner } : exports;
  };
  return { requireChunk, loadedNames: () => [...modules.keys()] };
}
