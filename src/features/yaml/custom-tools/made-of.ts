// The kinds of tools, each from the keys that say what it is made of.
import type { Spanned } from "../../../core/text/source.ts";
import type { CommandTemplate, PlatformCommand } from "../../../core/tool/command.ts";
import type {
  AliasDefinition,
  Allowance,
  CodeDefinition,
  DefinitionHead,
  ParameterValue,
  StepsDefinition,
  Surroundings,
  ToolDefinition,
  WrappedDefinition,
} from "../../../core/tool/definition.ts";
import { isCommandStep, type Step, STEP_OUTPUT_BYTES_MAX, type StepAction } from "../../../core/tool/step.ts";
import { isSecretName } from "../../../core/language/kinds/wrapped-command.ts";
import { impliedInput } from "../../../core/language/kinds/composed.ts";
import type { Declaration } from "../../../core/language/syntax/ast.ts";
import type { Findings } from "../../../core/language/findings.ts";
import type { ReferenceScope } from "../../../core/language/syntax/references.ts";
import {
  checkStepDangers,
  guardedStepEnvironment,
  type StepEnvironment,
} from "../../../core/language/checks/step-dangers.ts";
import { orderSteps } from "../../../core/language/kinds/step-order.ts";
import { commandReferences, surroundingReferences } from "../../../core/language/syntax/step-references.ts";
import type { Fields } from "../fields.ts";
import { isName } from "../names.ts";
import { toJson } from "../node.ts";
import { type ActionKey, checkCompanions, readAction } from "./actions.ts";
import { readCommand, readCommandEntries, readCommandKey, type ReadCommands, readPlatformCommands } from "./command.ts";
import { readTemplateText, type TemplateContext } from "../template-text.ts";
import { actionKeys, actionKinds, commandKeys, fallbackKeys } from "./step-keys.ts";
import { EXTENSION } from "../described-keys.ts";
import { isWrapping, type Makes } from "./makes.ts";
import type { ReadResources } from "./resources.ts";
import { readSteps } from "./steps.ts";
import { placesOf, readSurroundings } from "./surroundings.ts";
import { readPresets } from "./tool-extension.ts";

