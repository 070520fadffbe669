// Scripts for PowerShell and cmd.exe, read only as far as quotes go. What cannot be read with certainty takes no placeholders.
import type { Checked, Diagnostic } from "../text/diagnostic.ts";
import type { ShellCommand, ShellPlaceholder } from "../tool/command.ts";
import { flagWords } from "./command-flag.ts";
import type { PlaceholderPiece } from "./command-pieces.ts";
import { arrayInWord, type CommandSource, commandProblem, declarationOf, flagInWord, parameterAsProgram, unclosed, unknownPlaceholder, unsafePlaceholder } from "./command-problems.ts";

export type WindowsShell = "pwsh" | "cmd";

interface Place {
  readonly piece: PlaceholderPiece;
  readonly isWholeWord: boolean;
  readonly startsWord: boolean;
  readonly isAfterDashes: boolean;
  /** Nothing but blanks stands before it in its command. */
  readonly isProgram: boolean;
}

export function parseWindowsCommand(source: CommandSource, shell: WindowsShell): Checked<ShellCommand> {
  const { text } = source.text;
  if (text.trim() === "") return { diagnostics: [commandProblem(source, "empty-command", { message: "there is nothing to run", start: 0, end: text.length, help: ["write a program and its words, such as `git log`"] })] };
  const scanned = scan(text, shell);
  if (scanned.unclosedAt !== undefined) return { diagnostics: [unclosed(source, scanned.unclosedAt, text[scanned.unclosedAt] ?? "")] };
  const diagnostics: Diagnostic[] = [];
  const parts = scanned.parts.map((part) => (typeof part === "string" ? part : toPart(source, part, diagnostics)));
  const places = scanned.parts.filter((part) => typeof part !== "string");
  const evaluates = shell === "pwsh" ? PWSH_EVALUATES.exec(text)?.[0] : undefined;
  if (diagnostics.length === 0) diagnostics.push(...places.flatMap((place) => dangersOf(source, place, { shell, evaluates })));
  return diagnostics.length > 0 ? { diagnostics } : { value: { kind: "shell", shell, parts }, diagnostics };
}

const PLACEHOLDER = /\{([A-Za-z_][A-Za-z0-9_-]*)\}/y;
const DOUBLED = /\{\{[A-Za-z_][A-Za-z0-9_-]*\}\}/y;

interface Scan {
  readonly parts: readonly (string | Place)[];
  readonly unclosedAt?: number;
}

function scan(text: string, shell: WindowsShell): Scan {
  const escape = shell === "pwsh" ? "`" : "^";
  const parts: (string | Place)[] = [];
  const state: ScanState = { shell, quote: "", quotedFrom: 0, hasWords: false, hasDashes: false };
  let literal = "";
  let at = 0;
  while (at < text.length) {
    const character = text[at] ?? "";
    DOUBLED.lastIndex = at;
    PLACEHOLDER.lastIndex = at;
    const doubled = DOUBLED.exec(text)?.[0];
    const match = doubled === undefined && text[at - 1] !== "$" ? PLACEHOLDER.exec(text) : null;
    if (doubled !== undefined) {
      literal += doubled.slice(1, -1);
      at += doubled.length;
    } else if (match) {
      if (literal !== "") parts.push(literal);
      literal = "";
      const quoting = state.quote === '"' ? "double" : state.quote === "'" ? "single" : "bare";
      parts.push(placeOf(text, { kind: "placeholder", name: match[1] ?? "", start: at, end: at + match[0].length, quoting }, state));
      at += match[0].length;
      state.hasWords = true;
    } else if (character === escape && state.quote !== "'" && !(state.quote === '"' && shell === "cmd")) {
      literal += text.slice(at, at + 2);
      at += 2;
    } else {
      pass(text, at, state);
      literal += character;
      at++;
    }
  }
  if (literal !== "") parts.push(literal);
  return { parts, ...(state.quote === "" ? {} : { unclosedAt: state.quotedFrom }) };
}

interface ScanState {
  readonly shell: WindowsShell;
  quote: string;
  /** Where the quotes began. */
  quotedFrom: number;
  /** Of the command that is being read. */
  hasWords: boolean;
  hasDashes: boolean;
}

