// Puts the values of a call into a script. PowerShell reads them from environment variables. cmd.exe has no safe
// quoting, so it only gets values that mean nothing to it.
import {
  behindOption,
  plainWord,
  shellDashIssues,
  uniqueIssues,
  withoutOwnOption,
} from "../../core/base/bind-posix.ts";
import { type Arguments, type BoundCommand, type BoundWord, lonePlaceholder } from "../../core/base/bind-words.ts";
import type { ArgumentIssue } from "../../core/schema/argument-issue.ts";
import type { ParameterSchema } from "../../core/schema/parameter.ts";
import type { ShellCommand, ShellPlaceholder } from "../../core/tool/command.ts";

export function bindWindows(command: ShellCommand, args: Arguments): BoundCommand {
  const isCmd = command.shell === "cmd";
  const issues: ArgumentIssue[] = [];
  const variables = new Map<string, readonly Variable[]>();
  const environment: Record<string, BoundWord> = {};
  const pieces = command.parts.map((part, index) => {
    if (typeof part === "string") return part;
    const plain = withoutOwnOption(part);
    const words = lonePlaceholder(plain, args);
    issues.push(...shellDashIssues(part, args, isCmd ? ["-", "/"] : ["-"]), ...slashIssues(part, args));
    let text: string;
    if (isCmd) {
      issues.push(...words.flatMap(cmdIssues));
      const following = command.parts[index + 1];
      const endsQuotes = typeof following === "string" && following.startsWith('"');
      text = part.quoting === "double" ? insideQuotes(words, endsQuotes) : bareWords(part, words);
    } else {
      const known = variables.get(part.placeholder) ?? variablesOf(part.placeholder, words, environment);
      variables.set(part.placeholder, known);
      text = pwshReference(plain, known, args.parameters.get(part.placeholder)?.schema);
    }
    return part.hasOwnOption ? behindOption(part, words.length === 0 ? "" : text) : text;
  });
  const shell = isCmd ? ["cmd", "/d", "/s", "/c"] : ["pwsh", "-NoProfile", "-NonInteractive", "-Command"];
  return { words: [...shell, pieces.join("")].map(plainWord), environment, issues: uniqueIssues(issues) };
}

/** Returns the issues of a value that begins with `/`, for a program of Windows. */
function slashIssues(placeholder: ShellPlaceholder, args: Arguments): readonly ArgumentIssue[] {
  return placeholder.takesSlash ? shellDashIssues({ ...placeholder, isAfterDashes: false }, args, ["/"]) : [];
}

/** A word in an environment variable. */
interface Variable {
  readonly reference: string;
  readonly text: string;
  /** Whether it is the author's own word of a `flag`. */
  readonly isWritten: boolean;
}

function variablesOf(
  placeholder: string,
  words: readonly BoundWord[],
  environment: Record<string, BoundWord>,
): readonly Variable[] {
  return words.map((word, index) => {
    let name = `TOOL_ARG_${placeholder}${words.length === 1 ? "" : `_${index + 1}`}`;
    // Windows does not distinguish `a` from `A` in these names.
    while (Object.keys(environment).some((taken) => taken.toLowerCase() === name.toLowerCase())) name += "_";
    environment[name] = word;
    const reference = /^\w+$/.test(name) ? `$env:${name}` : `\${env:${name}}`;
    return { reference, text: word.text, isWritten: word.paths.length === 0 };
  });
}

function pwshReference(
  { quoting, isWholeWord, standsFor, flag }: ShellPlaceholder,
  words: readonly Variable[],
  schema: ParameterSchema | undefined,
): string {
  if (quoting === "double") return words.map(({ reference }) => `$(${reference})`).join("");
  if (standsFor === "value") return pwshValue(words, schema);
  // A value from a variable is never the name of a parameter.
  if (standsFor === "argument" && flag)
    return words.map((word) => (word.isWritten && PARAMETER.test(word.text) ? word.text : wordOf(word))).join(" ");
  if (standsFor === "argument" && schema?.type === "array") return `@(${words.map(wordOf).join(", ")})`;
  return words.length === 0 && !isWholeWord ? '""' : words.map(wordOf).join(" ");
}

const PARAMETER = /^-[A-Za-z]\w*:?$/;

/** Windows has no empty variables, so PowerShell would pass no word. */
function wordOf({ reference, text }: Variable): string {
  return text === "" ? '""' : reference;
}

/** Matches an integer that fits 64 bits. */
const LONG = /^-?\d{1,18}$/;

/**
 * Returns a value for an expression, with its type. As texts, `"10" -gt 9` is false, and any text is true, even
 * `"false"`.
 */
function pwshValue(words: readonly Variable[], schema: ParameterSchema | undefined): string {
  if (schema?.type === "array") return `@(${words.map((word) => pwshValue([word], schema.items)).join(", ")})`;
  const [word] = words;
  if (!word) return schema?.type === "boolean" ? "$false" : '""';
  if (schema?.type === "boolean") return `(${wordOf(word)} -eq "true")`;
  if (schema?.type === "number") return `([double]${wordOf(word)})`;
  return schema?.type === "integer" && LONG.test(word.text) ? `([long]${wordOf(word)})` : wordOf(word);
}

/** Matches letters, digits and signs that cmd.exe and the programs it starts read unchanged. */
const CMD_VALUE = /^[A-Za-z0-9_.,:\\/@=+ -]*$/;
/** Matches words that need no quotes: without blanks or separators of batch files. */
const CMD_PLAIN = /^[A-Za-z0-9_.:\\/@+-]+$/;

function cmdIssues({ text, paths }: BoundWord): readonly ArgumentIssue[] {
  const message =
    "has a character that cmd.exe could read as a command; letters, digits, spaces and `_ . , : \\ / @ = + -` are accepted";
  return CMD_VALUE.test(text) ? [] : paths.map((path) => ({ path, message }));
}

/**
 * Returns words for use inside quotes, where a backslash before a quote would escape it in the program that reads the
 * line.
 */
function insideQuotes(words: readonly BoundWord[], endsQuotes: boolean): string {
  const text = words.map((word) => word.text).join("");
  return endsQuotes ? text.replace(/(?<!\\)\\+$/, "$&$&") : text;
}

function bareWords({ isWholeWord, takesSlash }: ShellPlaceholder, words: readonly BoundWord[]): string {
  if (words.length === 0) return isWholeWord ? "" : '""';
  // cmd.exe reads `dir a/s` as `dir a /s`.
  const isPlain = (text: string): boolean => CMD_PLAIN.test(text) && !(takesSlash && text.includes("/"));
  return words.map((word) => (isPlain(word.text) ? word.text : `"${insideQuotes([word], true)}"`)).join(" ");
}
