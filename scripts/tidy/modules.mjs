// Rules for modules, because the same source runs in Node, in Deno and in the bundle.
import { walk } from "./read-tree.mjs";

/** The real world: `host/` of core, and of features. */
export function isInHost(path) {
  return /^src\/(?:core|features\/[\w-]+)\/host\//.test(path);
}

/** Checks two rules of the bundle. Biome and the compiler check the others. */
export function checkModules({ sources }) {
  return sources.filter(({ path }) => path.startsWith("src/")).flatMap(checkFile);
}

/** Returns every module name that a file imports, re-exports or loads, with its node. */
export function importsOf(program) {
  const imports = [];
  walk(program, (node) => {
    const source = node.source ?? (node.type === "TSImportType" ? node.argument : undefined);
    if (typeof source?.value === "string")
      imports.push({
        name: source.value,
        node,
        isType: node.importKind === "type" || node.exportKind === "type" || node.type === "TSImportType",
      });
  });
  return imports;
}

function checkFile({ path, program, lineAt }) {
  const complaints = [];
  const complain = (node, text) => complaints.push({ path, line: lineAt(node.start), rule: "module", text });
  walk(program, (node) => {
    // Only the host looks beside its own file, and only outside of the executable.
    if (node.type === "MetaProperty" && node.meta.name === "import" && !isInHost(path))
      complain(node, "`import.meta` is empty in the executable; generate what is needed at build time");
  });
  for (const node of topLevelAwaits(program))
    complain(node, "top-level await cannot be bundled for the executable; move it into a function");
  return complaints;
}

function topLevelAwaits(program) {
  const found = [];
  walk(program, (node) => {
    if (/Function|MethodDefinition|PropertyDefinition/.test(node.type)) return false;
    if (node.type === "AwaitExpression" || (node.type === "ForOfStatement" && node.await)) found.push(node);
    return undefined;
  });
  return found;
}
