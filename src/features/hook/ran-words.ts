// Words of the commands that a line runs: what they are, and words made of others.
import { basename, dirname } from "node:path";
import {
  type CommandPiece,
  type CommandWord,
  literalText,
  type PipeEnd,
  type Redirection,
  type SimpleCommand,
  textWord,
} from "../../core/shell/pieces.ts";
import { quoteWord } from "../../core/base/quote.ts";
import type { Host } from "../../core/tool/host.ts";
import { programName } from "../../core/shell/programs.ts";
import { type KnownWords, textOf } from "../../core/policy/known-words.ts";
import { assignmentOf } from "../../core/shell/assignments.ts";

/** What stands before the file in one word: `--command=FILE`, `-SFILE`. */
export const GLUED_OPTION = /^(?:--?[\w-]+=|-S)/;
/** Programs that give their words to a shell, with parts of their input. */
export const PASSES_TO_SHELL = /^(?:parallel|sem)$/;
/** Built-ins that set the variables that they name. */
export const SETS_NAMED = new Set(["read", "for", "select", "printf", "mapfile", "readarray", "getopts"]);
/** Built-ins that evaluate a number or a name once more. */
export const EVALUATES_NUMBERS = new Set(
  "[ [[ test let declare typeset local printf read unset export wait mapfile readarray".split(" "),
);

export interface RanWord {
  /** What a shell makes of the word; what it only knows at run time is as written: `$(date)`. */
  readonly text: string;
  readonly isKnown: boolean;
}

export type RanRedirections = readonly { readonly operator: string; readonly path: string | undefined }[];

export function ranWord(word: CommandWord, scene: KnownWords): RanWord {
  const text = textOf(word, scene);
  return text === undefined
    ? { text: word.pieces.map((piece) => (piece.kind === "placeholder" ? "" : piece.text)).join(""), isKnown: false }
    : { text, isKnown: true };
}

/** Returns a word of a loop as each of its values. */
export function ranWords(word: CommandWord, scene: KnownWords): readonly RanWord[] {
  const only = ranWord(word, scene);
  const loops = scene.variables instanceof EnvironmentVariables ? scene.variables.loops : undefined;
  if (only.isKnown || !loops) return [only];
  const nameOf = (piece: CommandPiece): string =>
    (piece.kind === "expansion" && /^\$(?:(\w+)|\{(\w+)(?:%\.\w+)?\})$/.exec(piece.text)?.slice(1).join("")) || "";
  const name = word.pieces.map(nameOf).find((one) => loops.get(one) !== undefined);
  if (name === undefined) return [only];
  return (loops.get(name) ?? []).map((text) =>
    ranWord({ pieces: word.pieces.map((one) => (nameOf(one) === name ? { kind: "text", text } : one)) }, scene),
  );
}

/** A value that stays below the folder of the command. */
const INNER = /^(?![/-])(?:(?!\.\.)[\w.*?@+/-]|\{\d+\.\.\d+\})+$/;
const NUMBERS = /^\$\(seq [\d ]+\)$/;

/** Records what a built-in such as `for` or `read` makes of the variables that it names. */
export function setLoops(name: string, args: readonly CommandWord[], scene: KnownWords): void {
  const { variables } = scene;
  if (!(variables instanceof EnvironmentVariables)) return;
  for (const word of name === "for" ? args.slice(0, 1) : args)
    variables.loop(literalText(word) ?? "", name === "for" ? loopValues(args.slice(2), scene) : undefined);
}

/** Returns the values of a `for`; undefined if one may lead elsewhere. */
function loopValues(words: readonly CommandWord[], scene: KnownWords): readonly string[] | undefined {
  const texts = words.map((word) => {
    const { text, isKnown } = ranWord(word, scene);
    return isKnown ? text : NUMBERS.test(text) ? "1" : "";
  });
  return texts.length > 0 && texts.length <= LOOP_VALUES_MAX && texts.every((text) => INNER.test(text))
    ? texts
    : undefined;
}

const LOOP_VALUES_MAX = 64;

