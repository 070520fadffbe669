// Finds values that a program may run, in every command of a definition and its surroundings, and records them there.
// The effects of a tool follow from that without the tables.
import type { Parameter, ParameterSchema } from "../../schema/parameter.ts";
import type { PlatformCommand, ShellCommand, Word } from "../../tool/command.ts";
import {
  type StepsDefinition,
  type Surroundings,
  type ToolDefinition,
  type WrappedDefinition,
  commandsOf,
} from "../../tool/definition.ts";
import { type OpenValue, openValueText } from "../../tool/open-value.ts";
import { parseReference } from "../../tool/reference.ts";
import { outputNames, runReferences, type Step, type StepAction } from "../../tool/step.ts";
import type { Template } from "../../tool/template.ts";
import { isShellSafe } from "../../shell/shell-safe.ts";
import { CHOOSES_PROGRAM, readProcess } from "../../shell/data-positions.ts";
import { type DataRow, freeIn, type ReadWord, type ValuePart } from "../../shell/data-words.ts";
import { readScriptValues, type ScriptReading } from "../../shell/script-reading.ts";
import { schemaOf } from "../syntax/references.ts";
import { actionReferences } from "../syntax/step-references.ts";
import type { Analysis } from "../analysis.ts";

/** Returns the definition with `mayRun` and `does` in each of its commands without a shell. */
export function withOpenValues(definition: ToolDefinition): ToolDefinition {
  switch (definition.kind) {
    case "wrapped":
      return wrapWithOpenValues(definition);
    case "steps":
      return stepsWithOpenValues(definition);
    case "base":
    case "alias":
    case "code":
      return definition;
  }
}

/** Returns the names in the text of a preset. */
function templateOf(text: string): Template {
  return { parts: [...text.matchAll(/\{([A-Za-z_][\w-]*)\}/g)].map(([, placeholder = ""]) => ({ placeholder })) };
}

type ValueOf = (name: string) => ValuePart;

function wrapWithOpenValues(definition: WrappedDefinition): WrappedDefinition {
  const { parameters, fallback, presets } = definition;
  const folder = presets.find(({ parameter }) => parameter.value === "working_dir");
  const cwd = folder ? templateOf(folder.text.value) : definition.surroundings.cwd;
  const surroundings = { ...definition.surroundings, ...(cwd ? { cwd } : {}) };
  const values = new Map(parameters.map((one) => [one.name, valuePart(one.name, one)]));
  const valueOf: ValueOf = (name) => values.get(name) ?? valuePart(name, undefined);
  const read = (one: PlatformCommand): ReadCommand => ({ one, found: readCommand(one, { surroundings, valueOf }) });
  const commands = definition.commands.map(read);
  const reserve = fallback && read({ command: fallback });
  const written = [...commands, ...(reserve ? [reserve] : [])].flatMap(({ found }) => found?.written ?? []);
  const looked = (command: ReadCommand): PlatformCommand => lookedAt(command, { surroundings, valueOf, written });
  return {
    ...definition,
    commands: commands.map(looked),
    ...(reserve ? { fallback: looked(reserve).command } : {}),
  };
}

function stepsWithOpenValues(definition: StepsDefinition): StepsDefinition {
  const valueOf = referredValues(definition);
  const around = ({ stdin }: Step): Surroundings => ({ ...definition.surroundings, ...(stdin ? { stdin } : {}) });
  const writtenBy = (step: Step, action: StepAction): readonly string[] => {
    if (action.kind === "command") {
      return action.commands.flatMap((one) => readCommand(one, { surroundings: around(step), valueOf })?.written ?? []);
    }
    const mayWrite = action.kind === "tool" && !leavesNoFile.has(action.tool.value);
    return mayWrite ? actionReferences(action).filter((name) => valueOf(name).isFree) : [];
  };
  const writtenIn = (step: Step): readonly string[] => [
    ...writtenBy(step, step.action),
    ...(step.fallback ? writtenBy(step, step.fallback) : []),
  ];
  const written = [...definition.steps, ...definition.cleanup].flatMap(writtenIn);
  const actionOf = (step: Step, action: StepAction): StepAction => {
    if (action.kind !== "command") return action;
    const context = { surroundings: around(step), valueOf, written };
    const commands = action.commands.map((one) => lookedAt({ one, found: readCommand(one, context) }, context));
    return { ...action, commands };
  };
  const looked = (step: Step): Step => ({
    ...step,
    action: actionOf(step, step.action),
    ...(step.fallback ? { fallback: actionOf(step, step.fallback) } : {}),
  });
  return { ...definition, steps: definition.steps.map(looked), cleanup: definition.cleanup.map(looked) };
}

