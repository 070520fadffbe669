// A custom-tools YAML becomes the same definition that a `.tool` file becomes, or everything that is wrong with it at once.
import { hasErrors } from "../../text/diagnostic.ts";
import type { Spanned } from "../../text/source.ts";
import type { CommandTemplate, PlatformCommand } from "../../tool/command.ts";
import type { AliasDefinition, DefinitionHead, ParameterValue, StepsDefinition, ToolDefinition, WrappedDefinition } from "../../tool/definition.ts";
import { type Step, STEP_OUTPUT_BYTES_MAX } from "../../tool/step.ts";
import type { AnalyzeOptions } from "../analyze.ts";
import type { Declaration } from "../ast.ts";
import type { ReferenceScope } from "../references.ts";
import { orderSteps } from "../step-order.ts";
import { commandReferences, referencesOfStep, surroundingReferences } from "../step-references.ts";
import { Fields } from "../yaml/fields.ts";
import { toJson, type YamlMap } from "../yaml/node.ts";
import { type CommandContext, readCommand, readCommandKey, type ReadCommands, readPlatformCommands } from "./command.ts";
import { readName, readVersion, readWords } from "./head.ts";
import { toolExtensionKeys } from "./extension-keys.ts";
import { commandKeys, EXTENSION, toolKeys } from "./keys.ts";
import { readParameters } from "./parameters.ts";
import { readResources, type ReadResources } from "./resources.ts";
import { permittedEffects, readSchemaOptions, readSecurity } from "./security.ts";
import { readSteps } from "./steps.ts";
import { readSurroundings } from "./surroundings.ts";
import { readTests } from "./tests.ts";
import { readTypes } from "./types.ts";
import type { Findings } from "../findings.ts";

type Makes = (typeof commandKeys)[number] | "commands" | "steps" | "type";

/** Undefined: what is wrong is in `findings`. */
export function analyzeCustomTool(root: YamlMap, options: AnalyzeOptions, findings: Findings): ToolDefinition | undefined {
  const fields = new Fields(root, toolKeys, findings);
  const name = readName(fields, options);
  const makes = makesOf(fields);
  const extension = fields.fields(EXTENSION, toolExtensionKeys);
  const types = readTypes(extension, fields);
  const declarations = readParameters(fields, types);
  const schema = readSchemaOptions(fields);
  const resources = readResources(fields);
  const words = readWords(fields, name?.value ?? "");
  const security = readSecurity(fields, declarations.known);
  const cycodVersion = readVersion(fields, "min-cycod-version");
  const parameters = declarations.parameters.map(({ parameter }) => (schema.hasWholeNumbers && parameter.schema.type === "number" ? { ...parameter, schema: { ...parameter.schema, type: "integer" as const } } : parameter));
  const head = (named: Spanned<string>): DefinitionHead => ({
    name: named,
    ...words,
    parameters,
    declaredEffects: permittedEffects(security, words.declaredEffects),
    requires: [],
    depends: [],
    examples: [],
    tests: readTests(fields),
    limits: resources.limits,
    ...(security ? { security } : {}),
    ...(schema.omits.length === 0 ? {} : { schemaOmits: schema.omits }),
    ...(cycodVersion === undefined ? {} : { cycodVersion }),
    origin: { kind: "file", source: findings.source, scope: options.scope ?? "given" },
  });
  // Without a name of its own, a tool is still read for what else is wrong.
  const named = name ?? { value: "tool", span: findings.startOfFile() };
  const reading = makes && { head: head(named), known: declarations.known, resources };
  const definition = reading && readKind(fields, makes, reading);
  if (definition && makes !== "type") checkWords(fields, definition);
  if (definition && definition.kind !== "alias") checkUnused(definition, declarations.parameters, findings);
  return name && !hasErrors(findings.diagnostics()) ? definition : undefined;
}

function readKind(fields: Fields, makes: Makes, reading: Reading): ToolDefinition | undefined {
  if (makes === "type") return readAlias(fields, reading);
  return makes === "steps" ? readStepTool(fields, reading) : readCommandTool(fields, makes, reading);
}

