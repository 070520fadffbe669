// Reads the words of a call: the options of tools of steps, then the arguments, of which one may come from standard
// input.
import { exitCodes } from "../../core/run/exit-code.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import type { ToolRegistry } from "../../core/tool/registry.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { CommandContext } from "../command.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import type { ReadyStepFlags } from "./step-flags.ts";
import { type CallForm, readsInput, readToolWords, type ToolWords } from "./tool-words.ts";

/** The limit of arguments on standard input. */
const INPUT_BYTES_MAX = 64 * 1024 * 1024;

interface StepFlagsOptions extends Omit<ReadOptions, "flags"> {
  readonly opened: OpenedSession;
}

/** Returns undefined if the tool has no such flags; a number as in `readyStepFlags`. */
export async function stepFlagsOf(
  words: readonly string[],
  { opened, ...options }: StepFlagsOptions,
): Promise<ReadyStepFlags | number | undefined> {
  const { registry, host } = opened.session;
  return isMadeOfSteps(options.tool, registry)
    ? (await import("./step-flag-run.ts")).readyStepFlags(words, { ...options, registry, host })
    : undefined;
}

interface ReadOptions {
  readonly name: string;
  readonly tool: Tool;
  readonly form: CallForm;
  readonly context: CommandContext;
  /** The flags of a tool of steps, taken out of its words. */
  readonly flags?: ReadyStepFlags | undefined;
}

export interface ReadWords extends ToolWords {
  /** Absent if the tool has no such flags. */
  readonly flags?: ReadyStepFlags;
}

/** Returns an exit code if standard input cannot be used; the reason has been printed. */
export async function argumentsOf(
  all: readonly string[],
  { flags, ...options }: ReadOptions,
): Promise<ReadWords | number> {
  const words = flags?.words ?? all;
  const read = await argumentsIn(words, { ...options, ...(flags ? { given: flags.given } : {}) });
  return typeof read === "number" || !flags
    ? read
    : { arguments: { ...read.arguments, ...flags.given }, issues: [...flags.issues, ...read.issues], flags };
}

async function argumentsIn(
  words: readonly string[],
  { name: called, tool, form, context, given = {} }: Omit<ReadOptions, "flags"> & { readonly given?: JsonObject },
): Promise<ToolWords | number> {
  const { parameters } = tool;
  const { input } = context.terminal;
  const isWhole = readsInput(words, parameters, form);
  const read = isWhole ? undefined : readToolWords(words, { parameters, form, tool: called });
  // Piped input, for a tool that uses it.
  const piped =
    read && !input.isTerminal
      ? parameters.find(
          ({ name, fromStdin }) => fromStdin && !Object.hasOwn(read.arguments, name) && !Object.hasOwn(given, name),
        )
      : undefined;
  if (read && !piped) return read;
  const { readInputText, withoutMark } = await import("./input-text.ts");
  const text = await readInputText(input, INPUT_BYTES_MAX);
  if (typeof text === "string")
    return read && piped
      ? { ...read, arguments: { ...read.arguments, [piped.name]: text } }
      : readToolWords(words, { parameters, form, input: withoutMark(text), tool: called });
  context.terminal.errors.write(`failed[usage]: ${text.problem}\n`);
  return exitCodes.usage;
}

/** Whether a tool is made of steps, itself or as another name for one. */
export function isMadeOfSteps({ definition }: Tool, registry: Pick<ToolRegistry, "find">): boolean {
  if (definition.kind === "steps") return true;
  if (definition.kind !== "alias" && definition.kind !== "wrapped") return false;
  const base = definition.base.value === definition.name.value ? undefined : registry.find(definition.base.value);
  return base !== undefined && isMadeOfSteps(base, registry);
}
