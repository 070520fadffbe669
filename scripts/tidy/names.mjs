// Names of files say what is in them, and names of quantities say their unit.
import { walk } from "./read-tree.mjs";

const VAGUE = /(^|[-.])(utils?|helpers?|common|misc|index)$/;
/** Matches the last word of a name that means nothing without a unit; `Max` and `Min` may follow it. */
const UNITLESS =
  /(?:^|[a-z0-9_])(timeout|delay|duration|interval|deadline|elapsed|latency|size|limit|budget|memory|ttl)(?:Max|Min|_MAX|_MIN)?$/i;
const BARE = /^(max|min)$/i;

export function checkNames({ files, sources }) {
  return [...files.flatMap(checkFileName), ...sources.flatMap(checkUnits)];
}

function checkFileName({ path }) {
  // The list of features has the name that such lists have.
  if (path === "src/features/index.ts") return [];
  const vague = path
    .split("/")
    .map((part) => part.replace(/(\.test|\.d)?\.\w+$/, ""))
    .find((part) => VAGUE.test(part));
  return vague === undefined
    ? []
    : [
        {
          path,
          line: 1,
          rule: "file-name",
          text: `\`${vague}\` says nothing of what is inside; name it after its one idea`,
        },
      ];
}

function checkUnits({ path, program, lineAt }) {
  const complaints = [];
  const note = (name, node) => {
    if (UNITLESS.test(name) || BARE.test(name))
      complaints.push({
        path,
        line: lineAt(node.start),
        rule: "unit",
        text: `\`${name}\` has no unit; end it with one, as in \`timeoutMs\` or \`outputBytesMax\``,
      });
  };
  walk(program, (node, parent) => {
    // `{limit, unit}` has its unit beside it.
    if (parent?.type === "TSTypeLiteral" && parent.members.some((member) => member.key?.name === "unit")) return;
    const declared = declaredNumber(node);
    if (declared !== undefined) note(declared, node);
  });
  return complaints;
}

function declaredNumber(node) {
  if (node.type === "TSPropertySignature" || node.type === "PropertyDefinition")
    return isNumber(node.typeAnnotation, node.value) ? node.key.name : undefined;
  if (node.type === "VariableDeclarator") return isNumber(node.id.typeAnnotation, node.init) ? node.id.name : undefined;
  if (node.type === "Identifier" && node.typeAnnotation) return isNumber(node.typeAnnotation) ? node.name : undefined;
  return undefined;
}

function isNumber(annotation, value) {
  if (annotation) return annotation.typeAnnotation?.type === "TSNumberKeyword";
  if (value?.type === "BinaryExpression") return isNumber(undefined, value.left) && isNumber(undefined, value.right);
  return value?.type === "Literal" && typeof value.value === "number";
}
