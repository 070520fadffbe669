// `security` and `function-calling`: the needs of a tool on the machine, and its parameters in the schema.
import { reachOf } from "../../../core/language/fields/sandbox.ts";
import type { DeclaredSecurity, DefinitionHead } from "../../../core/tool/definition.ts";
import type { Fields } from "../fields.ts";
import { mappingKeys } from "./keys.ts";

/** What a tool asks for, with what its commands may reach. */
export function securityOf(said: DeclaredSecurity | undefined): Pick<DefinitionHead, "security"> {
  return said ? { security: { ...reachOf(said), permissions: said.permissions ?? [] } } : {};
}

/**
 * Reads a mapping of types, and returns whether numbers are whole. A schema promises what a call accepts, so a type
 * maps to itself, or to a narrower one that calls must then satisfy.
 */
export function hasWholeNumbers(tool: Fields): boolean {
  const fields = tool.fields("function-calling")?.fields("schema-generation")?.fields("parameter-mapping");
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