export interface Reading {
  readonly fields: Fields;
  readonly extension: Fields | undefined;
  readonly head: DefinitionHead;
  readonly known: readonly Declaration[];
  readonly resources: ReadResources;
  readonly ignoreErrors: boolean;
  readonly passed?: readonly string[];
  readonly allows?: readonly Allowance[];
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

function refuseFinalCommand({ fields, resources }: Reading, message: string): void {
  if (resources.finalCommands.length > 0) fields.refuse("resources", message);
}

function readAlias(reading: Reading): AliasDefinition | undefined {
  const { fields, head } = reading;
  const message = (key: string): string => `an alias always has the \`${key}\` of its base tool`;
  fields.refuse("parameters", message, { help: ["write other defaults below `default-parameters`"] });
  fields.refuse(processKeys, message, { help: ["remove it, or write a tool with `use-tool`"] });
  refuseFinalCommand(reading, "an alias cannot have a `final-command`");
  const base = fields.text("base-tool");
  if (!base && !fields.has("base-tool"))
    fields.findings.error("missing-wrapped", "this alias does not name its base tool", {
      at: fields.place("type"),
      help: ["add `base-tool:` with a name"],
    });
  return (
    base && {
      kind: "alias",
      ...head,
      base: { value: base.text, span: base.span },
      defaults: readDefaults(fields, "default-parameters"),
    }
  );
}

function readDefaults(fields: Fields, key: string): readonly ParameterValue[] {
  return fields.entries(key).flatMap((entry): ParameterValue[] => {
    const { value } = entry;
    if (value.kind === "scalar" && value.value === null) return [];
    // Only the base tool knows the type of the parameter.
    return [
      {
        parameter: { value: entry.key, span: entry.keySpan },
        value: { value: value.kind === "scalar" ? value.text.text : toJson(value), span: value.span },
      },
    ];
  });
}

function readCode(reading: Reading): CodeDefinition | undefined {
  const { fields, extension, head, allows } = reading;
  fields.refuse(processKeys, (key) => `\`${key}\` is for commands, but this tool is JavaScript`);
  refuseFinalCommand(reading, "a JavaScript tool cannot have a `final-command`");
  const code = extension?.text("javascript");
  return (
    code && {
      kind: "code",
      ...head,
      code: { value: code.text, span: code.span },
      ...(allows ? { allows } : {}),
    }
  );
}

/** Reads a tool that wraps another one with its own texts, parameters and values. */
function readWrap(reading: Reading): WrappedDefinition | undefined {
  const { fields, extension, head, known, ignoreErrors } = reading;
  refuseFinalCommand(reading, "only commands and steps can have a `final-command`");
  const base = extension?.text("wraps");
  const context: TemplateContext = {
    scope: { parameters: known, steps: [], hasItem: false },
    findings: fields.findings,
  };
  const surroundings = withSecrets(readSurroundings(fields, context), reading);
  const fallback = extension && readFallback(extension, context);
  return (
    extension &&
    base && {
      kind: "wrapped",
      ...head,
      base: { value: base.text, span: base.span },
      commands: [],
      presets: readPresets(extension),
      defaults: readDefaults(extension, "defaults"),
      surroundings,
      ...(fallback ? { fallback } : {}),
      ignoreErrors,
    }
  );
}

function guardedSurroundings(
  surroundings: Surroundings,
  of: Pick<StepEnvironment, "steps" | "scope">,
  fields: Fields,
): Surroundings {
  const { environment } = surroundings;
  const span = fields.place("environment");
  return { ...surroundings, environment: guardedStepEnvironment({ ...of, environment, span }, fields.findings) };
}

function withSecrets(
  surroundings: Surroundings,
  { extension, passed }: Pick<Reading, "extension" | "passed">,
): Surroundings {
  const secrets = (extension?.entries("secrets") ?? []).flatMap(({ key, keySpan, value }) => {
    const secret = extension?.textOf(value, key);
    if (secret && !isSecretName(secret.text))
      extension?.findings.error("wrong-value", "the name of a secret has letters, digits, `_` and `-`", {
        at: secret.span,
        help: ["`secrets:` in your config.yaml, or the environment, says where to find it"],
      });
    if (extension) isName("name for an environment variable", { text: key, span: keySpan }, extension.findings);
    return secret ? [{ variable: key, secret: secret.text }] : [];
  });
  return {
    ...surroundings,
    ...(passed ? { passed } : {}),
    ...(secrets.length === 0 ? {} : { secrets }),
  };
}

function readFallback(extension: Fields, context: TemplateContext): CommandTemplate | undefined {
  const fields = extension.fields("fallback", fallbackKeys);
  const key = fields?.oneOf(
    commandKeys,
    (first, other) => `a fallback has one action, and this has \`${first}\` and \`${other}\``,
  );
  if (fields && key === undefined)
    extension.findings.error("empty-command", "this fallback is empty", {
      at: extension.place("fallback"),
      help: ["add `run:` with a command"],
    });
  return fields && key !== undefined
    ? readCommandKey(fields, key as (typeof commandKeys)[number], context)?.commands[0]?.command
    : undefined;
}

type StepsParts = Pick<StepsDefinition, "steps" | "cleanup" | "output" | "surroundings" | "ignoreErrors">;

function readStepTool(reading: Reading): StepsDefinition {
  const { fields, extension, head, known, resources, ignoreErrors } = reading;
  const parameters = withInput(fields, known);
  const { steps, scope } = readSteps(fields, parameters);
  const context = { scope, findings: fields.findings };
  const read = readSurroundings(fields, context);
  const input = parameters.slice(known.length).map(({ parameter }) => parameter);
  const text = extension?.text("output");
  const output = text && readTemplateText(text, context);
  const cleanup = [
    ...readCleanup(resources, "bash", context),
    ...(extension ? readOtherCleanup(extension, context) : []),
  ];
  checkNeedless(fields, [...steps, ...cleanup]);
  const surroundings = guardedSurroundings(read, { steps: [...steps, ...cleanup], scope }, fields);
  checkStepDangers({ steps: [...steps, ...cleanup], surroundings, places: placesOf(fields), scope }, fields.findings);
  const named = cleanup.map((step, index) => ({
    ...step,
    name: { ...step.name, value: index === 0 ? "cleanup" : `cleanup-${index + 1}` },
  }));
  return stepsDefinition(
    { ...head, parameters: [...head.parameters, ...input] },
    {
      steps,
      cleanup: named,
      ...(output ? { output } : {}),
      surroundings: withSecrets(surroundings, reading),
      ignoreErrors,
    },
    fields.findings,
  );
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
  return extension.list("cleanup").flatMap((item): Step[] => {
    const fields = extension.fieldsOf(item, "cleanup", actionKeys);
    const key = fields?.oneOf(
      actionKinds,
      (first, other) => `this has one action, but has \`${first}\` and \`${other}\``,
    ) as ActionKey | undefined;
    if (!fields) return [];
    checkCompanions(fields, key);
    if (key === undefined)
      extension.findings.error("empty-command", "this is empty", {
        at: { ...item.span, end: item.span.start + 1 },
        help: ["add `bash:` with a command"],
      });
    const action = key && readAction(fields, key, context);
    return action ? [cleanupStep(action, item.span)] : [];
  });
}

function stepsDefinition(head: DefinitionHead, parts: StepsParts, findings: Findings): StepsDefinition {
  findings.add(orderSteps(parts).diagnostics);
  return { kind: "steps", ...head, ...parts };
}

/** Adds `{input}` of a step, which need not be declared: it is the piped input. */
function withInput(fields: Fields, known: readonly Declaration[]): readonly Declaration[] {
  const texts = ["steps", "resources", EXTENSION]
    .flatMap((key) => fields.entry(key)?.value ?? [])
    .map(({ span }) => span.source.text.slice(span.start, span.end));
  if (known.some(({ parameter }) => parameter.name === "input") || !texts.some((text) => /\{input[}:.[]/.test(text)))
    return known;
  return [...known, { parameter: impliedInput, span: fields.place("steps") }];
}

function readCleanup(
  { finalCommands }: ReadResources,
  shell: ReadCommands["shell"],
  context: TemplateContext,
): readonly Step[] {
  return finalCommands.flatMap((text, index): Step[] => {
    const command = readCommand(text, shell, context);
    const step = command && cleanupStep({ kind: "command", commands: [{ command }] }, text.span);
    return step
      ? [{ ...step, name: { value: index === 0 ? "cleanup" : `cleanup-${index + 1}`, span: text.span } }]
      : [];
  });
}

function cleanupStep(action: StepAction, span: Spanned<string>["span"]): Step {
  return {
    name: { value: "cleanup", span },
    action,
    isParallel: false,
    continuesOnError: true,
    output: { mode: "buffer", bytesMax: STEP_OUTPUT_BYTES_MAX },
  };
}

function commandStep(commands: readonly PlatformCommand[]): Omit<Step, "name"> {
  return {
    action: { kind: "command", commands },
    isParallel: false,
    continuesOnError: false,
    output: { mode: "stream", bytesMax: STEP_OUTPUT_BYTES_MAX },
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
  const { fields, extension, head, known, resources, ignoreErrors } = reading;
  const name = head.name.value.split("/").at(-1) ?? "";
  const scope: ReferenceScope = { parameters: known, steps: [], hasItem: false, place: head.name.span };
  const context = { scope, findings: fields.findings };
  const read =
    key === "commands"
      ? readPlatformCommands(fields, context)
      : key === "entries"
        ? extension && readCommandEntries(extension, context)
        : readCommandKey(fields, key, context);
  const commands: readonly CommandTemplate[] = read?.commands.map(({ command }) => command) ?? [];
  const given = withSecrets(readSurroundings(fields, context), reading);
  const cleanup = readCleanup(resources, read?.shell === "none" ? "bash" : (read?.shell ?? "bash"), context);
  const fallback = extension && readFallback(extension, context);
  if (!read || read.commands.length === 0) return undefined;
  const whole: Step = {
    name: { value: name, span: head.name.span },
    ...commandStep(read.commands),
    ...(fallback ? { fallback: { kind: "command", commands: [{ command: fallback }] } } : {}),
  };
  const surroundings = guardedSurroundings(given, { steps: [whole, ...cleanup], scope }, fields);
  checkStepDangers({ steps: [whole, ...cleanup], surroundings, places: placesOf(fields), scope }, fields.findings);
  const places = [
    ...[...commands, ...(fallback ? [fallback] : [])].flatMap(commandReferences),
    ...surroundingReferences(surroundings),
  ];
  const isPlain =
    cleanup.length === 0 && places.every((place) => known.some(({ parameter }) => parameter.name === place));
  const at = key === "entries" ? (extension?.place("commands") ?? fields.place(EXTENSION)) : fields.place(key);
  if (!isPlain && isWrapping(extension))
    fields.refuse(EXTENSION, "a tool that cleans up, or reads what is created for each run, needs steps", {
      help: ["write it with `steps`"],
    });
  if (!isPlain)
    return stepsDefinition(
      head,
      {
        steps: [{ name: { value: name, span: at }, ...commandStep(read.commands) }],
        cleanup,
        surroundings,
        ignoreErrors,
      },
      fields.findings,
    );
  const base = extension?.text("wraps");
  return {
    kind: "wrapped",
    ...head,
    base: base ? { value: base.text, span: base.span } : { value: "run_command", span: at },
    commands: read.commands,
    presets: extension ? readPresets(extension) : [],
    defaults: extension ? readDefaults(extension, "defaults") : [],
    surroundings,
    ...(fallback ? { fallback } : {}),
    ignoreErrors,
  };
}