/** Matches most lines, for which the others need not be compiled. */
const SEEN = /^[\t\n\x20-\x7e]*$/;
/** Characters that hide what a line says from its reader: controls, and those without a width or that turn text. */
const HIDDEN =
  /[\0-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/u;

/** Spaces that look like the one that separates words. */
const FOREIGN_SPACE = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/;

export function hasUnseenCharacters(text: string): boolean {
  return !SEEN.test(text) && (HIDDEN.test(text) || FOREIGN_SPACE.test(text));
}

/** Returns the end of a program's path whose folder is not known: `"$venv/bin/python"`. */
export function tailOf({ pieces }: CommandWord): string | undefined {
  const last = pieces.at(-1);
  return last?.kind === "text" && last.text.includes("/") && !last.text.endsWith("/")
    ? last.text.slice(last.text.lastIndexOf("/") + 1)
    : undefined;
}

export function joinedWords(words: readonly CommandWord[]): CommandWord {
  return {
    pieces: words.flatMap(({ pieces }, index): readonly CommandPiece[] =>
      index === 0 ? pieces : [{ kind: "text", text: " " }, ...pieces],
    ),
  };
}

/** Returns the word as a shell reads it anew: of what is known only at run time, what is written. */
export function quotedWord({ pieces }: CommandWord): CommandWord {
  return textWord(
    pieces
      .map((one) => (one.kind === "text" ? quoteWord(one.text) : one.kind === "expansion" ? one.text : ""))
      .join(""),
  );
}

/** Returns the words before `:::`, after which `parallel` has the inputs. */
export function beforeInputs(args: readonly CommandWord[]): readonly CommandWord[] {
  const end = args.findIndex((word) => literalText(word)?.startsWith(":::"));
  return end === -1 ? args : args.slice(0, end);
}

/** Whether it is the name of a variable that programs know. */
export function isUpperName(text: string | undefined): boolean {
  return text !== undefined && /^[A-Z][A-Z0-9_]*$/.test(text);
}

export function isExpanded({ pieces }: CommandWord): boolean {
  return pieces.some((piece) => piece.kind === "expansion" && !piece.isQuoted);
}

/** A value in one word with its option has the option in front. */
export function withoutOption({ pieces }: CommandWord, option = ""): CommandWord {
  const [head, ...others] = pieces;
  return head?.kind === "text" && head.text.startsWith(`${option}=`)
    ? { pieces: [{ kind: "text", text: head.text.slice(option.length + 1) }, ...others] }
    : { pieces };
}

const WORDS_MAX = 256;

/** Returns the words that a word without quotes becomes. */
export function bracedWords(word: CommandWord): readonly CommandWord[] {
  const text = literalText(word);
  return text === undefined ? [word] : expandedBraces(text).map((one) => ({ pieces: [{ kind: "text", text: one }] }));
}

/** Returns the text itself if it has no such braces. */
function expandedBraces(text: string): readonly string[] {
  const words = [text];
  for (let index = 0; index < words.length && words.length < WORDS_MAX; ) {
    const word = words[index] ?? "";
    const [, start, inside, end] = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(word) ?? [];
    if (inside === undefined) index++;
    else words.splice(index, 1, ...inside.split(",").map((part) => `${start ?? ""}${part}${end ?? ""}`));
  }
  return words;
}

const VALUE_CHARACTERS_MAX = 65_536;

/** The variables of a script; those that it does not set have their values of the environment. */
export class EnvironmentVariables extends Map<string, string | undefined> {
  /** The values of variables of loops. Undefined: another command sets the variable too. */
  readonly loops: Map<string, readonly string[] | undefined>;
  readonly #host: Host;

  constructor(host: Host, entries: Iterable<readonly [string, string | undefined]> = [], loops = new Map()) {
    super(entries);
    this.#host = host;
    this.loops = loops as Map<string, readonly string[] | undefined>;
  }

  /** Undefined: they are not known. */
  loop(name: string, values: readonly string[] | undefined): void {
    const before = this.loops.has(name) ? this.loops.get(name) : [];
    this.loops.set(name, before && values && [...before, ...values]);
  }

  override get(name: string): string | undefined {
    return this.has(name) ? super.get(name) : this.#host.environment(name);
  }

  /** A text that doubles with each assignment is not known. */
  override set(name: string, value: string | undefined): this {
    return super.set(name, value !== undefined && value.length > VALUE_CHARACTERS_MAX ? undefined : value);
  }

  copy(): EnvironmentVariables {
    return new EnvironmentVariables(this.#host, this, this.loops);
  }
}

export function copiedVariables(variables: Map<string, string | undefined>): Map<string, string | undefined> {
  return variables instanceof EnvironmentVariables ? variables.copy() : new Map(variables);
}

const FEEDERS_MAX = 1_000;

/** Returns what a command prints, if that is certain. */
export function printedBy(end: PipeEnd | undefined, scene: KnownWords): string | undefined {
  if (!end || "kind" in end || end.from) return undefined;
  const [program, ...words] = end.words.map((word) => textOf(word, scene));
  const named = words.filter((word) => word !== undefined && !word.startsWith("-"));
  if (program === "cat" && words.length === 0) {
    const [input] = end.redirections.filter(({ operator }) => operator === "<<" || operator === "<<<");
    return input && end.redirections.length === 1 ? textOf(input.word, scene) : undefined;
  }
  if (words.some((word) => word === undefined) || end.redirections.length > 0) return undefined;
  if (program === "dirname" && words.length === 1 && words[0]) return dirname(words[0]);
  if (program === "basename" && words.length === 1 && words[0]) return basename(words[0]);
  if (program === "pwd" && words.every((word) => word === "-L")) return scene.variables.get("PWD");
  if (program === "which" || (program === "command" && words[0] === "-v") || (program === "type" && words[0] === "-p"))
    return named[0];
  if (program === "echo" && !words.some((word) => word?.includes("\\")))
    return words.filter((word) => word !== "-n" && word !== "-e").join(" ");
  return program === "printf" && words.length === 1 && !/[\\%]/.test(words[0] ?? "") ? words[0] : undefined;
}

/** Returns the names of the programs that write to a pipe, the last one first. */
export function feedersOf(from: PipeEnd | undefined, scene: KnownWords): readonly string[] {
  const names: string[] = [];
  for (let end = from; end; end = end.from) {
    if (names.length > FEEDERS_MAX) break;
    names.push("kind" in end ? "" : programName(textOf(end.words[0] ?? { pieces: [] }, scene) ?? ""));
  }
  return names;
}

/** Splits at `$IFS`, and a variable outside of quotes at its spaces; reads braces of another language as text. */
export function expandedWords(
  word: CommandWord,
  known: KnownWords,
  source: string | undefined,
): readonly CommandWord[] {
  const raw = source !== undefined && word.start !== undefined ? source.slice(word.start, word.end) : undefined;
  const parts: CommandPiece[][] = [[]];
  for (const piece of word.pieces) {
    const last = parts.at(-1) ?? [];
    if (piece.kind === "placeholder") last.push({ kind: "text", text: `{${piece.name}}` });
    else if (
      piece.kind === "expansion" &&
      piece.text.includes("IFS") &&
      /^\$\{?IFS\b/.test(piece.text) &&
      !piece.isQuoted
    )
      parts.push([]);
    else if (piece.kind === "expansion") {
      const value = valueOf(piece, known);
      const split = value === undefined || piece.isQuoted ? undefined : value.split(/[ \t\n]+/);
      if (value === undefined) last.push(piece);
      else if (!split || split.length === 1) last.push({ kind: "text", text: value });
      else {
        last.push({ kind: "text", text: split[0] ?? "" });
        for (const text of split.slice(1)) parts.push([{ kind: "text", text }]);
      }
    } else last.push(piece);
  }
  const words = parts.filter((pieces) => pieces.length > 0).map((pieces): CommandWord => ({ pieces }));
  const isBraced = raw?.includes("{") === true && /(?:^|[^\\$"'])\{[^{}'"]*(?:,|\.\.)[^{}'"]*\}/.test(raw);
  return isBraced ? words.flatMap((one) => bracedWords(one)) : words;
}

/** A number or a time, which has no slash. */
const PLAIN_VALUE = /^\$(?:\$|RANDOM|\(date(?: -u)?(?: \+(?:%[A-Za-z]|[-_.:T])+)?\))$/;

/** Returns the value of `$name` and `${name:-other}`, and of `$(echo …)` and `$(command -v …)`. */
function valueOf(piece: Extract<CommandPiece, { kind: "expansion" }>, scene: KnownWords): string | undefined {
  const value = textOf({ pieces: [{ ...piece }] }, scene);
  if (value !== undefined) return value;
  const [, name, other = ""] = /^\$\{(\w+):-([\w./-]*)\}$/.exec(piece.text) ?? [];
  if (name !== undefined) {
    const known = scene.variables.get(name);
    return known === undefined && scene.variables.has(name) ? undefined : known || other;
  }
  if (PLAIN_VALUE.test(piece.text)) return "0";
  if (piece.items || !(piece.text.startsWith("$(") || piece.text.startsWith("`"))) return undefined;
  return piece.printer ? printedBy(piece.printer, scene) : undefined;
}

/** Whether an option of dottool's own `run_command` has a line for a shell. */
export function isLineOfDottool(name: string, option: string | undefined): boolean {
  return option === "--command" && name.startsWith("dottool ") && name.endsWith(" run_command");
}

/** Returns where redirections lead, as far as that is known. */
export function redirectedIn(redirections: readonly Redirection[], scene: KnownWords): RanRedirections {
  return redirections.flatMap(({ operator, word }) => {
    const [only, ...others] = expandedWords(word, scene, undefined);
    if (!only || others.length > 0) return [{ operator, path: undefined }];
    return ranWords(only, scene).map(({ text, isKnown }) => ({
      operator,
      // The commands of `>(…)` are read as others are.
      path: isKnown ? text : text.startsWith(">(") ? "/dev/fd/63" : undefined,
    }));
  });
}

export interface RanInput {
  /** `written`: what a command writes to `>(…)`, or to a file that is open. `called`: the input of a function's caller. */
  readonly kind: "redirected" | "piped" | "written" | "called";
  readonly redirection?: Redirection;
  readonly from?: PipeEnd;
}

/** Returns undefined if it has the input of the whole script. */
export function inputOf(command: SimpleCommand): RanInput | undefined {
  const own = ownInput(command);
  if (own) return own;
  for (let group = command.group; group; group = group.outer) {
    const input = ownInput(group) ?? (group.isWritten ? { kind: "written" } : undefined);
    if (input) return input;
    if (group.kind === "function") return { kind: "called" };
  }
  return undefined;
}

/** Whether it is `exec < file`, which is the input of what follows. */
export function opensInput(command: SimpleCommand): boolean {
  const [program, ...others] = command.words;
  return others.length === 0 && literalText(program) === "exec" && ownInput(command) !== undefined;
}

function ownInput({ redirections, from }: Pick<SimpleCommand, "redirections" | "from">): RanInput | undefined {
  const redirection = redirections.findLast(({ operator }) => operator.startsWith("<"));
  if (redirection?.operator === "<&")
    return /^[1-9]/.test(literalText(redirection.word) ?? "1") ? { kind: "written" } : undefined;
  if (redirection) return { kind: "redirected", redirection };
  return from ? { kind: "piped", from } : undefined;
}

/** The text stands between two equal characters, or between brackets. */
const CODE = /^\([^]*?(?:e(?:([^\w\s,|()])[^]*\1|[[{<(]|\w?['"$`\\])|\+[A-Za-z_])/;
/** The characters may be letters, too. Before the brackets, these make a pattern of other shells: `!(package.json)`. */
const LETTER_CODE = /^\([^()]*?e(\w)[^]+\1/;
const OTHER_PATTERN = /[!?+@]$/;
const QUOTED = /'[^']*'|"[^"]*"|\\./g;

/** Whether a word of the command is such a pattern. */
export function hasZshCode({ words, redirections, isList }: SimpleCommand): boolean {
  const first = words.findIndex((word) => !assignmentOf(word));
  // The brackets of `name=(…)` hold words.
  const read = isList ? words : first === -1 ? [] : words.slice(first);
  return [...read, ...redirections.map(({ word }) => word)].some(isRun);
}

function isRun({ pieces }: CommandWord): boolean {
  // A `|` separates alternatives.
  const isCode = (text: string): boolean => CODE.test(text) && !text.replaceAll(QUOTED, "").includes("|");
  return pieces.some((piece, at) => {
    if (piece.kind !== "expansion" || piece.isQuoted) return false;
    const before = pieces[at - 1];
    const isOther = before?.kind !== "text" || OTHER_PATTERN.test(before.text);
    return isCode(piece.text) || (!isOther && LETTER_CODE.test(piece.text) && !piece.text.includes("|"));
  });
}