/** Base tools that write no file. Any other tool that a step uses may write what it gets. */
const leavesNoFile: ReadonlySet<string> = new Set(
  "read_file list_dir find_files search_text web_fetch web_search google_search todo_write read_output task_completion ask_question converse ask_model".split(
    " ",
  ),
);

function referredValues({ name, parameters, steps }: StepsDefinition): ValueOf {
  const outputs = steps.flatMap((step) => outputNames(step).map(({ value, span }) => ({ name: value, span })));
  const declared = parameters.map((parameter) => ({ parameter, span: name.span }));
  const scope = { parameters: declared, steps: outputs, hasItem: true };
  return (written) => {
    const reference = parseReference(written);
    const root = parameters.find((one) => one.name === reference?.root);
    if (!reference || (root && reference.path.length === 0)) return valuePart(written, root);
    const isOfRun = !root && runReferences.some((one) => one === reference.root);
    const schema = schemaOf(reference, scope) ?? anyText;
    const flags = root?.flags ? { flags: true as const } : {};
    const read = valuePart(written, { name: written, description: "", schema, required: isOfRun, ...flags });
    // No value of a call decides `WORKSPACE`, `TEMP_DIR` and `TOOL_NAME`.
    return isOfRun ? { ...read, isFree: false } : read;
  };
}

const anyText: ParameterSchema = { type: "string" };

function valuePart(value: string, declared: Parameter | undefined): ValuePart {
  const parameter = declared ?? { name: value, description: "", schema: anyText, required: false };
  return { value, parameter, isFree: isFree(parameter.schema, parameter.flags === true) };
}

/**
 * Whether the value is free: not a number, a choice of the author's or a plain word. Where dashes are allowed, a plain
 * word may be an option.
 */
function isFree(schema: ParameterSchema, hasFlags: boolean): boolean {
  switch (schema.type) {
    case "string": {
      const mayBeOption = hasFlags && schema.pattern?.source.includes("-") === true;
      return schema.choices === undefined && (!isShellSafe(schema) || mayBeOption);
    }
    case "array":
      return isFree(schema.items, hasFlags);
    case "object":
      return true;
    case "number":
    case "integer":
    case "boolean":
      return false;
  }
}

interface Context {
  readonly surroundings: Surroundings;
  readonly valueOf: ValueOf;
}

interface FoundValues {
  readonly program: string;
  readonly row: DataRow | undefined;
  readonly runsFiles: boolean;
  readonly mayRun: readonly OpenValue[];
  /** Values that it may put into a file. */
  readonly written: readonly string[];
}

/** Reads a command. Returns undefined for a script, which may run any text. */
function readCommand(one: PlatformCommand, { surroundings, valueOf }: Context): FoundValues | undefined {
  const { command, platform } = one;
  if (command.kind === "shell") return undefined;
  const { environment, stdin, cwd } = surroundings;
  const words = command.words.flatMap((word) => readWords(word, valueOf));
  const isKnown = !environment.some(({ name }) => CHOOSES_PROGRAM.test(name));
  const { program, row, open, runsFiles } = readProcess(words, { platform, isKnown });
  const freeOf = (template?: Template): readonly string[] => (template ? freeIn([wordOf(template, valueOf)]) : []);
  const found = (values: readonly string[], how: Pick<OpenValue, "by" | "name">): readonly OpenValue[] =>
    values.map((value) => ({ value, program, ...how }));
  const data = row?.variables?.split(/\s+/) ?? [];
  const others = environment.filter(({ name }) => !data.includes(name));
  const mayRun = [
    ...open,
    ...(row?.input ? [] : found(freeOf(stdin), { by: "input" })),
    ...others.flatMap(({ name, value }) => found(freeOf(value), { by: "variable", name })),
    ...(runsFiles ? found(freeOf(cwd), { by: "folder" }) : []),
  ];
  const written = row?.does?.includes("write") ? [...freeIn(words), ...freeOf(stdin)] : [];
  return { program, row, runsFiles, mayRun, written };
}

