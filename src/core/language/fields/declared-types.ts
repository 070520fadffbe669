// `@type` and `@property`: the types that a file declares, with their properties.
import { type Analysis, nearestOf, partOf, replacing } from "../analysis.ts";
import { isPlainType, plainTypeNames } from "./types.ts";
import { parameterOf } from "./parameters.ts";
import type { Annotation } from "../syntax/ast.ts";
import type { Part } from "../syntax/grammar.ts";
import type { DeclaredType } from "./named-types.ts";
import { readWithRepairs } from "./parameter-repairs.ts";

interface WrittenType {
  readonly name: Part;
  readonly properties: Map<string, Part>;
}

type WrittenTypes = Map<string, WrittenType>;

export function declaredTypes(analysis: Analysis): readonly DeclaredType[] {
  const types: WrittenTypes = new Map();
  for (const annotation of analysis.all("type")) declare(annotation, types, analysis);
  for (const annotation of analysis.all("property")) addProperty(annotation, types, analysis);
  return [...types.values()].map(({ name, properties }) => ({
    name: name.text,
    properties: [...properties.values()].map((part) => (scope) => parameterOf(part, scope, analysis)),
  }));
}

function declare(annotation: Annotation, types: WrittenTypes, analysis: Analysis): void {
  const part = readWithRepairs(analysis, annotation, "namedType");
  const name = part && partOf(part, "typeName");
  if (!part || !name) return;
  const known = types.get(name.text.text);
  if (isPlainType(name.text.text) || name.text.text === "array") {
    analysis.error("duplicate-type", `\`${name.text.text}\` is a built-in type`, {
      at: name.text.span,
      help: ["give this type another name"],
    });
  } else if (known) {
    const related = [{ span: known.name.text.span, text: "first declared here" }];
    analysis.error("duplicate-type", `duplicate type \`${name.text.text}\``, {
      at: name.text.span,
      related,
    });
  } else types.set(name.text.text, { name, properties: new Map() });
  const type = partOf(part, "type");
  if (type && type.parts[0]?.text.text !== "object") {
    analysis.error("malformed-annotation", "a `@type` must be an object", {
      at: type.text.span,
      fix: replacing(type.text.span, "{object}"),
    });
  }
}

function addProperty(annotation: Annotation, types: WrittenTypes, analysis: Analysis): void {
  const part = readWithRepairs(analysis, annotation, "property");
  const owner = part && partOf(part, "typeName");
  const name = part && partOf(part, "propertyName");
  if (!part || !owner || !name) return;
  const type = types.get(owner.text.text);
  const known = type?.properties.get(name.text.text);
  if (!type) unknownOwner(owner, types, analysis);
  else if (known) {
    const related = [
      { span: partOf(known, "propertyName")?.text.span ?? known.text.span, text: "first declared here" },
    ];
    analysis.error("duplicate-parameter", `\`${owner.text.text}\` has a duplicate property \`${name.text.text}\``, {
      at: name.text.span,
      related,
    });
  } else type.properties.set(name.text.text, part);
}

function unknownOwner(owner: Part, types: WrittenTypes, analysis: Analysis): void {
  const name = owner.text.text;
  analysis.unknown("unknown-type", `there is no \`@type\` \`${name}\``, {
    at: owner.text.span,
    meant: nearestOf(name, [...types.keys()]),
    help: plainTypeNames.includes(name) ? [] : [`declare it: \`@type ${name} {object}\``],
  });
}
