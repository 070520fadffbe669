// Turns a custom-tools YAML into the same definition as a `.tool` file, or reports all its mistakes at once.
import { hasErrors } from "../../../core/text/diagnostic.ts";
import {
  type DefinitionHead,
  nothingDeclared,
  type ToolDefinition,
  type DeclaredSecurity,
  type Returns,
} from "../../../core/tool/definition.ts";
import type { AnalyzeOptions } from "../../../core/language/analyze.ts";
import { tagged, titleOf } from "../../../core/language/fields/names.ts";
import { withSecretHosts } from "../../../core/language/fields/secret-use.ts";
import { permittedEffects } from "../../../core/language/fields/asks.ts";
import type { Findings } from "../../../core/language/findings.ts";
import { Fields } from "../fields.ts";
import { isName } from "../names.ts";
import { warnUnused } from "../../../core/language/checks/unused-names.ts";
import { type YamlMap, toJson, type YamlNode } from "../node.ts";
import { EXTENSION } from "../described-keys.ts";
import { toolKeys, mappingKeys } from "./keys.ts";
import { meantRoot } from "./meant-root.ts";
import { readName, warnUndescribed } from "./head.ts";
import { readMade, withInput } from "./made-of.ts";
import { type Makes, makesOf } from "./makes.ts";
import { readParameters, readProperty } from "./parameters.ts";
import { readSteps } from "./steps.ts";
import { declaredVariables } from "./declared-variables.ts";
import { readTests } from "./tests.ts";
import { checkLiteralDefaults } from "../../../core/language/checks/plain-text.ts";
import { isPlainType, type TypeScope } from "../../../core/language/fields/types.ts";
import { type DeclaredType, NamedTypes } from "../../../core/language/fields/named-types.ts";
import { reachOf } from "../../../core/language/fields/sandbox.ts";
import { isJsonObject, type JsonObject } from "../../../core/schema/json.ts";
import type { Parameter } from "../../../core/schema/parameter.ts";
import { issuesOf } from "../../../core/language/fields/examples.ts";
import { returnsKeys } from "./extension-keys.ts";
import { readType } from "./parameter-schema.ts";
import type { TemplateContext } from "../template-text.ts";

/** Returns undefined if there is no definition; `findings` says why. */
export function analyzeCustomTool(
  root: YamlMap,
  options: AnalyzeOptions,
  findings: Findings,
): ToolDefinition | undefined {
  const fields = new Fields(meantRoot(root), toolKeys, findings);
  const name = readName(fields, options);
  // A tool without a name is still read, to report other problems.
  const named = name ?? { value: "tool", span: findings.startOfFile() };
  const extension = fields.fields(EXTENSION);
  const makes = makesOf(fields, extension);
  const types = readTypes(extension, fields);
  const declarations = readParameters(fields, types);
  const known = makes === "steps" ? withInput(fields, declarations.known) : declarations.known;
  const isCommand = makes !== "steps" && makes !== "wrap";
  const environment = declaredVariables(fields);
  const { steps, scope } =
    makes === "steps"
      ? readSteps(fields, known, environment)
      : {
          steps: [],
          scope: { parameters: known, steps: [], hasItem: false, ...(isCommand ? { place: named.span } : {}) },
        };
  const context = { scope, findings, environment };
  const said = toolKeys.read(fields, context);
  const { alias: _alias, wrapped: _wrapped, steps: _steps, code: _code, ignoreErrors: _ignores, ...texts } = said;
  const { surroundings = { environment: [], inheritsEnvironment: false }, ...words } = texts;
  const returns = extension && readReturns(extension, types, context);
  const security = withSecretHosts(securityOf(words.security).security, surroundings.secrets, {
    at: named.span,
    findings,
  });
  const { declaredEffects, tags } = tagged(words.tags ?? []);
  checkLiteralDefaults(declarations.parameters, findings, "error");
  const isWhole = hasWholeNumbers(fields);
  const parameters = [...declarations.parameters, ...known.slice(declarations.known.length)].map(({ parameter }) =>
    isWhole && parameter.schema.type === "number"
      ? { ...parameter, schema: { ...parameter.schema, type: "integer" as const } }
      : parameter,
  );
  const own = hasParameters(makes, fields) ? parameters : undefined;
  const head: DefinitionHead = {
    ...nothingDeclared,
    description: "",
    name: named,
    title: titleOf(name?.value ?? ""),
    ...words,
    parameters,
    declaredEffects: permittedEffects(security, declaredEffects),
    tags,
    ...(returns ? { returns } : {}),
    examples: extension ? readExamples(extension, own, named.value) : [],
    tests: readTests(
      fields,
      own?.map((one) => one.name),
    ),
    ...(security ? { security } : {}),
    origin: { kind: "file", source: findings.source, scope: options.scope ?? "given" },
  };
  const definition = makes && readMade(makes, { fields, extension, head, said, surroundings, steps, context });
  if (definition && makes !== "alias") warnUndescribed(fields, named.span);
  if (definition && definition.kind !== "alias")
    warnUnused("parameter", declarations.parameters, { definition, findings });
  return name && !hasErrors(findings.diagnostics()) ? definition : undefined;
}

