// A type between braces becomes a schema: `{string}`, `{array<Edit>}`, `{"json"|"text"}`.
import { exactNumber, numberChoices } from "../../schema/number-choices.ts";
import type { ParameterSchema } from "../../schema/parameter.ts";
import type { MappedText } from "../syntax/ast.ts";
import { type Findings, nearestOf, replacing } from "../findings.ts";
import type { Part } from "../syntax/grammar.ts";

const plainTypes: ReadonlyMap<string, ParameterSchema> = new Map<string, ParameterSchema>([
  ["string", { type: "string" }],
  ["integer", { type: "integer" }],
  ["number", { type: "number" }],
  ["boolean", { type: "boolean" }],
  ["object", { type: "object", properties: [], open: true }],
  ["path", { type: "string", format: "path" }],
  ["url", { type: "string", format: "url" }],
  ["code", { type: "string", format: "code" }],
  ["any", { type: "string", format: "any" }],
]);

export const plainTypeNames: readonly string[] = [...plainTypes.keys()];

/** What other languages call each type, in lower case. */
const alsoCalled: Readonly<Record<string, string>> = {
  string: "str text char version semver email date datetime time uuid duration regex host hostname",
  integer: "int long",
  number: "float double",
  boolean: "bool",
  path: "file folder directory dir filename",
  url: "uri link",
  code: "program script sql",
  object: "json map dict",
};
const foreignNames: ReadonlyMap<string, string> = new Map(
  Object.entries(alsoCalled).flatMap(([type, names]) => names.split(" ").map((name) => [name, type] as const)),
);

export interface TypeScope {
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Returns undefined if a problem was reported. The name must be in this scope. */
  schemaOf(name: string, at: { readonly text: MappedText }): ParameterSchema | undefined;
}

export function isPlainType(name: string): boolean {
  return plainTypes.has(name);
}

/** Returns the type that is called so elsewhere. */
export function foreignType(name: string): string | undefined {
  return foreignNames.get(name.toLowerCase());
}

function meantType(name: string, scope: TypeScope): string | undefined {
  return foreignType(name) ?? nearestOf(name, [...plainTypeNames, ...scope.names]);
}

/** Returns the schema of a `type` or a part of one; undefined if a problem was reported. */
export function schemaOfType(part: Part, scope: TypeScope, findings: Findings): ParameterSchema | undefined {
  const [inner] = part.parts;
  switch (part.rule) {
    case "type":
      return inner && schemaOfType(inner, scope, findings);
    case "arrayType": {
      const items = inner && schemaOfType(inner, scope, findings);
      return items && { type: "array", items };
    }
    case "choices":
      return {
        type: "string",
        choices: [...new Set(part.parts.map((choice) => String(JSON.parse(choice.text.text))))],
      };
    case "numberChoices": {
      const inexact = part.parts.find((choice) => exactNumber(choice.text.text) === undefined);
      const texts = part.parts.map((choice) => choice.text.text);
      const shortened = texts.find((text) => !inexact && String(Number(text)) !== text);
      if (shortened !== undefined) {
        findings.error("unknown-type", `\`${shortened}\` as a number is \`${Number(shortened)}\``, {
          at: part.text.span,
          fix: replacing(part.text.span, texts.map((text) => JSON.stringify(text)).join("|")),
        });
        return { type: "string", choices: [...new Set(texts)] };
      }
      if (!inexact) return numberChoices(part.parts.map((choice) => Number(choice.text.text)));
      findings.error("unknown-type", `\`${inexact.text.text.slice(0, 40)}\` is too large for an exact number`, {
        at: inexact.text.span,
        help: ["write the choices as texts, in quotes"],
      });
      return undefined;
    }
    case "typeName":
      return schemaOfName(part, scope, findings);
  }
  throw new Error(`the rule ${part.rule} is not a type`);
}

function schemaOfName(part: Part, scope: TypeScope, findings: Findings): ParameterSchema | undefined {
  const name = part.text.text;
  const plain = plainTypes.get(name);
  if (plain) return plain;
  if (scope.has(name)) return scope.schemaOf(name, part);
  if (name.toLowerCase() === "array" || name.toLowerCase() === "list") {
    findings.error("unknown-type", `\`${name}\` needs the type of its items`, {
      at: part.text.span,
      fix: replacing(part.text.span, "array<string>"),
    });
    return undefined;
  }
  const meant = meantType(name, scope);
  const help = `the types are ${plainTypeNames.join(", ")}, array<TYPE>, choices such as {"a"|"b"}, and the names of \`@type\``;
  findings.unknown("unknown-type", `unknown type \`${name}\``, { at: part.text.span, meant, help: [help] });
  // What depends on the type is told for the one that is meant.
  return meant === undefined ? undefined : plainTypes.get(meant);
}