function makesOf(fields: Fields): Makes | undefined {
  const keys = [...commandKeys, "commands", "steps", "type"] as const;
  const first = fields.oneOf(keys, (one, other) => (one === "type" || other === "type" ? `an alias runs what its base tool runs, so \`${one === "type" ? other : one}\` has no place here` : `a tool runs one thing, and this has \`${one}\` and \`${other}\``), [
    "for several commands write `steps`; for one on each platform `commands` with `platforms`",
  ]);
  if (first === undefined) {
    const isAlias = fields.has("base-tool");
    fields.findings.error("missing-command", "this tool does not say what to run", { at: fields.has("name") ? fields.place("name") : fields.place(""), help: isAlias ? ["add `type: alias`"] : ["add `bash:` with a command and `{NAME}` where values go"] });
  }
  const isAlias = first === "type" && fields.choice("type", ["alias"]) === "alias";
  for (const key of first === "type" ? [] : ["base-tool", "default-parameters"]) if (fields.has(key)) fields.findings.error("conflicting-keys", `\`${key}\` is for an alias`, { at: fields.place(key), help: ["add `type: alias`, and leave out what runs"] });
  if (fields.has("shell") && first !== "script") fields.findings.error("conflicting-keys", "`shell` is for a `script`", { at: fields.place("shell"), help: first === undefined || first === "type" ? [] : [`\`${first}\` says already how it runs`] });
  return first === "type" && !isAlias ? undefined : (first as Makes | undefined);
}

/** What an alias leaves to its base tool. */
const baseKeys = ["parameters", "environment", "file-paths", "working-directory", "input", "ignore-errors", "interactive", "interactive-options"];

function readAlias(fields: Fields, { head, resources }: Reading): AliasDefinition | undefined {
  for (const key of baseKeys) if (fields.has(key)) fields.findings.error("conflicting-keys", `an alias has its base tool's \`${key}\``, { at: fields.place(key), help: key === "parameters" ? ["write other defaults below `default-parameters`"] : ["leave it out, or write a tool with `use-tool`"] });
  if (resources.finalCommands.length > 0) fields.findings.error("conflicting-keys", "an alias has nothing of its own to clean up", { at: fields.place("resources") });
  const base = fields.text("base-tool");
  if (!base && !fields.has("base-tool")) fields.findings.error("missing-wrapped", "this alias does not say which tool it stands for", { at: fields.place("type"), help: ["add `base-tool:` with a name"] });
  const defaults = fields.entries("default-parameters").flatMap(({ key, keySpan, value }): ParameterValue[] => {
    if (value.kind === "scalar" && value.value === null) return [];
    // Which type it has, only the base tool knows.
    return [{ parameter: { value: key, span: keySpan }, value: { value: value.kind === "scalar" ? value.text.text : toJson(value), span: value.span } }];
  });
  return base && { kind: "alias", ...head, base: { value: base.text, span: base.span }, defaults };
}

interface Reading {
  readonly head: DefinitionHead;
  readonly known: readonly Declaration[];
  readonly resources: ReadResources;
}

type StepsParts = Pick<StepsDefinition, "steps" | "cleanup" | "surroundings" | "ignoreErrors">;

function readStepTool(fields: Fields, { head, known, resources }: Reading): StepsDefinition {
  const parameters = withInput(fields, known);
  const { steps, scope } = readSteps(fields, parameters);
  const context = { scope, findings: fields.findings };
  const commands = steps.flatMap(({ action }) => (action.kind === "command" ? action.commands.map(({ command }) => command) : []));
  const input = parameters.slice(known.length).map(({ parameter }) => parameter);
  return stepsDefinition({ ...head, parameters: [...head.parameters, ...input] }, { steps, cleanup: readCleanup(resources, "bash", context), surroundings: readSurroundings(fields, commands, context), ignoreErrors: fields.flag("ignore-errors") ?? false }, fields.findings);
}

function stepsDefinition(head: DefinitionHead, parts: StepsParts, findings: Findings): StepsDefinition {
  findings.add(orderSteps(parts).diagnostics);
  return { kind: "steps", ...head, ...parts };
}

