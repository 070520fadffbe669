// Turns a meta-tool YAML into the entries of a custom-tools YAML, each at its place, which that reader reads: both mean the
// same steps. Here are only the keys, and what this format alone has.
import type { AnalyzeOptions } from "../../../core/language/analyze.ts";
import { Findings } from "../../../core/language/findings.ts";
import { impliedInput } from "../../../core/language/kinds/composed.ts";
import { type Diagnostic, hasErrors } from "../../../core/text/diagnostic.ts";
import type { Span } from "../../../core/text/source.ts";
import type { ToolDefinition } from "../../../core/tool/definition.ts";
import { parseReference, REFERENCE } from "../../../core/tool/reference.ts";
import { analyzeCustomTool } from "../custom-tools/analyze.ts";
import { commandKeys } from "../custom-tools/command-keys.ts";
import { EXTENSION } from "../described-keys.ts";
import { Fields } from "../fields.ts";
import { entryOf, isText, mapOf, textNode, type YamlEntry, type YamlMap, type YamlNode } from "../node.ts";
import { argumentEntries } from "./arguments.ts";
import { stepTypes, toolKeys } from "./keys.ts";
import { INPUT, stepNode } from "./steps.ts";

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
  const fields = new Fields(root, toolKeys, own);
  const custom = asCustomTool(fields);
  const definition = custom && analyzeCustomTool(custom, options, own);
  findings.add(own.diagnostics().map(asMetaTool));
  return hasErrors(findings.diagnostics()) ? undefined : definition;
}

/** Returns undefined if there are no steps. */
function asCustomTool(fields: Fields): YamlMap | undefined {
  const steps = fields.entry("steps");
  if (steps?.value.kind !== "list" || steps.value.items.length === 0) {
    if (steps) fields.wrong(steps.value, "steps", "a list of steps");
    else
      fields.findings.error("missing-command", "this tool has no `steps`", {
        at: fields.place("name"),
        help: ["add `steps:` with a `- type:` for each step"],
      });
    return undefined;
  }
  const declared = argumentEntries(fields);
  const items = steps.value.items.map((item) => stepNode(item, fields) ?? unreadStep(item));
  if (items.includes(undefined) || declared.includes(undefined)) fields.findings.lacksNames();
  const given = declared.flatMap((entry) => entry ?? []);
  const inputs = given.some(({ key }) => key === INPUT) ? [] : impliedArguments(fields);
  const parameters = [...given, ...inputs];
  const { map } = fields;
  const kept = ["name", "description", "version", "tags"].flatMap((key) => fields.entry(key) ?? []);
  const category = fields.entry("category");
  const more = [
    ...(fields.fields(EXTENSION)?.map.entries ?? []),
    ...[fields.entry("output") ?? []].flat(),
    ...[fields.entry("dependencies") ?? []].flat().map((entry) => ({ ...entry, key: "depends" })),
  ];
  const within = (key: string, keySpan: Span, entries: readonly YamlEntry[]): readonly YamlEntry[] =>
    entries.length === 0 ? [] : [{ key, keySpan, value: mapOf(entries, map.span) }];
  return mapOf(
    [
      ...kept,
      ...within("metadata", fields.place("category"), category ? [category] : []),
      ...within("parameters", fields.place("arguments"), parameters),
      { ...steps, value: { ...steps.value, items: items.flatMap((item) => item ?? []) } },
      ...within(EXTENSION, fields.place(EXTENSION), more),
    ],
    map.span,
  );
}

/** Stands for a step with a mistake, so that its variable is not reported where other steps read it. */
function unreadStep(item: YamlNode): YamlMap | undefined {
  const name = item.kind === "map" ? entryOf(item, "output_var") : undefined;
  const isName = name?.value.kind === "scalar" && /^[A-Za-z_][\w-]*$/.test(name.value.text.text);
  return name && isName
    ? mapOf(
        [
          { ...name, key: "name" },
          { ...name, key: "bash", value: textNode(":", name.keySpan) },
        ],
        item.span,
      )
    : undefined;
}

/**
 * Returns `{input}`, which need not be declared: it is the piped input. A step that calls a tool passes it on, unless it
 * says otherwise.
 */
function impliedArguments(fields: Fields): readonly YamlEntry[] {
  const user = ["steps", "output"].flatMap((key) => fields.entry(key) ?? []).find(({ value }) => usesInput(value));
  if (!user) return [];
  const { keySpan } = user;
  const said: YamlMap = mapOf(
    [
      { key: "description", keySpan, value: textNode(impliedInput.description, keySpan) },
      { key: EXTENSION, keySpan, value: mapOf([{ key: "stdin", keySpan, value: textNode(true, keySpan) }], keySpan) },
    ],
    keySpan,
  );
  return [{ key: INPUT, keySpan, value: said }];
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
        : diagnostic.message.replace(/, but may run before `([^`]*)` has ended$/, ", which is not set yet"),
      related: diagnostic.related.map((label) => ({ ...label, text: "it is set by this step" })),
      help: isOwn ? ["use the variable of a step above it"] : ["move that step up, above this one"],
    };
  }
  const worded = (text: string): string =>
    text.replaceAll("below `parameters`", "below `arguments`").replaceAll(/\bparameter\b/g, "argument");
  return { ...diagnostic, message: worded(diagnostic.message), help: diagnostic.help.map(worded) };
}
