// The kinds of tools, each from the keys that say what it is made of.
import type { Spanned } from "../../../core/text/source.ts";
import type {
  AliasDefinition,
  CodeDefinition,
  DefinitionHead,
  StepsDefinition,
  Surroundings,
  ToolDefinition,
  WrappedDefinition,
} from "../../../core/tool/definition.ts";
import { isCommandStep, plainStep, type Step, type StepAction } from "../../../core/tool/step.ts";
import { distinctAllowances } from "../../../core/language/fields/allowances.ts";
import { impliedInput } from "../../../core/language/kinds/composed.ts";
import type { Declaration, MappedText } from "../../../core/language/syntax/ast.ts";
import { checkStepDangers, guardedStepEnvironment } from "../../../core/language/checks/step-dangers.ts";
import { orderSteps } from "../../../core/language/kinds/step-order.ts";
import { commandReferences, surroundingReferences } from "../../../core/language/syntax/step-references.ts";
import type { Fields } from "../fields.ts";
import { readAnyAction } from "./actions.ts";
import { readCommand, readCommandEntries, readCommandKey, type ReadCommands, readPlatformCommands } from "./command.ts";
import type { TemplateContext } from "../template-text.ts";
import type { commandKeys } from "./command-keys.ts";
import { EXTENSION } from "../described-keys.ts";
import type { Said } from "./keys.ts";
import { isWrapping, type Makes } from "./makes.ts";
import { placesOf } from "./surroundings.ts";

export interface Reading {
  readonly fields: Fields;
  readonly extension: Fields | undefined;
  readonly head: DefinitionHead;
  /** What the keys say of each kind. */
  readonly said: Partial<Said>;
  readonly surroundings: Surroundings;
  /** For a tool with steps. */
  readonly steps: readonly Step[];
  readonly context: TemplateContext;
}

/** Returns undefined if a problem was reported. */
export function readMade(makes: Makes, reading: Reading): ToolDefinition | undefined {
  switch (makes) {
    case "alias":
      return readAlias(reading);
    case "steps":
      return readStepTool(reading);
    case "javascript":
      return readCode(reading);
    case "wrap":
      return readWrap(reading);
    case "bash":
    case "cmd":
    case "pwsh":
    case "run":
    case "script":
    case "commands":
    case "entries":
      return readCommandTool(makes, reading);
  }
}

/** Keys about processes, which JavaScript in the sandbox cannot reach, and neither other tools. */
const processKeys = [
  "environment",
  "file-paths",
  "working-directory",
  "input",
  "ignore-errors",
  "interactive",
  "interactive-options",
];

function refuseFinalCommand({ fields }: Reading, message: string): void {
  if (finalCommands(fields).length > 0) fields.refuse("resources", message);
}

function readAlias(reading: Reading): AliasDefinition | undefined {
  const { fields, head, said } = reading;
  const message = (key: string): string => `an alias always has the \`${key}\` of its base tool`;
  fields.refuse("parameters", message, { help: ["write other defaults below `default-parameters`"] });
  fields.refuse(processKeys, message, { help: ["remove it, or write a tool with `use-tool`"] });
  refuseFinalCommand(reading, "an alias cannot have a `final-command`");
  const { base, defaults = [] } = said.alias ?? {};
  if (!fields.has("base-tool"))
    fields.findings.error("missing-wrapped", "this alias does not name its base tool", {
      at: fields.place("type"),
      help: ["add `base-tool:` with a name"],
    });
  return base && { kind: "alias", ...head, base, defaults };
}

function readCode(reading: Reading): CodeDefinition | undefined {
  const { fields, head, said } = reading;
  fields.refuse(processKeys, (key) => `\`${key}\` is for commands, but this tool is JavaScript`);
  refuseFinalCommand(reading, "a JavaScript tool cannot have a `final-command`");
  const { code, allows } = said.code ?? {};
  return code && { kind: "code", ...head, code, ...(allows ? { allows: distinctAllowances(allows) } : {}) };
}

/** Reads a tool that wraps another one with its own texts, parameters and values. */
function readWrap(reading: Reading): WrappedDefinition | undefined {
  refuseFinalCommand(reading, "only commands and steps can have a `final-command`");
  const { base } = reading.said.wrapped ?? {};
  return base && wrapOf(reading, { base, commands: [], surroundings: reading.surroundings });
}

function wrapOf(
  { head, said }: Reading,
  made: Pick<WrappedDefinition, "base" | "commands" | "surroundings">,
): WrappedDefinition {
  const { presets = [], defaults = [], fallback } = said.wrapped ?? {};
  const { ignoreErrors = false } = said;
  return { kind: "wrapped", ...head, ...made, presets, defaults, ...(fallback ? { fallback } : {}), ignoreErrors };
}

/** Checks what surrounds the commands of these steps, and adds what is known of their variables. */
function guardedSurroundings({ fields, surroundings, context }: Reading, steps: readonly Step[]): Surroundings {
  const { scope, findings } = context;
  const { environment } = surroundings;
  const span = fields.place("environment");
  const guarded = guardedStepEnvironment({ steps, environment, span, scope }, findings);
  checkStepDangers({ steps, surroundings, places: placesOf(fields), scope }, findings);
  return { ...surroundings, environment: guarded };
}

type StepsParts = Pick<StepsDefinition, "steps" | "cleanup" | "output" | "surroundings">;

