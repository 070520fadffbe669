// `security` and `function-calling`: the needs of a tool on the machine, and its parameters in the schema.
import { reachOf } from "../../../core/language/fields/sandbox.ts";
import type { DeclaredSecurity, DefinitionHead, SchemaPart } from "../../../core/tool/definition.ts";
import type { Fields } from "../fields.ts";
import { functionCallingKeys, mappingKeys, schemaGenerationKeys } from "./keys.ts";

/** What a tool asks for, and what its commands may reach. */
export function securityOf(
  asked: DeclaredSecurity | undefined,
  reach: DeclaredSecurity | undefined,
): Pick<DefinitionHead, "security"> {
  return asked || reach ? { security: { permissions: [], ...asked, ...(reach && reachOf(reach)) } } : {};
}

interface ReadSchemaOptions {
  readonly omits: readonly SchemaPart[];
  /** Whether numbers are whole, as for `number: integer`. */
  readonly hasWholeNumbers: boolean;
}

export function readSchemaOptions(owner: Fields): ReadSchemaOptions {
  const fields = owner
    .fields("function-calling", functionCallingKeys)
    ?.fields("schema-generation", schemaGenerationKeys);
  const omitted: readonly (readonly [string, SchemaPart])[] = [
    ["include-descriptions", "descriptions"],
    ["include-defaults", "defaults"],
    ["example-generation", "examples"],
  ];
  return {
    omits: omitted.flatMap(([key, part]) => (fields?.flag(key) === false ? [part] : [])),
    hasWholeNumbers: fields ? readMapping(fields) : false,
  };
}

/**
 * Reads a mapping of types. A schema promises what a call accepts, so a type maps to itself, or to a narrower one that
 * calls must then satisfy.
 */
function readMapping(owner: Fields): boolean {
  const fields = owner.fields("parameter-mapping", mappingKeys);
  let isWhole = false;
  for (const type of fields ? mappingKeys.keys : []) {
    const text = fields?.text(type);
    if (!text || text.text === type) continue;
    if (type === "number" && text.text === "integer") isWhole = true;
    else
      fields?.findings.error(
        "wrong-value",
        `the schema would ask models for ${text.text.slice(0, 40)} values, but a call accepts ${type} values`,
        {
          at: text.span,
          label: `expected \`${type}\`${type === "number" ? " or `integer`" : ""}`,
          help: ["declare the parameter with the type that it accepts"],
        },
      );
  }
  return isWhole;
}
