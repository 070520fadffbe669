// Scripts for sh, bash and zsh. Values are positional parameters, `"${1}"`, which no shell reads again as program text.
// Secrets come in the environment, because every user on the machine sees the arguments of a process, and leave it
// before the script begins.
import type { ArgumentIssue } from "../schema/argument-issue.ts";
import { schemaHasSecrets } from "../schema/secrets.ts";
import type { ShellCommand, ShellPlaceholder } from "../tool/command.ts";
import {
  type Arguments,
  type BoundCommand,
  type BoundWord,
  dashIssue,
  fileIssues,
  lonePlaceholder,
  wordsOf,
} from "./bind-words.ts";

/** The script's own name, `argv[0]`, which the shell uses in messages. */
const SCRIPT_NAME = "dottool";

export function bindPosix(command: ShellCommand, args: Arguments, shell: readonly string[]): BoundCommand {
  const values: BoundWord[] = [];
  const secrets: BoundWord[] = [];
  const names = new Map<ShellPlaceholder["placeholder"], readonly string[]>();
  const issues: ArgumentIssue[] = [];
  const namesOf = (placeholder: ShellPlaceholder): readonly string[] => {
    const known = names.get(placeholder.placeholder);
    if (known) return known;
    const words = lonePlaceholder(withoutOwnOption(placeholder), args);
    const made = words.map((word) =>
      isSecret(placeholder, args)
        ? secretName(secrets.push(word))
        : `${command.movesPositions ? "dottool_" : ""}${values.push(word)}`,
    );
    names.set(placeholder.placeholder, made);
    return made;
  };
  const pieces = command.parts.map((part) => {
    if (typeof part === "string") return part;
    issues.push(...shellDashIssues(part, args), ...fileIssues([part], args));
    return reference(part, namesOf(part));
  });
  const taken = secrets.map((_value, index) => `${secretName(index + 1)}=$${variableName(index + 1)}`);
  const taking =
    secrets.length > 0
      ? `${taken.join(" ")}; unset ${secrets.map((_value, index) => variableName(index + 1)).join(" ")}; `
      : "";
  const copies =
    command.movesPositions && values.length > 0
      ? `${values.map((_value, index) => `dottool_${index + 1}=\${${index + 1}}`).join(" ")}; set --; `
      : "";
  const script: BoundWord = { text: taking + copies + pieces.join(""), paths: largestArray(values) };
  return {
    words: [...[...shell].map(plainWord), script, plainWord(SCRIPT_NAME), ...values],
    environment: Object.fromEntries(secrets.map((word, index) => [variableName(index + 1), word])),
    issues: uniqueIssues(issues),
  };
}

/** The script has the option itself, so other places share the value. */
export function withoutOwnOption({ flag, ...placeholder }: ShellPlaceholder): ShellPlaceholder {
  return placeholder.hasOwnOption || flag === undefined ? placeholder : { ...placeholder, flag };
}

function isSecret({ placeholder }: ShellPlaceholder, { parameters }: Arguments): boolean {
  const parameter = parameters.get(placeholder);
  return parameter !== undefined && (parameter.secret === true || schemaHasSecrets(parameter.schema));
}

function variableName(place: number): string {
  return `DOTTOOL_SECRET_${place}`;
}

/** Returns the name of a shell variable that the programs started by the shell do not get. */
function secretName(place: number): string {
  return `dottool_secret_${place}`;
}

function reference(placeholder: ShellPlaceholder, found: readonly string[]): string {
  if (placeholder.hasOwnOption) return behindOption(placeholder, found.map((name) => `"\${${name}}"`).join(" "));
  if (placeholder.isWholeWord) return found.map((name) => `"\${${name}}"`).join(" ");
  const [name] = found;
  switch (placeholder.quoting) {
    case "bare":
      return name === undefined ? '""' : `"\${${name}}"`;
    case "double":
      return name === undefined ? "" : `\${${name}}`;
    case "single":
      return name === undefined ? "" : `'"\${${name}}"'`;
  }
}

/** Returns the option that stands in the script, and its value; nothing without a value. */
export function behindOption({ flag = [] }: ShellPlaceholder, values: string): string {
  const [option = ""] = flag[0]?.parts ?? [];
  return values === "" ? "" : `${String(option)}${flag.length > 1 ? " " : ""}${values}`;
}

/** Returns the issues of words in a script that a value may begin. */
export function shellDashIssues(
  placeholder: ShellPlaceholder,
  args: Arguments,
  starts: readonly string[] = ["-"],
): readonly ArgumentIssue[] {
  if (!placeholder.startsWord || placeholder.isAfterDashes) return [];
  if (placeholder.behind?.some((name) => wordsOf(name, args).some((value) => value.text !== ""))) return [];
  return lonePlaceholder(withoutOwnOption(placeholder), args).flatMap((word) =>
    word.guarded && starts.some((start) => word.guarded?.text.startsWith(start))
      ? [dashIssue(word.guarded, placeholder.reader)]
      : [],
  );
}

/** Removes repeated issues: a parameter in several places is one problem. */
export function uniqueIssues(issues: readonly ArgumentIssue[]): readonly ArgumentIssue[] {
  return [...new Map(issues.map((issue) => [`${issue.path} ${issue.message}`, issue])).values()];
}

/** Returns the list with the most items, which is what usually makes a script too long. */
function largestArray(values: readonly BoundWord[]): readonly string[] {
  const path = values.at(-1)?.paths[0];
  return path === undefined ? [] : [path.replace(/\[.*/, "")];
}

export function plainWord(text: string): BoundWord {
  return { text, paths: [] };
}
