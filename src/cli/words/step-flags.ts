// Options of every tool of steps besides its own parameters, which win if they have the same name.
import type { JsonObject } from "../../core/schema/json.ts";
import {
  findParameter,
  namesParameter,
  nearParameter,
  optionList,
  rawParameter,
} from "../../core/run/find-parameter.ts";
import { type OptionRow, readOption } from "./option-words.ts";
import type { CallForm } from "./tool-words.ts";
import type { ArgumentIssue } from "../../core/schema/argument-issue.ts";
import type { Parameter } from "../../core/schema/parameter.ts";
import type { Tool } from "../../core/tool/tool.ts";

export interface StepFlags {
  /** The words that are left for the tool. */
  readonly words: readonly string[];
  readonly isDryRun: boolean;
  readonly showsPrompts: boolean;
  readonly isQuiet: boolean;
  readonly inputFile?: string;
  readonly outputFile?: string;
  readonly provider?: string;
  readonly issues: readonly ArgumentIssue[];
}

export interface ReadyStepFlags extends StepFlags {
  /** The values from `--input-file`. */
  readonly given: JsonObject;
}

const flags: readonly OptionRow[] = [
  { name: "dry-run", does: "print what would run, as `dottool explain` does, and run nothing" },
  {
    name: "show-prompt",
    does: "print the prompts of its steps, as far as they are known before they run, and ask no model",
  },
  { name: "input-file", short: "i", value: "FILE", does: "read `input` from a file" },
  { name: "output-file", short: "o", value: "FILE", does: "write the result to a file, once it is complete" },
  { name: "provider", value: "NAME", does: "send all prompts to this provider" },
  { name: "quiet", does: "show only the result, and not the output of each step" },
];

/** Returns their rows in the tool's help; none if every word belongs to the tool. */
export function stepFlagRows({
  parameters,
}: Pick<Tool, "parameters">): readonly (readonly [option: string, does: string])[] {
  if (rawParameter(parameters) ?? optionList(parameters)) return [];
  return flags.flatMap((flag) => {
    const forms = [
      ...(flag.short === undefined ? [] : [`-${flag.short}`]),
      ...(isOwn(flag, parameters) ? [] : [`--${flag.name}`]),
    ];
    return forms.length === 0
      ? []
      : [[`${forms.join(", ")}${flag.value === undefined ? "" : ` ${flag.value}`}`, flag.does] as const];
  });
}

/** Returns the options whose names are parameters of the tool. */
export function shadowedFlags({ parameters }: Pick<Tool, "parameters">): readonly string[] {
  return rawParameter(parameters) ? [] : flags.filter((flag) => isOwn(flag, parameters)).map(({ name }) => `--${name}`);
}

function isOwn({ name }: OptionRow, parameters: readonly Parameter[]): boolean {
  return findParameter(name, parameters) !== undefined;
}

export function takeStepFlags(words: readonly string[], parameters: readonly Parameter[], form: CallForm): StepFlags {
  const end = words.indexOf("--") === -1 ? words.length : words.indexOf("--");
  const own = words.slice(0, end);
  const readAt = (at: number): ReturnType<typeof readOption> | undefined =>
    namesParameter(own[at] ?? "", parameters) ? undefined : readOption(own, at, flags);
  if (
    form === "short" &&
    rawParameter(parameters, words) &&
    !own.some((word, at) => word.startsWith("--") && readAt(at)?.option)
  )
    return { words, isDryRun: false, showsPrompts: false, isQuiet: false, issues: [] };
  const left: string[] = [];
  const given = new Map<string, string>();
  const issues: ArgumentIssue[] = [];
  for (let at = 0; at < own.length; ) {
    const { bare = "", option, value, problem, next } = readAt(at) ?? { next: at + 1 };
    if (option) {
      const lacks = option.value !== undefined && !value && `needs a ${option.value === "FILE" ? "file" : "name"}`;
      const message = given.has(option.name) ? "is given more than once" : problem || lacks;
      if (message) issues.push({ path: bare, message });
      given.set(option.name, value ?? "");
    } else left.push(own[at] ?? "");
    at = next;
  }
  const valueOf = (name: string): string | undefined => given.get(name) || undefined;
  const [inputFile, outputFile, provider] = [valueOf("input-file"), valueOf("output-file"), valueOf("provider")];
  return {
    words: [...left, ...words.slice(end)],
    isDryRun: given.has("dry-run"),
    showsPrompts: given.has("show-prompt"),
    isQuiet: given.has("quiet"),
    ...(inputFile === undefined ? {} : { inputFile }),
    ...(outputFile === undefined || outputFile === "-" ? {} : { outputFile }),
    ...(provider === undefined ? {} : { provider }),
    issues,
  };
}

/**
 * Returns the words without `--dry-run`, for a tool that is not made of steps; undefined if it is not among them, or
 * belongs to the tool.
 */
export function withoutDryRun(
  words: readonly string[],
  parameters: readonly Parameter[],
  form: CallForm,
): readonly string[] | undefined {
  const at = words.indexOf("--dry-run");
  const end = words.indexOf("--");
  if (at === -1 || (end !== -1 && end < at) || (form === "short" && rawParameter(parameters, words))) return undefined;
  if (findParameter("dry-run", parameters) ?? nearParameter("dry-run", parameters)) return undefined;
  const before = words[at - 1] ?? "";
  const option = before.startsWith("--") ? findParameter(before.slice(2), parameters) : undefined;
  return option && option.schema.type !== "boolean" ? undefined : words.toSpliced(at, 1);
}

/** Returns the options for completion. */
export function stepFlagCandidates({
  parameters,
}: Pick<Tool, "parameters">): readonly { readonly value: string; readonly description: string }[] {
  return flags
    .filter((flag) => !isOwn(flag, parameters))
    .map(({ name, does }) => ({ value: `--${name}`, description: does }));
}

/** Returns the parameter for a file's text: the one for piped input, or the one called `input`. */
export function inputParameter(parameters: readonly Parameter[]): Parameter | undefined {
  return (
    parameters.find(({ fromStdin }) => fromStdin) ??
    parameters.find(({ name, schema }) => name === "input" && schema.type === "string")
  );
}
