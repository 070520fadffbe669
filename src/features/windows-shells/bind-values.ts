// Scripts for PowerShell and cmd.exe. PowerShell reads values from environment variables. cmd.exe has no safe quoting,
// so it only gets values that mean nothing to it.
import type { ArgumentIssue } from "../../core/schema/argument-issue.ts";
import type { ParameterSchema } from "../../core/schema/parameter.ts";
import type { ShellCommand, ShellPlaceholder } from "../../core/tool/command.ts";
import { type Arguments, type BoundCommand, type BoundWord, lonePlaceholder } from "../../core/base/bind-words.ts";
import { behindOption, plainWord, shellDashIssues, unique, withoutOwnOption } from "../../core/base/bind-posix.ts";

export function bindWindows(command: ShellCommand, args: Arguments): BoundCommand {
  return command.shell === "pwsh" ? bindPwsh(command, args) : bindCmd(command, args);
}

function bindPwsh(command: ShellCommand, args: Arguments): BoundCommand {
  const environment: Record<string, BoundWord> = {};
  const made = new Map<string, readonly PwshWord[]>();
  const issues: ArgumentIssue[] = [];
  const wordsOf = (placeholder: ShellPlaceholder): readonly PwshWord[] => {
    const known = made.get(placeholder.placeholder);
    if (known) return known;
    const words = lonePlaceholder(placeholder, args);
    const base = `TOOL_ARG_${placeholder.placeholder}`;
    const named = words.map((word, index) => {
      const name = freeName(words.length === 1 ? base : `${base}_${index + 1}`, environment);
      environment[name] = word;
      return { name, text: word.text, isWritten: word.paths.length === 0 };
    });
    made.set(placeholder.placeholder, named);
    return named;
  };
  const pieces = command.parts.map((part) => {
    if (typeof part === "string") return part;
    issues.push(...shellDashIssues(part, args), ...slashIssues(part, args));
    const plain = withoutOwnOption(part);
    const [words, schema] = [wordsOf(plain), args.parameters.get(part.placeholder)?.schema];
    if (!part.hasOwnOption) return pwshReference(plain, words, schema);
    return words.length === 0 ? "" : behindOption(part, pwshReference(plain, words, schema));
  });
  const words = ["pwsh", "-NoProfile", "-NonInteractive", "-Command", pieces.join("")].map(plainWord);
  return { words, environment, issues: unique(issues) };
}

/** A word in an environment variable. */
interface PwshWord {
  readonly name: string;
  readonly text: string;
  /** Whether it is the author's own word of a `flag`. */
  readonly isWritten: boolean;
}

/** Returns an unused name. Windows does not distinguish `a` from `A` in these names. */
function freeName(wanted: string, environment: Readonly<Record<string, BoundWord>>): string {
  const taken = Object.keys(environment).map((name) => name.toLowerCase());
  let name = wanted;
  while (taken.includes(name.toLowerCase())) name += "_";
  return name;
}

function pwshReference(
  placeholder: ShellPlaceholder,
  words: readonly PwshWord[],
  schema: ParameterSchema | undefined,
): string {
  const { quoting, isWholeWord, standsFor } = placeholder;
  if (quoting === "double") return words.map(({ name }) => `$(${variable(name)})`).join("");
  if (standsFor === "value") return pwshValue(words, schema);
  // A value from a variable is never the name of a parameter.
  if (standsFor === "argument" && placeholder.flag)
    return words.map((word) => (word.isWritten && PARAMETER.test(word.text) ? word.text : reference(word))).join(" ");
  if (standsFor === "argument" && schema?.type === "array") return `@(${words.map(reference).join(", ")})`;
  if (words.length === 0) return isWholeWord ? "" : '""';
  return words.map(reference).join(" ");
}

const PARAMETER = /^-[A-Za-z]\w*:?$/;

function variable(name: string): string {
  return /^\w+$/.test(name) ? `$env:${name}` : `\${env:${name}}`;
}

