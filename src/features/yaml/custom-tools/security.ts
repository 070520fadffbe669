// `security` and `function-calling`: the needs of a tool on the machine, and its parameters in the schema.
import type { DeclaredSecurity, SchemaPart } from "../../../core/tool/definition.ts";
import { isPermission, PERMISSIONS } from "../../../core/language/fields/asks.ts";
import type { Declaration } from "../../../core/language/syntax/ast.ts";
import { nearestOf } from "../../../core/language/findings.ts";
import { readTemplateText } from "./command.ts";
import type { Fields } from "../fields.ts";
import { isHost, namesParameters, reachOf, sandboxLevels } from "../../../core/language/fields/sandbox.ts";
import { sandboxKeys } from "./extension-keys.ts";
import { functionCallingKeys, mappingKeys, schemaGenerationKeys, securityKeys } from "./keys.ts";

export function readSecurity(
  owner: Fields,
  parameters: readonly Declaration[],
  extension: Fields | undefined,
): DeclaredSecurity | undefined {
  const fields = owner.fields("security", securityKeys);
  const reach = readReach(extension, parameters);
  const asked = fields && readAsked(fields, parameters);
  return asked || reach ? { permissions: [], ...asked, ...reach } : undefined;
}

/** Reads `sandbox` below `x-dottool`. */
export function readReach(
  extension: Fields | undefined,
  parameters: readonly Declaration[],
): Pick<DeclaredSecurity, "sandbox" | "hosts" | "writes"> | undefined {
  const fields = extension?.fields("sandbox", sandboxKeys);
  if (!fields) return undefined;
  const spanned = ({ text, span }: { readonly text: string; readonly span: Declaration["span"] }) => ({
    value: text,
    span,
  });
  return reachOf(
    fields.choice("level", sandboxLevels),
    fields
      .texts("network")
      .map(spanned)
      .filter((host) => isHost(host, fields.findings)),
    fields
      .texts("writes")
      .map(spanned)
      .filter((path) => namesParameters(path, parameters, fields.findings)),
  );
}

function readAsked(fields: Fields, parameters: readonly Declaration[]): DeclaredSecurity | undefined {
  const privilege = fields.choice("execution-privilege", ["same-as-user", "reduced", "elevated"]);
  const isolation = fields.choice("isolation", ["none", "process", "container"]);
  const justification = fields
    .text("justification")
    ?.text.trim()
    .replaceAll(/(?<!\s)\s*\n\s*/g, " ");
  const permissions = fields.texts("required-permissions").map((text) => {
    readTemplateText(text, {
      scope: { parameters, steps: [], hasItem: false, place: text.span },
      findings: fields.findings,
    });
    checkPermission(text.text, text.span, fields);
    return text.text;
  });
  if (!privilege && !isolation && permissions.length === 0 && justification === undefined) return undefined;
  return {
    ...(privilege ? { privilege } : {}),
    ...(isolation ? { isolation } : {}),
    permissions,
    ...(justification === undefined ? {} : { justification }),
  };
}

function checkPermission(text: string, span: Declaration["span"], fields: Fields): void {
  if (isPermission(text)) return;
  const near = nearestOf(text.split(":")[0] ?? "", ["filesystem", "network", "process"]);
  fields.findings.error("wrong-value", `\`${text.slice(0, 64)}\` is not a permission`, {
    at: span,
    label: near === undefined ? "" : `did you mean \`${near}\`?`,
    help: [PERMISSIONS],
  });
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
