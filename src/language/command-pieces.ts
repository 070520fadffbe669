// What a command's text is made of when it has been read: words, and in them text, placeholders and what a shell expands.
// Offsets count from the start of the text read, not of the file.
import type { WordPlaceholder } from "../tool/command.ts";
import type { Region } from "./command-regions.ts";

export interface CommandWord {
  readonly pieces: readonly CommandPiece[];
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
  /** Of the `{`. */
  readonly start: number;
  /** Behind the `}`. */
  readonly end: number;
  readonly quoting: "bare" | "double" | "single";
}

/** What a shell puts in at run time: `$name`, `$(…)`, `${…}`. */
export interface ExpansionPiece {
  readonly kind: "expansion";
  readonly text: string;
  readonly start: number;
  /** The placeholders inside, at any depth. */
  readonly placeholders: readonly PlaceholderPiece[];
  /** Of a list, `(…)`. */
  readonly items?: readonly CommandWord[];
  /** The one command that prints what `$(…)` becomes. */
  readonly printer?: SimpleCommand;
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
}

/** What is known of a script, or of one command alone. */
export interface ReadScript {
  readonly commands: readonly SimpleCommand[];
  /** Has a pipe or a here-string: some command reads what another one was given. */
  readonly feedsInput: boolean;
  readonly regions: readonly Region[];
  readonly shell?: "sh" | "bash" | "zsh";
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
    word.pieces.flatMap((piece): readonly PlaceholderPiece[] => (piece.kind === "placeholder" ? [piece] : piece.kind === "expansion" ? piece.placeholders : [])),
  );
}

/** Adds to the text before it, so that no two texts stand side by side. */
export function appendText(parts: (string | WordPlaceholder)[], text: string): void {
  const last = parts.at(-1);
  if (typeof last === "string") parts[parts.length - 1] = last + text;
  else parts.push(text);
}