/**
 * Returns a reference to the variable. An empty word is written out, because Windows has no empty variables: PowerShell
 * would pass no word.
 */
function reference({ name, text }: PwshWord): string {
  return text === "" ? '""' : variable(name);
}

/**
 * Returns a value for an expression, with its type. As texts, `"10" -gt 9` is false, and any text is true, even
 * `"false"`.
 */
function pwshValue(words: readonly PwshWord[], schema: ParameterSchema | undefined): string {
  if (schema?.type === "array") return `@(${words.map((word) => pwshValue([word], schema.items)).join(", ")})`;
  const [word] = words;
  if (!word) return schema?.type === "boolean" ? "$false" : '""';
  switch (schema?.type) {
    case "boolean":
      return `(${reference(word)} -eq "true")`;
    case "integer":
      return LONG.test(word.text) ? `([long]${reference(word)})` : reference(word);
    case "number":
      return `([double]${reference(word)})`;
    case "string":
    case "object":
    case undefined:
      return reference(word);
  }
}

/** Matches an integer that fits 64 bits. */
const LONG = /^-?\d{1,18}$/;

/** Returns the issues of a value that begins with `/`, for a program of Windows. */
function slashIssues(placeholder: ShellPlaceholder, args: Arguments): readonly ArgumentIssue[] {
  return placeholder.takesSlash ? shellDashIssues({ ...placeholder, isAfterDashes: false }, args, ["/"]) : [];
}

/** Matches letters, digits and signs that cmd.exe and the programs it starts read unchanged. */
const CMD_VALUE = /^[A-Za-z0-9_.,:\\/@=+ -]*$/;
/** Matches words that need no quotes: without blanks or separators of batch files. */
const CMD_PLAIN = /^[A-Za-z0-9_.:\\/@+-]+$/;

function bindCmd(command: ShellCommand, args: Arguments): BoundCommand {
  const issues: ArgumentIssue[] = [];
  const pieces = command.parts.map((part, index) => {
    if (typeof part === "string") return part;
    const words = lonePlaceholder(withoutOwnOption(part), args);
    issues.push(...words.flatMap(cmdIssues), ...shellDashIssues(part, args, ["-", "/"]), ...slashIssues(part, args));
    const following = command.parts[index + 1];
    return part.quoting === "double"
      ? insideQuotes(words, typeof following === "string" && following.startsWith('"'))
      : part.hasOwnOption
        ? behindOption(part, words.length === 0 ? "" : bareWords(part, words))
        : bareWords(part, words);
  });
  return { words: ["cmd", "/d", "/s", "/c", pieces.join("")].map(plainWord), environment: {}, issues: unique(issues) };
}

function cmdIssues(word: BoundWord): readonly ArgumentIssue[] {
  if (CMD_VALUE.test(word.text)) return [];
  const message =
    "has a character that cmd.exe could read as a command; letters, digits, spaces and `_ . , : \\ / @ = + -` are accepted";
  return word.paths.map((path) => ({ path, message }));
}

/**
 * Returns a word for use inside quotes, where a backslash before a quote would escape it in the program that reads the
 * line.
 */
function insideQuotes(words: readonly BoundWord[], endsQuotes: boolean): string {
  const text = words.map((word) => word.text).join("");
  return endsQuotes ? text.replace(/(?<!\\)\\+$/, "$&$&") : text;
}

function bareWords(placeholder: ShellPlaceholder, words: readonly BoundWord[]): string {
  if (words.length === 0) return placeholder.isWholeWord ? "" : '""';
  // cmd.exe reads `dir a/s` as `dir a /s`.
  const isPlain = (text: string): boolean => CMD_PLAIN.test(text) && !(placeholder.takesSlash && text.includes("/"));
  return words.map((word) => (isPlain(word.text) ? word.text : `"${insideQuotes([word], true)}"`)).join(" ");
}