interface WrittenContext extends Context {
  /** Files that any part of the tool writes. */
  readonly written: readonly string[];
}

interface ReadCommand {
  readonly one: PlatformCommand;
  readonly found: FoundValues | undefined;
}

function lookedAt({ one, found }: ReadCommand, { written, ...context }: WrittenContext): PlatformCommand {
  if (one.command.kind === "shell") return { ...one, command: withDoes(one.command, readScript(one, context)) };
  if (!found) return one;
  const { program, row, runsFiles, mayRun } = found;
  const inFiles = runsFiles ? [...new Set(written)] : [];
  const all = [...mayRun, ...inFiles.map((value): OpenValue => ({ value, program, by: "file" }))];
  const { mayRun: _known, does: _done, ...command } = one.command;
  const facts = { ...(all.length > 0 ? { mayRun: all } : {}), ...(row?.does ? { does: row.does } : {}) };
  return { ...one, command: { ...command, ...facts } };
}

function withDoes(
  { does: _known, mayRun: _old, ...command }: ShellCommand,
  { does, open }: ScriptReading,
): ShellCommand {
  return { ...command, ...(does ? { does } : {}), ...(open ? { mayRun: open } : {}) };
}

function readScript(one: PlatformCommand, { surroundings, valueOf }: Context): ScriptReading {
  const { command, platform } = one;
  if (command.kind !== "shell" || command.shell === "pwsh" || command.shell === "cmd") return {};
  const { environment, stdin, cwd } = surroundings;
  const around = [...(stdin ? [stdin] : []), ...(cwd ? [cwd] : []), ...environment.map(({ value }) => value)];
  // They reach every program of the script.
  if (freeIn(around.map((template) => wordOf(template, valueOf))).length > 0) return {};
  const isKnown = !environment.some(({ name }) => CHOOSES_PROGRAM.test(name));
  return readScriptValues(command, { machine: { platform, isKnown }, valueOf });
}

/** Returns the words that it becomes. Those of a flag come together or not at all. */
function readWords(word: Word, valueOf: ValueOf): readonly ReadWord[] {
  const [only, ...others] = word.parts;
  if (only === undefined || typeof only === "string" || others.length > 0) return [wordOf(word, valueOf)];
  const value = valueOf(only.placeholder);
  const { schema, required, default: usual } = value.parameter;
  if (only.flag) return only.flag.map((one, index) => ({ ...wordOf(one, () => value), mayBeAbsent: index === 0 }));
  const isList = schema.type === "array" && only.isWhole !== true;
  const mayBeAbsent = isList ? (schema.minimumItems ?? 0) === 0 : !required && usual === undefined;
  return [{ parts: [value], mayBeAbsent, isMany: isList }];
}

/** Returns the single word of a word or a template. */
function wordOf({ parts }: Word | Template, valueOf: ValueOf): ReadWord {
  const read = parts.map((part) => (typeof part === "string" ? part : valueOf(part.placeholder)));
  return { parts: read.filter((part) => part !== ""), mayBeAbsent: false, isMany: false };
}

// Definitions that claim to read only but count as running programs. The author learns why models are asked about it.

/** Warns of the first value that a command of `definition` may run. */
export function checkReading(definition: ToolDefinition, analysis: Analysis): void {
  const { declaredEffects, parameters } = definition;
  const tags = analysis.first("tags");
  const [open] = commandsOf(definition).flatMap(({ mayRun = [] }) => mayRun);
  if (!tags || !open || !declaredEffects.includes("read") || declaredEffects.includes("run")) return;
  const parameter = parameters.find(({ name }) => name === open.value);
  const item = parameter?.schema.type === "array" ? parameter.schema.items : parameter?.schema;
  const isText = item?.type === "string" && item.format !== "url" && parameter?.flags !== true;
  const choices = `give \`${open.value}\` choices, as in \`{"one"|"two"}\``;
  const plain = open.by === "subcommand" ? [] : ["or allow only plain words: `pattern=/[A-Za-z0-9_.-]+/`"];
  analysis.warn("counts-as-run", "this tool says that it only reads, but it counts as one that runs programs", {
    at: tags.span,
    label: openValueText(open),
    help: isText ? [choices, ...plain, "or add `run` to its tags"] : ["add `run` to its tags"],
  });
}
