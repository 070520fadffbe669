// Files, processes, network, clock, randomness, environment and console belong to host/: everything else gets them as a
// `Host`, so that it can be tested in memory and read without wondering what it touches.
import { importsOf, isInHost } from "./modules.mjs";
import { walk } from "./read-tree.mjs";

/** Modules that only compute. */
const PURE = new Set([
  "assert",
  "buffer",
  "events",
  "path",
  "path/posix",
  "path/win32",
  "punycode",
  "querystring",
  "stream",
  "string_decoder",
  "url",
  "util",
  "util/types",
  "zlib",
]);
/** Modules that a file may use because of its purpose. */
const ALLOWED_MODULES = [
  { path: /^src\/main\.ts$/, modules: ["process"], why: "argv and the exit code" },
  { path: /^src\/plugins\//, modules: ["module"], why: "loads TypeScript with Node's hooks" },
  { path: /^src\/sandbox\//, modules: ["worker_threads", "vm"], why: "runs code apart" },
];
const GLOBALS = new Map([
  ["process", "the environment, argv and streams come from the host"],
  ["console", "results go through the terminal"],
  ["Deno", "the same source runs in Node"],
  ["fetch", "the web is `host.web`, which is guarded"],
  ["setTimeout", "time is `host.sleep`"],
  ["setInterval", "time is `host.sleep`"],
  ["setImmediate", "time is `host.sleep`"],
  ["performance", "the clock is `host.nowMs`"],
  ["crypto", "randomness is `host.randomId`, hashes are `host.sha256`"],
]);

/** What runs in a browser, which is its host. */
const PAGES = /^src\/features\/runs\/page\//;

export function checkOutsideWorld({ sources }) {
  return sources
    .filter(({ path }) => path.startsWith("src/") && !isInHost(path) && !PAGES.test(path))
    .flatMap((file) => [...checkImports(file), ...checkGlobals(file)]);
}

function checkImports({ path, program, lineAt }) {
  return importsOf(program)
    .filter(({ name, isType }) => name.startsWith("node:") && !isType)
    .map(({ name, node }) => ({ module: name.slice("node:".length), node }))
    .filter(({ module }) => !PURE.has(module) && !allowed(path).includes(module))
    .map(({ module, node }) => ({
      path,
      line: lineAt(node.start),
      rule: "outside-world",
      text: `\`node:${module}\` reaches out of the process; take it through the \`Host\``,
    }));
}

function checkGlobals({ path, program, lineAt }) {
  const complaints = [];
  const own = declaredNames(program);
  const complain = (node, text) => complaints.push({ path, line: lineAt(node.start), rule: "outside-world", text });
  walk(program, (node, parent) => {
    const name = node.type === "Identifier" ? node.name : undefined;
    if (GLOBALS.has(name) && !own.has(name) && !allowed(path).includes(name) && isReference(node, parent))
      complain(node, `\`${name}\`: ${GLOBALS.get(name)}`);
    if (isMember(node, "Math", "random")) complain(node, "`Math.random`: randomness is `host.randomId`");
    if (isMember(node, "Date", "now"))
      complain(node, "`Date.now`: the clock is `host.nowMs`, the date `host.timestamp`");
    if (isMember(node, "AbortSignal", "timeout")) complain(node, "`AbortSignal.timeout`: time is `host.sleep`");
    if (node.type === "NewExpression" && node.callee.name === "Date" && node.arguments.length === 0)
      complain(node, "`new Date()`: the date is `host.timestamp`");
  });
  return complaints;
}

function allowed(path) {
  return ALLOWED_MODULES.filter((entry) => entry.path.test(path)).flatMap((entry) => entry.modules);
}

/** Names that the file imports or declares are not globals. */
function declaredNames(program) {
  const names = new Set();
  walk(program, (node) => {
    if (/^Import\w*Specifier$/.test(node.type)) names.add(node.local.name);
    if (node.type === "FunctionDeclaration") names.add(node.id?.name);
    const patterns =
      node.type === "VariableDeclarator" ? [node.id] : /Function/.test(node.type) ? (node.params ?? []) : [];
    for (const pattern of patterns)
      walk(pattern, (inner) => void (inner.type === "Identifier" && names.add(inner.name)));
  });
  return names;
}

function isReference(node, parent) {
  if (parent === undefined) return true;
  if (parent.type === "MemberExpression") return parent.object === node || parent.computed;
  if (parent.type === "Property") return parent.value === node;
  return !/^TS|PropertyDefinition|MethodDefinition|Specifier/.test(parent.type) && parent.key !== node;
}

function isMember(node, object, property) {
  return node.type === "MemberExpression" && node.object.name === object && node.property.name === property;
}
