// One way to write modules, because the same source runs in Node, in Deno and in the bundle.
import { builtinModules } from "node:module";
import { walk } from "./read-tree.mjs";

const builtIns = new Set(builtinModules);
/** Plugins are written in any TypeScript, and found by their default export. */
const PLUGIN = /^(plugins\/|test\/mcp\/conformance\/fixtures\.ts$)/;

export function checkModules({ sources }) {
  return sources.flatMap((file) => [...checkImports(file), ...checkSyntax(file)]);
}

/** Every module name that a file imports, re-exports or loads, with the node that holds it. */
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

function checkImports({ path, program, lineAt }) {
  return importsOf(program).flatMap(({ name, node }) => {
    const complain = (text) => [{ path, line: lineAt(node.start), rule: "import", text }];
    if (name.startsWith(".") && !/\.(ts|mts|mjs|cjs|json)$/.test(name))
      return complain(`\`${name}\` has no ending; write the file's own, as in \`./walk.ts\``);
    if (builtIns.has(name)) return complain(`\`${name}\` is built in; write \`node:${name}\``);
    return [];
  });
}

const PLAIN_SCRIPT = /\.cjs$/;
/** Only the host looks beside its own file, and only when it is not in the executable. */
const SELF_AWARE = /^src\/host\//;
const WORDS = {
  TSEnumDeclaration: "an enum is not erasable; use a union of strings",
  TSModuleDeclaration: "a namespace is not erasable; a file is the module",
  TSParameterProperty: "a parameter property is not erasable; declare the field and assign it",
  TSImportEqualsDeclaration: "`import … = require` is not ESM; use `import`",
  TSExportAssignment: "`export =` is not ESM; use named exports",
  TSAnyKeyword: "`any` switches the types off; use `unknown` and look",
};

function checkSyntax({ path, program, lineAt }) {
  if (PLAIN_SCRIPT.test(path) || PLUGIN.test(path)) return [];
  const complaints = [];
  const complain = (node, text) => complaints.push({ path, line: lineAt(node.start), rule: "module", text });
  walk(program, (node, parent) => {
    if (WORDS[node.type] !== undefined && !node.declare) complain(node, WORDS[node.type]);
    if (node.type === "ExportDefaultDeclaration")
      complain(node, "a default export has no name of its own; export it by name");
    if (!path.startsWith("src/")) return;
    if (node.type === "MetaProperty" && node.meta.name === "import" && !SELF_AWARE.test(path))
      complain(node, "`import.meta` is empty in the executable; generate what is needed at build time");
    if (node.type === "Identifier" && (node.name === "__dirname" || node.name === "__filename"))
      complain(node, `\`${node.name}\` is not ESM`);
    if (node.type === "CallExpression" && node.callee.name === "require" && parent !== undefined)
      complain(node, "`require` is not ESM; use `import`");
  });
  if (path.startsWith("src/"))
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
