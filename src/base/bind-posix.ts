// Scripts for sh, bash and zsh. Values are positional parameters, `"${1}"`, which no shell reads again as program text.
import type { ArgumentIssue } from "../schema/argument-issue.ts";
import type { ShellCommand, ShellPlaceholder } from "../tool/command.ts";
import type { BoundCommand } from "./bind-command.ts";
import { type Arguments, type BoundWord, dashIssue, lonePlaceholder, wordsOf } from "./bind-words.ts";

/** `argv[0]` of the script itself: what the shell calls itself in messages. */
const SCRIPT_NAME = "dottool";

export function bindPosix(command: ShellCommand, args: Arguments, shell: readonly string[]): BoundCommand {
  const values: BoundWord[] = [];
  const places = new Map<ShellPlaceholder["placeholder"], readonly number[]>();
  const issues: ArgumentIssue[] = [];
  const placesOf = (placeholder: ShellPlaceholder): readonly number[] => {
    const known = places.get(placeholder.placeholder);
    if (known) return known;
    const words = lonePlaceholder(placeholder, args);
    const made = words.map((word) => values.push(word));
    places.set(placeholder.placeholder, made);
    return made;
  };
  const pieces = command.parts.map((part) => {
    if (typeof part === "string") return part;
    const found = placesOf(part);
    issues.push(...shellDashIssues(part, args));
    return reference(part, found, command.movesPositions ? "dottool_" : "");
  });
  const copies = command.movesPositions && values.length > 0 ? `${values.map((_value, index) => `dottool_${index + 1}=\${${index + 1}}`).join(" ")}; set --; ` : "";
  const script: BoundWord = { text: copies + pieces.join(""), paths: largestArray(values) };
  return { words: [...[...shell].map(plainWord), script, plainWord(SCRIPT_NAME), ...values], environment: {}, issues: unique(issues) };
}

function reference(placeholder: ShellPlaceholder, found: readonly number[], prefix: string): string {
  const name = (place: number): string => `\${${prefix}${place}}`;
  if (placeholder.isWholeWord) return found.map((place) => `"${name(place)}"`).join(" ");
  const [place] = found;
  switch (placeholder.quoting) {
    case "bare":
      return place === undefined ? '""' : `"${name(place)}"`;
    case "double":
      return place === undefined ? "" : name(place);
    case "single":
      return place === undefined ? "" : `'"${name(place)}"'`;
  }
}

/** A word of a script that a value may begin. */
export function shellDashIssues(placeholder: ShellPlaceholder, args: Arguments, starts: readonly string[] = ["-"]): readonly ArgumentIssue[] {
  if (!placeholder.startsWord || placeholder.isAfterDashes) return [];
  if (placeholder.behind?.some((name) => wordsOf(name, args).some((value) => value.text !== ""))) return [];
  return lonePlaceholder(placeholder, args).flatMap((word) => (word.guarded && starts.some((start) => word.guarded?.text.startsWith(start)) ? [dashIssue(word.guarded, "a program")] : []));
}

/** Where a parameter stands in several places, it is one problem. */
export function unique(issues: readonly ArgumentIssue[]): readonly ArgumentIssue[] {
  return [...new Map(issues.map((issue) => [`${issue.path} ${issue.message}`, issue])).values()];
}

/** What makes a script long is a list with many items. */
function largestArray(values: readonly BoundWord[]): readonly string[] {
  const path = values.at(-1)?.paths[0];
  return path === undefined ? [] : [path.replace(/\[.*/, "")];
}

export function plainWord(text: string): BoundWord {
  return { text, paths: [] };
}
