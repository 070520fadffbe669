// Options of every tool of steps besides its own parameters, which win if they have the same name.
import type { JsonObject } from "../../core/schema/json.ts";
import { findParameter, optionList, rawParameter } from "../../core/run/find-parameter.ts";
import type { CallForm } from "./tool-words.ts";
import type { ArgumentIssue } from "../../core/schema/argument-issue.ts";
import type { Parameter } from "../../core/schema/parameter.ts";
import type { Tool } from "../../core/tool/tool.ts";

export interface StepFlags {
  /** The words that are left for the tool. */
  readonly words: readonly string[];
  readonly isDryRun: boolean;
  readonly showsPrompts: boolean;
  readonly inputFile?: string;
  readonly outputFile?: string;
  readonly provider?: string;
  readonly issues: readonly ArgumentIssue[];
}

export interface ReadyStepFlags extends StepFlags {
  /** The values from `--input-file`. */
  readonly given: JsonObject;
}

interface Flag {
  readonly name: string;
  readonly short?: string;
  readonly value?: string;
  readonly does: string;
}

const flags: readonly Flag[] = [
  { name: "dry-run", does: "print what would run, as `dottool explain` does, and run nothing" },
  {
    name: "show-prompt",
    does: "print the prompts of its steps, as far as they are known before they run, and ask no model",
  },
  { name: "input-file", short: "i", value: "FILE", does: "read `input` from a file" },
  { name: "output-file", short: "o", value: "FILE", does: "write the result to a file, once it is complete" },
  { name: "provider", value: "NAME", does: "send all prompts to this provider" },
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

function isOwn({ name }: Flag, parameters: readonly Parameter[]): boolean {
  return findParameter(name, parameters) !== undefined;
}

export function takeStepFlags(words: readonly string[], parameters: readonly Parameter[], form: CallForm): StepFlags {
  const end = words.indexOf("--") === -1 ? words.length : words.indexOf("--");
  if (
    form === "short" &&
    rawParameter(parameters, words) &&
    !words.slice(0, end).some((word) => word.startsWith("--") && flagIn(word, parameters))
  )
    return { words, isDryRun: false, showsPrompts: false, issues: [] };
  const left: string[] = [];
  const given = new Map<string, string>();
  const issues: ArgumentIssue[] = [];
  for (let at = 0; at < end; at++) {
    const word = words[at] ?? "";
    const found = flagIn(word, parameters);
    if (!found) {
      left.push(word);
      const next = words[at + 1];
      if (takesNext(word, parameters) && next !== undefined && at + 1 < end && !flagIn(next, parameters))
        left.push(words[++at] ?? "");
      continue;
    }
    const { flag, tied } = found;
    const value = flag.value === undefined ? tied : (tied ?? (at + 1 < end ? words[++at] : undefined));
    const path = word.split("=", 1)[0] ?? word;
    if (given.has(flag.name)) issues.push({ path, message: "is given more than once" });
    else if (flag.value === undefined && value !== undefined) issues.push({ path, message: "does not take a value" });
    else if (flag.value !== undefined && (value === undefined || value === ""))
      issues.push({ path, message: `needs a ${flag.value === "FILE" ? "file" : "name"}` });
    given.set(flag.name, value ?? "");
  }
  const valueOf = (name: string): string | undefined => given.get(name) || undefined;
  const [inputFile, outputFile, provider] = [valueOf("input-file"), valueOf("output-file"), valueOf("provider")];
  return {
    words: [...left, ...words.slice(end)],
    isDryRun: given.has("dry-run"),
    showsPrompts: given.has("show-prompt"),
    ...(inputFile === undefined ? {} : { inputFile }),
    ...(outputFile === undefined || outputFile === "-" ? {} : { outputFile }),
    ...(provider === undefined ? {} : { provider }),
    issues,
  };
}

function flagIn(
  word: string,
  parameters: readonly Parameter[],
): { readonly flag: Flag; readonly tied?: string } | undefined {
  const [, name, letter, tied] = /^(?:--([a-z-]+)|-([a-z]))(?:=([^]*))?$/.exec(word) ?? [];
  const flag = flags.find((one) =>
    name !== undefined ? one.name === name && !isOwn(one, parameters) : one.short !== undefined && one.short === letter,
  );
  return flag && { flag, ...(tied === undefined ? {} : { tied }) };
}

/** Returns whether the next word is the value of this one, whatever it looks like: `--title Title`. */
function takesNext(word: string, parameters: readonly Parameter[]): boolean {
  if (!word.startsWith("--") || word.includes("=")) return false;
  return word === "--json" || (findParameter(word.slice(2), parameters)?.schema.type ?? "boolean") !== "boolean";
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