/** Whether the definition has the parameters itself. Otherwise the base tool checks the calls of examples. */
function hasParameters(makes: Makes | undefined, fields: Fields): boolean {
  return makes !== undefined && makes !== "alias" && (makes !== "wrap" || fields.has("parameters"));
}

function readTypes(extension: Fields | undefined, fields: Fields): NamedTypes {
  const declared = (extension?.entries("types") ?? []).flatMap(({ key, keySpan, value }): DeclaredType[] => {
    if (isPlainType(key) || key === "array")
      fields.findings.error("duplicate-type", `\`${key}\` is a built-in type`, {
        at: keySpan,
        help: ["give this type another name"],
      });
    else if (!isName("type name", { text: key, span: keySpan }, fields.findings)) return [];
    else if (value.kind !== "map") fields.wrong(value, key, "a map of properties");
    else {
      const properties = value.entries
        .filter((entry) => isName("property name", { text: entry.key, span: entry.keySpan }, fields.findings))
        .map((entry) => (types: TypeScope) => readProperty(entry, fields, types));
      return [{ name: { text: key, span: keySpan, offsetAt: (index) => keySpan.start + index }, properties }];
    }
    return [];
  });
  return new NamedTypes(declared, fields.findings);
}

// `security` and `function-calling`: the needs of a tool on the machine, and its parameters in the schema.

/** What a tool asks for, with what its commands may reach. */
function securityOf(said: DeclaredSecurity | undefined): Pick<DefinitionHead, "security"> {
  return said ? { security: { ...reachOf(said), permissions: said.permissions ?? [] } } : {};
}

/**
 * Reads a mapping of types, and returns whether numbers are whole. A schema promises what a call accepts, so a type
 * maps to itself, or to a narrower one that calls must then satisfy.
 */
function hasWholeNumbers(tool: Fields): boolean {
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

// `examples` and `returns` below `x-dottool`, which parameters and types decide.

function readReturns(owner: Fields, types: TypeScope, context: TemplateContext): Returns | undefined {
  const fields = owner.fields("returns");
  const schema = fields && readType(fields, types);
  if (fields && !fields.has("type"))
    owner.findings.error("unknown-type", "`returns` has no `type`", {
      at: owner.place("returns"),
      help: ["add `type: string`"],
    });
  return schema && { description: "", ...returnsKeys.read(fields, context), schema };
}

/** `parameters` is undefined if the base tool has them. */
function readExamples(
  fields: Fields,
  parameters: readonly Parameter[] | undefined,
  name: string,
): readonly JsonObject[] {
  return fields.list("examples").flatMap((item) => {
    const example = toJson(item);
    if (!isJsonObject(example)) fields.wrong(item, "examples", "a map of arguments");
    else checkExample(item, example, { fields, parameters, name });
    return isJsonObject(example) ? [example] : [];
  });
}

function checkExample(
  item: YamlNode,
  example: JsonObject,
  {
    fields,
    parameters,
    name,
  }: { readonly fields: Fields; readonly parameters: readonly Parameter[] | undefined; readonly name: string },
): void {
  for (const { path, message } of parameters ? issuesOf(example, { name, parameters }) : []) {
    const root = /^[^.[]*/.exec(path)?.[0];
    const entry = item.kind === "map" ? item.entries.find(({ key }) => key === root) : undefined;
    fields.findings.error("example-mismatch", `this example does not fit the parameters of \`${name}\``, {
      at: entry?.keySpan ?? { ...item.span, end: item.span.start + 1 },
      label: path === "" ? message : `\`${path}\`: ${message}`,
    });
  }
}
