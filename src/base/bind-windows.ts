// Scripts for PowerShell and cmd.exe. PowerShell reads values from environment variables. cmd.exe has no safe quoting at all,
// so it is given only values that mean nothing to it.
import type { ArgumentIssue } from "../schema/argument-issue.ts";
import type { ShellCommand, ShellPlaceholder } from "../tool/command.ts";
import type { BoundCommand } from "./bind-command.ts";
import { plainWord, shellDashIssues, unique } from "./bind-posix.ts";
import { type Arguments, type BoundWord, lonePlaceholder } from "./bind-words.ts";

export function bindPwsh(command: ShellCommand, args: Arguments): BoundCommand {
  const environment: Record<string, string> = {};
  const names = new Map<string, readonly string[]>();
  const issues: ArgumentIssue[] = [];
  const namesOf = (placeholder: ShellPlaceholder): readonly string[] => {
    const known = names.get(placeholder.placeholder);
    if (known) return known;
    const words = lonePlaceholder(placeholder, args);
    const made = words.map((word, index) => {
      const name = freeName(words.length === 1 ? `TOOL_ARG_${placeholder.placeholder}` : `TOOL_ARG_${placeholder.placeholder}_${index + 1}`, environment);
      environment[name] = word.text;
      return name;
    });
    names.set(placeholder.placeholder, made);
    return made;
  };
  const pieces = command.parts.map((part) => {
    if (typeof part === "string") return part;
    issues.push(...shellDashIssues(part, args));
    return pwshReference(part, namesOf(part), environment);
  });
  const words = ["pwsh", "-NoProfile", "-NonInteractive", "-Command", pieces.join("")].map(plainWord);
  return { words, environment, issues: unique(issues) };
}

/** Windows knows no difference between `a` and `A` in these names. */
function freeName(wanted: string, environment: Readonly<Record<string, string>>): string {
  const taken = Object.keys(environment).map((name) => name.toLowerCase());
  let name = wanted;
  while (taken.includes(name.toLowerCase())) name += "_";
  return name;
}

function pwshReference(placeholder: ShellPlaceholder, names: readonly string[], environment: Readonly<Record<string, string>>): string {
  const variable = (name: string): string => (/^\w+$/.test(name) ? `$env:${name}` : `\${env:${name}}`);
  if (placeholder.quoting === "double") return names.map((name) => `$(${variable(name)})`).join("");
  if (names.length === 0) return placeholder.isWholeWord ? "" : '""';
  // Windows has no empty variables: PowerShell would see none at all, and pass no word.
  return names.map((name) => (environment[name] === "" ? '""' : variable(name))).join(" ");
}

/** Letters, digits and signs that cmd.exe and the programs it starts take as they are. */
const CMD_VALUE = /^[A-Za-z0-9_.,:\\/@=+ -]*$/;
/** Needs no quotes: neither a blank nor what separates words in a batch file. */
const CMD_PLAIN = /^[A-Za-z0-9_.:\\/@+-]+$/;

export function bindCmd(command: ShellCommand, args: Arguments): BoundCommand {
  const issues: ArgumentIssue[] = [];
  const pieces = command.parts.map((part, index) => {
    if (typeof part === "string") return part;
    const words = lonePlaceholder(part, args);
    issues.push(...words.flatMap(cmdIssues), ...shellDashIssues(part, args, ["-", "/"]));
    const following = command.parts[index + 1];
    return part.quoting === "double" ? insideQuotes(words, typeof following === "string" && following.startsWith('"')) : bareWords(part, words);
  });
  return { words: ["cmd", "/d", "/s", "/c", pieces.join("")].map(plainWord), environment: {}, issues: unique(issues) };
}

function cmdIssues(word: BoundWord): readonly ArgumentIssue[] {
  if (CMD_VALUE.test(word.text)) return [];
  const message = "holds a character that cmd.exe could take for a command; letters, digits, blanks and `_ . , : \\ / @ = + -` are accepted";
  return word.paths.map((path) => ({ path, message }));
}

/** A backslash before a quote would escape it in the program that reads the line. */
function insideQuotes(words: readonly BoundWord[], endsQuotes: boolean): string {
  const text = words.map((word) => word.text).join("");
  return endsQuotes ? text.replace(/\\+$/, "$&$&") : text;
}

function bareWords(placeholder: ShellPlaceholder, words: readonly BoundWord[]): string {
  if (words.length === 0) return placeholder.isWholeWord ? "" : '""';
  return words.map((word) => (CMD_PLAIN.test(word.text) ? word.text : `"${insideQuotes([word], true)}"`)).join(" ");
}