function pass(text: string, at: number, state: ScanState): void {
  const character = text[at] ?? "";
  if (state.quote === "" && "\n|;&".includes(character)) {
    state.hasWords = false;
    state.hasDashes = false;
    return;
  }
  if (state.quote === "" && /^\s--\s$/.test(text.slice(at - 1, at + 3))) state.hasDashes = true;
  if (state.quote === "" && (character === '"' || (character === "'" && state.shell === "pwsh"))) {
    state.quote = character;
    state.quotedFrom = at;
  } else if (character === state.quote) state.quote = "";
  else if (!/\s/.test(character)) state.hasWords = true;
}

function placeOf(text: string, piece: PlaceholderPiece, state: ScanState): Place {
  const wordStart = piece.quoting === "bare" ? piece.start : state.quotedFrom;
  const isAtStart = /[\s;|&(]/.test(text[wordStart - 1] ?? " ");
  return {
    piece,
    isWholeWord: piece.quoting === "bare" && isAtStart && /[\s;|&)]/.test(text[piece.end] ?? " "),
    startsWord: isAtStart && (piece.quoting === "bare" || piece.start === state.quotedFrom + 1),
    isAfterDashes: state.hasDashes,
    isProgram: !state.hasWords,
  };
}

function toPart(source: CommandSource, place: Place, diagnostics: Diagnostic[]): string | ShellPlaceholder {
  const { piece } = place;
  const declaration = declarationOf(source, piece.name);
  if (!declaration) {
    diagnostics.push(unknownPlaceholder(source, piece));
    return `{${piece.name}}`;
  }
  const { parameter } = declaration;
  const placeholder: ShellPlaceholder = { placeholder: piece.name, quoting: piece.quoting, isWholeWord: place.isWholeWord, startsWord: place.startsWord, isAfterDashes: place.isAfterDashes };
  if (parameter.flag === undefined) {
    if (parameter.schema.type === "array" && !place.isWholeWord) diagnostics.push(arrayInWord(source, piece, piece.quoting === "bare" ? "one word is wanted here" : "in quotes"));
    return placeholder;
  }
  if (!place.isWholeWord) diagnostics.push(flagInWord(source, piece));
  const flag = flagWords(declaration);
  diagnostics.push(...flag.diagnostics);
  return flag.value ? { ...placeholder, flag: flag.value } : placeholder;
}

/** What runs text, changes how text is read, or hides where strings end. */
const PWSH_EVALUATES = /\b(?:iex|invoke-expression|invoke-command|icm|invoke-item|scriptblock|add-type|new-object|set-alias|set-item|start-process|start-job|expandstring|invokescript|powershell|pwsh|cmd|bash|sh|wsl)\b|--%|@["']|<#|[&.]\s*[{(]/i;

/** `evaluates`: what in the script may run text. */
function dangersOf(source: CommandSource, place: Place, script: { readonly shell: WindowsShell; readonly evaluates: string | undefined }): readonly Diagnostic[] {
  const { piece } = place;
  const { evaluates } = script;
  if (place.isProgram) return [parameterAsProgram(source, piece)];
  if (script.shell === "cmd") {
    const isGlued = piece.quoting === "bare" && !place.isWholeWord;
    return isGlued ? [unsafePlaceholder(source, piece, { note: "glued to other text", help: [`put the whole word in double quotes: \`"…{${piece.name}}…"\``] })] : [];
  }
  if (evaluates !== undefined) {
    return [unsafePlaceholder(source, piece, { note: `this script has \`${evaluates}\`, which may run text`, help: ["put the script in a `.ps1` file and pass values as its parameters: `./script.ps1 -Name {name}`"] })];
  }
  if (piece.quoting === "single") return [unsafePlaceholder(source, piece, { note: "single quotes keep PowerShell from reading it", help: ["write double quotes"] })];
  if (piece.quoting === "bare" && !place.isWholeWord) return [unsafePlaceholder(source, piece, { note: "glued to other text", help: [`put the whole word in double quotes: \`"…{${piece.name}}…"\``] })];
  return [];
}