/** `{input}` in a step need not be declared: it is what is piped in. */
function withInput(fields: Fields, known: readonly Declaration[]): readonly Declaration[] {
  const value = fields.entry("steps")?.value;
  if (!value || known.some(({ parameter }) => parameter.name === "input") || !/\{input[}:.[]/.test(value.span.source.text.slice(value.span.start, value.span.end))) return known;
  return [...known, { parameter: { name: "input", description: "The text to work on", schema: { type: "string" }, required: false, fromStdin: true }, span: fields.place("steps") }];
}

function readCleanup({ finalCommands }: ReadResources, shell: ReadCommands["shell"], context: CommandContext): readonly Step[] {
  return finalCommands.flatMap((text, index): Step[] => {
    const command = readCommand(text, shell, context);
    return command ? [{ name: { value: index === 0 ? "cleanup" : `cleanup-${index + 1}`, span: text.span }, ...commandStep([{ command }]), continuesOnError: true }] : [];
  });
}

function commandStep(commands: readonly PlatformCommand[]): Omit<Step, "name"> {
  return { action: { kind: "command", commands }, isParallel: false, continuesOnError: false, output: { mode: "stream", bytesMax: STEP_OUTPUT_BYTES_MAX } };
}

/** One command is a wrap of `run_command`; with something to clean up, or a folder of its own, it is a tool of one step. */
function readCommandTool(fields: Fields, key: Exclude<Makes, "steps" | "type">, { head, known, resources }: Reading): WrappedDefinition | StepsDefinition | undefined {
  const name = head.name.value.split("/").at(-1) ?? "";
  const scope: ReferenceScope = { parameters: known, steps: [{ name, span: head.name.span }], hasItem: false };
  const context = { scope, findings: fields.findings };
  const read = key === "commands" ? readPlatformCommands(fields, context) : readCommandKey(fields, key, context);
  const commands: readonly CommandTemplate[] = read?.commands.map(({ command }) => command) ?? [];
  const surroundings = readSurroundings(fields, commands, context);
  const cleanup = readCleanup(resources, read?.shell === "none" ? "bash" : (read?.shell ?? "bash"), context);
  const ignoreErrors = fields.flag("ignore-errors") ?? false;
  if (!read || read.commands.length === 0) return undefined;
  const places = [...commands.flatMap(commandReferences), ...surroundingReferences(surroundings)];
  const isPlain = cleanup.length === 0 && places.every((place) => known.some(({ parameter }) => parameter.name === place));
  if (isPlain) return { kind: "wrapped", ...head, base: { value: "run_command", span: fields.place(key) }, commands: read.commands, presets: [], defaults: [], surroundings, ignoreErrors };
  return stepsDefinition(head, { steps: [{ name: { value: name, span: fields.place(key) }, ...commandStep(read.commands) }], cleanup, surroundings, ignoreErrors }, fields.findings);
}

function checkWords(fields: Fields, { name, description }: DefinitionHead): void {
  if (description !== "" || fields.has("description")) return;
  fields.findings.warn("missing-description", "this tool has no description", { at: name.span, help: ["add `description:` with what it does and when to use it: that is all a model knows of it"] });
}

function checkUnused(definition: ToolDefinition, parameters: readonly Declaration[], findings: Findings): void {
  if (definition.kind !== "wrapped" && definition.kind !== "steps") return;
  const texts = definition.kind === "wrapped" ? [...definition.commands.flatMap(({ command }) => commandReferences(command)), ...surroundingReferences(definition.surroundings)] : [...definition.steps, ...definition.cleanup].flatMap((step) => referencesOfStep(step, definition.surroundings).map(({ root }) => root));
  const used = new Set(texts);
  for (const { parameter, span } of parameters) {
    if (!used.has(parameter.name)) findings.warn("unused-parameter", `nothing uses the parameter \`${parameter.name}\``, { at: span, help: [`write \`{${parameter.name}}\` where its value goes, or remove it`] });
  }
}
