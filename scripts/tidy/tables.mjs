// A table is read by `rowOf`: an object has `constructor` and others that nobody wrote, and a program or a parameter may
// have that name.
import { walk } from "./read-tree.mjs";

export function checkTables({ sources }) {
  const inSources = sources.filter(({ path }) => path.startsWith("src/"));
  const everywhere = new Set(
    inSources.flatMap(({ program }) =>
      program.body.flatMap((node) => (node.type === "ExportNamedDeclaration" ? tablesOf(node.declaration) : [])),
    ),
  );
  return inSources.flatMap(({ path, program, lineAt }) => {
    const tables = new Set([...program.body.flatMap(tablesOf), ...importedOf(program, everywhere)]);
    const complaints = [];
    walk(program, (node) => {
      if (node.type !== "MemberExpression" || !node.computed || node.property.type === "Literal") return;
      if (node.object.type === "Identifier" && tables.has(node.object.name))
        complaints.push({
          path,
          line: lineAt(node.start),
          rule: "table",
          text: `read \`${node.object.name}\` with \`rowOf\` of src/core/text/row-of.ts: the name may be \`constructor\``,
        });
    });
    return complaints;
  });
}

/** The constants of a statement that are records by any text. */
function tablesOf(statement) {
  const node = statement?.type === "ExportNamedDeclaration" ? statement.declaration : statement;
  if (node?.type !== "VariableDeclaration") return [];
  return node.declarations.flatMap(({ id }) => (isTable(id.typeAnnotation?.typeAnnotation) ? [id.name] : []));
}

function isTable(type) {
  const [inner] = type?.typeArguments?.params ?? [];
  if (type?.type !== "TSTypeReference") return false;
  if (type.typeName.name === "Record") return inner?.type === "TSStringKeyword";
  return ["Readonly", "Partial"].includes(type.typeName.name) && isTable(inner);
}

function importedOf(program, everywhere) {
  return program.body
    .filter(({ type }) => type === "ImportDeclaration")
    .flatMap(({ specifiers }) => specifiers)
    .filter(({ imported }) => everywhere.has(imported?.name))
    .map(({ local }) => local.name);
}
