// Turns a meta-tool YAML into the same definition as a `.tool` file, or reports all its mistakes at once.
import validRange from "semver/ranges/valid.js";
import { type Diagnostic, hasErrors } from "../../../core/text/diagnostic.ts";
import {
  type Dependency,
  nothingDeclared,
  type StepsDefinition,
  type ToolDefinition,
} from "../../../core/tool/definition.ts";
import { REFERENCE, parseReference } from "../../../core/tool/reference.ts";
import type { AnalyzeOptions } from "../../../core/language/analyze.ts";
import { commandKeys } from "../custom-tools/command-keys.ts";
import { tagged, titleOf } from "../../../core/language/fields/names.ts";
import type { Declaration } from "../../../core/language/syntax/ast.ts";
import { readName, warnUndescribed } from "../custom-tools/head.ts";
import { Findings } from "../../../core/language/findings.ts";
import { impliedInput } from "../../../core/language/kinds/composed.ts";
import { orderSteps } from "../../../core/language/kinds/step-order.ts";
import { Fields } from "../fields.ts";
import { warnUnused } from "../../../core/language/checks/unused-names.ts";
import { type YamlMap, type YamlNode, entryOf, isText } from "../node.ts";
import { readArguments } from "./arguments.ts";
import { securityOf } from "../custom-tools/security.ts";
import { stepTypes, toolKeys } from "./keys.ts";
import { readTemplate } from "../../../core/language/kinds/step-options.ts";
import { INPUT, readSteps } from "./steps.ts";
import { sliced } from "../../../core/language/syntax/mapped-text.ts";

/**
 * Whether the file is a meta tool: its steps have a `type` or an `output_var`, which no other format has; or no step is
 * usable and other keys are of this format.
 */
export function isMetaTool(root: YamlMap): boolean {
  const hasOneOf = (keys: readonly string[]): boolean => keys.some((key) => entryOf(root, key) !== undefined);
  if (
    hasOneOf(["arguments", "dependencies", "output"]) &&
    !hasOneOf(["parameters", ...commandKeys, "commands", "base-tool"])
  )
    return true;
  const steps = entryOf(root, "steps")?.value;
  return (
    steps?.kind === "list" &&
    steps.items.some(
      (step) =>
        step.kind === "map" &&
        (entryOf(step, "output_var") !== undefined ||
          stepTypes.some((type) => isText(entryOf(step, "type")?.value, type))),
    )
  );
}

/** Returns undefined if there is no definition; `findings` says why. */
export function analyzeMetaTool(
  root: YamlMap,
  options: AnalyzeOptions,
  findings: Findings,
): ToolDefinition | undefined {
  const own = new Findings(findings.source);
  const definition = read(root, options, own);
  findings.add(own.diagnostics().map(asMetaTool));
  return hasErrors(findings.diagnostics()) ? undefined : definition;
}

function read(root: YamlMap, options: AnalyzeOptions, findings: Findings): ToolDefinition | undefined {
  const fields = new Fields(root, toolKeys, findings);
  const name = readName(fields, options);
  const declared = readArguments(fields);
  const value = fields.entry("steps")?.value;
  if (value?.kind !== "list" || value.items.length === 0) {
    if (value) fields.wrong(value, "steps", "a list of steps");
    else
      findings.error("missing-command", "this tool has no `steps`", {
        at: fields.place("name"),
        help: ["add `steps:` with a `- type:` for each step"],
      });
  }
  const known = withInput(declared.known, fields);
  const { steps, scope } = readSteps(fields, known);
  const text = fields.text("output");
  const output = text && readTemplate(text, scope, findings);
  warnUndescribed(fields, fields.place("name"));
  const { security, ...words } = toolKeys.read(fields, {
    scope: { parameters: known, steps: [], hasItem: false },
    findings,
  });
  findings.add(orderSteps({ steps, surroundings }).diagnostics);
  const input = known.slice(declared.known.length).map(({ parameter }) => parameter);
  const definition: StepsDefinition = {
    kind: "steps",
    name: name ?? { value: "tool", span: findings.startOfFile() },
    title: titleOf(name?.value ?? ""),
    description: "",
    ...nothingDeclared,
    ...words,
    depends: readDependencies(fields),
    ...tagged([...new Set(fields.texts("tags").map(({ text: word }) => word))]),
    ...securityOf(security),
    parameters: [...declared.parameters.map(({ parameter }) => parameter), ...input],
    origin: { kind: "file", source: findings.source, scope: options.scope ?? "given" },
    steps,
    ...(output ? { output } : {}),
    cleanup: [],
    surroundings,
    ignoreErrors: false,
  };
  // The references of a text with a mistake are not known.
  if (hasErrors(findings.diagnostics())) return undefined;
  warnUnused("argument", declared.parameters, { definition, findings });
  return name && definition;
}