function readStepTool(reading: Reading): StepsDefinition {
  const { fields, extension, steps, said, context } = reading;
  const cleanup = [
    ...readCleanup(fields, "bash", context),
    ...(extension ? readOtherCleanup(extension, context) : []),
  ].map((step, index) => ({ ...step, name: { ...step.name, value: cleanupName(index) } }));
  checkNeedless(fields, [...steps, ...cleanup]);
  const surroundings = guardedSurroundings(reading, [...steps, ...cleanup]);
  const { output } = said.steps ?? {};
  return stepsDefinition(reading, { steps, cleanup, ...(output ? { output } : {}), surroundings });
}

function cleanupName(index: number): string {
  return index === 0 ? "cleanup" : `cleanup-${index + 1}`;
}

/** Reports keys about the surroundings of a command if there is no command. */
function checkNeedless(fields: Fields, steps: readonly Step[]): void {
  if (steps.length === 0 || steps.some(isCommandStep)) return;
  fields.refuse(
    ["environment", "working-directory", "file-paths", "input", "interactive"],
    (key) => `\`${key}\` has no effect here: no step runs a command`,
  );
}

/** Reads a cleanup for which the format has no words: other shells, tools, models and code. */
function readOtherCleanup(extension: Fields, context: TemplateContext): readonly Step[] {
  return extension.maps("cleanup").flatMap((fields): Step[] => {
    const action = readAnyAction(fields, ["this has one action, but has", "this is empty", fields.start], context);
    return action ? [cleanupStep(action, fields.map.span)] : [];
  });
}

function stepsDefinition({ head, said, context }: Reading, parts: StepsParts): StepsDefinition {
  context.findings.add(orderSteps(parts).diagnostics);
  return { kind: "steps", ...head, ...parts, ignoreErrors: said.ignoreErrors ?? false };
}

/** Adds `{input}` of a step, which need not be declared: it is the piped input. */
export function withInput(fields: Fields, known: readonly Declaration[]): readonly Declaration[] {
  const texts = ["steps", "resources", EXTENSION]
    .flatMap((key) => fields.entry(key)?.value ?? [])
    .flatMap((value) => (value.kind === "map" ? value.entries.map((entry) => entry.value) : [value]))
    .map(({ span }) => span.source.text.slice(span.start, span.end));
  if (known.some(({ parameter }) => parameter.name === "input") || !texts.some((text) => /\{input[}:.[]/.test(text)))
    return known;
  return [...known, { parameter: impliedInput, span: fields.place("steps") }];
}

function readCleanup(fields: Fields, shell: ReadCommands["shell"], context: TemplateContext): readonly Step[] {
  return finalCommands(fields).flatMap((text, index): Step[] => {
    const command = readCommand(text, shell, context);
    const step = command && cleanupStep({ kind: "command", commands: [{ command }] }, text.span);
    return step ? [{ ...step, name: { value: cleanupName(index), span: text.span } }] : [];
  });
}

/** Returns the commands that run at the end, whatever happened. */
function finalCommands(tool: Fields): readonly MappedText[] {
  return (tool.fields("resources")?.maps("cleanup") ?? []).flatMap((fields) => {
    if (fields.flag("delete-temp-files") === false)
      fields.findings.error("wrong-value", "the temporary folder of a run is always removed", {
        at: fields.place("delete-temp-files"),
        help: ["write files that should stay to another folder"],
      });
    return fields.text("final-command") ?? [];
  });
}

function cleanupStep(action: StepAction, span: Spanned<string>["span"]): Step {
  return {
    name: { value: "cleanup", span },
    action,
    ...plainStep,
    continuesOnError: true,
  };
}

/**
 * Reads a tool of one command, which is a wrap of `run_command`. With a cleanup or a temporary folder, it is a tool
 * with one step.
 */
function readCommandTool(
  key: (typeof commandKeys)[number] | "commands" | "entries",
  reading: Reading,
): WrappedDefinition | StepsDefinition | undefined {
  const { fields, extension, head, said, context } = reading;
  const read =
    key === "commands"
      ? readPlatformCommands(fields, context)
      : key === "entries"
        ? extension && readCommandEntries(extension, context)
        : readCommandKey(fields, key, context);
  const cleanup = readCleanup(fields, read?.shell === "none" ? "bash" : (read?.shell ?? "bash"), context);
  const { fallback, base } = said.wrapped ?? {};
  if (!read || read.commands.length === 0) return undefined;
  const at = key === "entries" ? (extension?.place("commands") ?? fields.place(EXTENSION)) : fields.place(key);
  const step: Step = {
    name: { value: head.name.value.split("/").at(-1) ?? "", span: at },
    action: { kind: "command", commands: read.commands },
    ...plainStep,
    output: { ...plainStep.output, mode: "stream" },
  };
  const fallbacks = fallback ? [fallback] : [];
  const whole = {
    ...step,
    name: { ...step.name, span: head.name.span },
    ...(fallback ? { fallback: { kind: "command" as const, commands: [{ command: fallback }] } } : {}),
  };
  const surroundings = guardedSurroundings(reading, [whole, ...cleanup]);
  const places = [
    ...[...read.commands.map(({ command }) => command), ...fallbacks].flatMap(commandReferences),
    ...surroundingReferences(surroundings),
  ];
  const { parameters } = context.scope;
  const isPlain =
    cleanup.length === 0 && places.every((place) => parameters.some(({ parameter }) => parameter.name === place));
  if (isPlain)
    return wrapOf(reading, {
      base: base ?? { value: "run_command", span: at },
      commands: read.commands,
      surroundings,
    });
  if (isWrapping(extension))
    fields.refuse(EXTENSION, "a tool that cleans up, or reads what is created for each run, needs steps", {
      help: ["write it with `steps`"],
    });
  return stepsDefinition(reading, { steps: [step], cleanup, surroundings });
}
