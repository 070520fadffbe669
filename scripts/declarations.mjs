// `node scripts/declarations.mjs [FILE]` makes grammar/dottool.d.ts.txt: what `import { … } from "dottool"` gives, as one text of declarations for an
// editor (`dottool init --plugin`). Takes the declarations that the compiler makes of src/dottool.ts, and of those what
// its exports reach. It can be one module because a name is exported once in the project.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";

/** Inner parts that plugins rarely touch are `any`; with them the text would be twice as long. */
const OPAQUE = new Set(
  "BaseDefinition Confinement DiagnosticCode ExportedFolder HeldOutput InnerSandbox InstantFiles Losses OutputKeeper PolicyQuestion ProcessReport Repeatable SettingName Unconfined Expansion HostBundle HostModules HostQueues HostSandbox HostServer HostShared HostWatcher StepJournal StepOutline Surroundings ToolDefinition Wrap XmlElement".split(
    " ",
  ),
);
const DECLARES = /^(?:interface|type|const|function|class) /gm;

const root = fileURLToPath(new URL("..", import.meta.url));

const folder = mkdtempSync(join(tmpdir(), "dottool-types-"));
try {
  const words = ["-p", "tsconfig.types.json", "--outDir", folder];
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", ...words], { cwd: root, stdio: "inherit" });
  writeFileSync(process.argv[2] ?? join(root, "grammar/dottool.d.ts.txt"), declarationsIn(folder));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function declarationsIn(folder) {
  const files = new Map();
  const read = (file) => files.get(file) ?? files.set(file, readDeclarations(file)).get(file);
  const exported = exportsOf(join(folder, "dottool.d.ts"), read);
  const written = new Map();
  const write = (file, name) => {
    if (OPAQUE.has(name)) return void written.set(name, `type ${name} = any;`);
    const local = read(file).declared.get(name);
    const from = read(file).imported.get(name);
    if (from !== undefined && local === undefined) {
      if (from.file !== undefined) return write(from.file, from.name);
      // A package is not there: what comes from it is anything.
      return void written.set(name, `type ${name}<A = any, B = any> = any;`);
    }
    if (local === undefined || written.get(name) === local.text) return undefined;
    if (written.has(name)) throw new Error(`the declarations have two things named \`${name}\``);
    written.set(name, local.text);
    for (const used of local.names) write(file, used);
    return undefined;
  };
  for (const { file, name } of exported) write(file, name);
  const names = new Set(exported.map(({ name }) => name));
  const body = [...written].map(([name, text]) => (names.has(name) ? text.replaceAll(DECLARES, "export $&") : text));
  return `// What \`import { … } from "dottool"\` gives, for your editor. Written by \`dottool init --plugin\`: to renew it after an
// update of dottool, remove it and run that again.
declare module "dottool" {
${body.join("\n").replaceAll(/^(?: {4})+/gm, (indent) => " ".repeat(indent.length / 2))}
export {};
}
`;
}

/** Returns the declarations of a file with the names that each uses, and where its imports come from. */
function readDeclarations(file) {
  const text = readFileSync(file, "utf8");
  const found = { declared: new Map(), imported: new Map(), reexported: [] };
  const { program, comments } = parseSync(basename(file), text, { lang: "dts" });
  const target = (source) =>
    source.startsWith(".") ? join(dirname(file), source.replace(/\.ts$/, ".d.ts")) : undefined;
  for (const node of program.body) {
    if (node.type === "ImportDeclaration")
      for (const { local, imported } of node.specifiers)
        found.imported.set(local.name, { file: target(node.source.value), name: imported?.name ?? local.name });
    else if (node.type === "ExportAllDeclaration") found.reexported.push({ file: target(node.source.value) });
    else if (node.type === "ExportNamedDeclaration" && !node.declaration)
      for (const { local } of node.specifiers)
        found.reexported.push({ file: node.source ? target(node.source.value) : file, name: local.name });
    else {
      const declaration = node.declaration ?? node;
      const above = comments.filter(({ type, value }) => type === "Block" && value.startsWith("*"));
      const comment = above.find(({ end }) => end <= node.start && text.slice(end, node.start).trim() === "");
      const own = text.slice(declaration.start, declaration.end).replace(/^declare /, "");
      const code = `${comment ? `${text.slice(comment.start, comment.end)}\n` : ""}${own}`;
      for (const { id = declaration.id } of declaration.declarations ?? [declaration])
        if (id?.name) {
          const before = found.declared.get(id.name);
          found.declared.set(id.name, {
            text: before ? `${before.text}\n${code}` : code,
            names: [...(before?.names ?? []), ...namesIn(declaration)],
          });
        }
    }
  }
  return found;
}

function exportsOf(file, read) {
  const { declared, reexported } = read(file);
  return reexported.flatMap(({ file: from, name }) =>
    name === undefined
      ? exportsOf(from, read)
      : from === file && declared.has(name)
        ? { file, name }
        : { file: from, name },
  );
}

/** Returns the identifiers in a declaration. */
function namesIn(node) {
  if (Array.isArray(node)) return node.flatMap(namesIn);
  if (typeof node?.type !== "string") return [];
  const within = Object.entries(node).flatMap(([key, child]) => (key === "key" ? [] : namesIn(child)));
  return node.type === "Identifier" ? [node.name, ...within] : within;
}