const surroundings: StepsDefinition["surroundings"] = { environment: [], inheritsEnvironment: false };

/**
 * Adds `{input}`, which need not be declared: it is the piped input. A step that calls a tool passes it on, unless it
 * says otherwise.
 */
function withInput(known: readonly Declaration[], fields: Fields): readonly Declaration[] {
  if (known.some(({ parameter }) => parameter.name === INPUT)) return known;
  const steps = fields.entry("steps");
  const user = [steps, fields.entry("output")].find((entry) => entry && usesInput(entry.value));
  if (!user) return known;
  return [...known, { parameter: impliedInput, span: user.keySpan }];
}

function usesInput(node: YamlNode): boolean {
  switch (node.kind) {
    case "scalar":
      return rootsIn(node.text.text).includes(INPUT);
    case "list":
      return node.items.some(usesInput);
    case "map":
      return isText(entryOf(node, "type")?.value, "tool")
        ? !passesOtherInput(node) || node.entries.some(({ value }) => usesInput(value))
        : node.entries.some(({ key, value }) => (key === "code" ? namesInput(value) : usesInput(value)));
  }
}

function passesOtherInput(step: YamlMap): boolean {
  const args = entryOf(step, "args")?.value;
  return entryOf(step, INPUT) !== undefined || (args?.kind === "map" && entryOf(args, INPUT) !== undefined);
}

/** Whether the code uses it as a variable. */
function namesInput(node: YamlNode): boolean {
  return node.kind === "scalar" && /(?<![\w.])input(?!\w)/.test(node.text.text);
}

function rootsIn(text: string): readonly string[] {
  return [...text.matchAll(new RegExp(`\\{(${REFERENCE})\\}`, "g"))].flatMap(
    ([, written = ""]) => parseReference(written)?.root ?? [],
  );
}

/** Words a diagnostic for this format: steps do not wait, and parameters are called arguments. */
function asMetaTool(diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.code === "reads-ahead") {
    const isOwn = diagnostic.related.length === 0;
    return {
      ...diagnostic,
      message: isOwn
        ? diagnostic.message
        : diagnostic.message.replace(/, and may run before `([^`]*)` has ended$/, ", which is not set yet"),
      related: diagnostic.related.map((label) => ({ ...label, text: "it is set by this step" })),
      help: isOwn ? ["use the variable of a step above it"] : ["move that step up, above this one"],
    };
  }
  return {
    ...diagnostic,
    help: diagnostic.help.map((line) => line.replace("below `parameters`", "below `arguments`")),
  };
}

const DEPENDENCY = /^((?:[A-Za-z_][A-Za-z0-9_-]{0,63}\/)?[A-Za-z_][A-Za-z0-9_-]{0,63})(?:@([^]*))?$/;

function readDependencies(tool: Fields): readonly Dependency[] {
  const known = new Map<string, Dependency>();
  for (const text of tool.texts("dependencies")) {
    const [, name, range] = DEPENDENCY.exec(text.text) ?? [];
    if (name === undefined)
      tool.findings.error("wrong-value", `\`${text.text.slice(0, 64)}\` is not the name of a tool`, {
        at: text.span,
        label: "expected `OWNER/NAME`, or `OWNER/NAME@^1.0.0`",
      });
    else if (range !== undefined && validRange(range) === null)
      tool.findings.error("bad-version", `\`${range.slice(0, 64)}\` is not a valid version range`, {
        at: sliced(text, name.length + 1).span,
        label: "expected a range such as ^1.2.0",
      });
    else if (known.has(name)) tool.findings.error("wrong-value", `\`${name}\` is listed twice`, { at: text.span });
    else known.set(name, { tool: name, ...(range === undefined ? {} : { range }) });
  }
  return [...known.values()];
}
