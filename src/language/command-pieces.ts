// What a command's text is made of when it has been read: words, and in them text, placeholders and what a shell
// expands. Offsets count from the start of the text read, not of the file.
import type { Shell, WordPlaceholder } from "../tool/command.ts";
import type { Region } from "./command-regions.ts";

export interface CommandWord {
  readonly pieces: readonly CommandPiece[];
  /** The range with its quotes; absent for words that are not in the text. */
  readonly start?: number;
  readonly end?: number;
  /**
   * Whatever it holds, a cmdlet of PowerShell takes it for no parameter: it stands in quotes or comes from a variable.
   */
  readonly isOperand?: true;
}

export type CommandPiece = TextPiece | PlaceholderPiece | ExpansionPiece;

/** Quotes and backslashes are already taken off. */
export interface TextPiece {
  readonly kind: "text";
  readonly text: string;
}

export interface PlaceholderPiece {
  readonly kind: "placeholder";
  readonly name: string;
  /** The offset of the `{`. */
  readonly start: number;
  /** The offset after the `}`. */
  readonly end: number;
  readonly quoting: "bare" | "double" | "single";
}

/** What a shell puts in at run time: `$name`, `$(…)`, `${…}`. */
export interface ExpansionPiece {
  readonly kind: "expansion";
  readonly text: string;
  readonly start: number;
  /** Behind its last character, where `text` is not as written. */
  readonly end?: number;
  /** The placeholders inside, at any depth. */
  readonly placeholders: readonly PlaceholderPiece[];
  /** The items of a list, `(…)`. */
  readonly items?: readonly CommandWord[];
  /** The one command that prints what `$(…)` becomes. */
  readonly printer?: SimpleCommand;
  /** The commands of `$(…)`, which becomes what they print. */
  readonly group?: CommandGroup;
  /** The text between the braces of `${…}`. */
  readonly inside?: CommandWord;
  /** In double quotes, where it stays one word. */
  readonly isQuoted?: true;
}

/** One program with its words, as far as they can be known before it runs. */
export interface SimpleCommand {
  readonly words: readonly CommandWord[];
  /** `> file`, with what it is written to or read from. */
  readonly redirections: readonly Redirection[];
  /** Words in brackets, `a=(…)`, and no command. */
  readonly isList?: true;
  /** Runs whenever what follows it runs. */
  readonly isSure?: true;
  /** What prints the input of its pipe. */
  readonly from?: PipeEnd;
  readonly group?: CommandGroup;
}

/**
 * Commands between brackets or such words as `while` and `done`: they share an input, and what they print goes to one
 * place.
 */
export interface CommandGroup {
  readonly kind: "group" | "substitution" | "function";
  readonly outer?: CommandGroup;
  readonly from?: PipeEnd;
  /** The redirections of the group, as in `done < file`. */
  readonly redirections: Redirection[];
}

export type PipeEnd = SimpleCommand | CommandGroup;

/** What is known of a script, or of one command alone. */
export interface ReadScript {
  readonly commands: readonly SimpleCommand[];
  /** Has a pipe or a here-string: some command reads what another one was given. */
  readonly feedsInput: boolean;
  readonly regions: readonly Region[];
  readonly shell?: Shell;
  /** Names of the functions that it defines. */
  readonly functions?: ReadonlySet<string>;
}

/** What `<<END` gives a command has the operator `<<`. */
export interface Redirection {
  readonly operator: string;
  readonly word: CommandWord;
}

/** The word without its quotes, where it is the same in every call. */
export function literalText(word: CommandWord | undefined): string | undefined {
  if (word === undefined || word.pieces.some((piece) => piece.kind !== "text")) return undefined;
  return word.pieces.map((piece) => (piece.kind === "text" ? piece.text : "")).join("");
}

/** The text that the word begins with in every call. */
export function literalStart(word: CommandWord): string {
  let text = "";
  for (const piece of word.pieces) {
    if (piece.kind !== "text") break;
    text += piece.text;
  }
  return text;
}

/** At any depth. */
export function placeholdersIn(words: readonly CommandWord[]): readonly PlaceholderPiece[] {
  return words.flatMap((word) =>
    word.pieces.flatMap((piece): readonly PlaceholderPiece[] =>
      piece.kind === "placeholder" ? [piece] : piece.kind === "expansion" ? piece.placeholders : [],
    ),
  );
}

/** Appends a text, and merges it with a text before it. */
export function appendText(parts: (string | WordPlaceholder)[], text: string): void {
  const last = parts.at(-1);
  if (typeof last === "string") parts[parts.length - 1] = last + text;
  else parts.push(text);
}
