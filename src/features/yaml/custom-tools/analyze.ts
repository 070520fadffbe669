// Turns a custom-tools YAML into the same definition as a `.tool` file, or reports all its mistakes at once.
import { hasErrors } from "../../../core/text/diagnostic.ts";
import { type DefinitionHead, nothingDeclared, type ToolDefinition } from "../../../core/tool/definition.ts";
import type { AnalyzeOptions } from "../../../core/language/analyze.ts";
import { tagged, titleOf } from "../../../core/language/fields/names.ts";
import { permittedEffects } from "../../../core/language/fields/asks.ts";
import type { Findings } from "../../../core/language/findings.ts";
import { Fields } from "../fields.ts";
import { isName } from "../names.ts";
import { warnUnused } from "../../../core/language/checks/unused-names.ts";
import type { YamlMap } from "../node.ts";
import { EXTENSION } from "../described-keys.ts";
import { toolKeys } from "./keys.ts";
import { meantRoot } from "./meant-root.ts";
import { readName, warnUndescribed } from "./head.ts";
import { readMade, withInput } from "./made-of.ts";
import { type Makes, makesOf } from "./makes.ts";
import { readParameters, readProperty } from "./parameters.ts";
import { hasWholeNumbers, securityOf } from "./security.ts";
import { readSteps } from "./steps.ts";
import { declaredVariables } from "./declared-variables.ts";
import { readTests } from "./tests.ts";
import { checkLiteralDefaults } from "../../../core/language/checks/plain-text.ts";
import { readExamples, readReturns } from "./tool-extension.ts";
import { isPlainType, type TypeScope } from "../../../core/language/fields/types.ts";
import { type DeclaredType, NamedTypes } from "../../../core/language/fields/named-types.ts";

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
  const { security } = securityOf(words.security);
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
