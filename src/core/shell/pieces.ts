// The parts of a command's text: words, and in them text, placeholders and expansions. Offsets count from the start of
// the text that was read, not of the file.
import type { Shell, WordPlaceholder } from "../tool/command.ts";

export type RegionKind =
  | "backquotes"
  | "arithmetic"
  | "parameter expansion"
  | "subscript"
  | "ANSI-C quotes"
  | "here-document";

export interface Region {
  readonly kind: RegionKind;
  readonly start: number;
  /** The offset after its last character. */
  readonly end: number;
  /** The text between its ends, if it is not a command. */
  readonly inside?: CommandWord;
}

export interface CommandWord {
  readonly pieces: readonly CommandPiece[];
  /** The offset of the word with its quotes. Words that are not in the text have none. */
  readonly start?: number;
  readonly end?: number;
  /**
   * Set if a cmdlet of PowerShell never takes the word as a parameter, because it is in quotes or comes from a
   * variable.
   */
  readonly isOperand?: true;
}

export type CommandPiece = TextPiece | PlaceholderPiece | ExpansionPiece;

/** Text without its quotes and backslashes. */
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

/** Something that a shell replaces at run time: `$name`, `$(…)`, `${…}`. */
export interface ExpansionPiece {
  readonly kind: "expansion";
  readonly text: string;
  readonly start: number;
  /** The offset after the last character, if `text` differs from what is written. */
  readonly end?: number;
  /** The placeholders inside, at any depth. */
  readonly placeholders: readonly PlaceholderPiece[];
  readonly items?: readonly CommandWord[];
  /** The command whose output replaces `$(…)`, if there is only one. */
  readonly printer?: SimpleCommand;
  /** The commands whose output replaces `$(…)`. */
  readonly group?: CommandGroup;
  /** The text between the braces of `${…}`. */
  readonly inside?: CommandWord;
  /** Set in double quotes, where the expansion stays one word. */
  readonly isQuoted?: true;
}

/** One program with its words, as far as they are known before it runs. */
export interface SimpleCommand {
  readonly words: readonly CommandWord[];
  /** Redirections such as `> file`, with the word that names the file. */
  readonly redirections: readonly Redirection[];
  /** Set for the words of a list, `a=(…)`, which are not a command. */
  readonly isList?: true;
  /** Set if the command runs whenever the commands after it run. */
  readonly isSure?: true;
  /**
   * `then`: it runs only after the command before has ended well (`&&`). `apart`: it stands in a pipe or in the
   * background, or runs only after a failure. `inner`: it stands between words such as `if` and `fi`.
   */
  readonly flow?: "then" | "apart" | "inner";
  /** The command or group that writes to its pipe. */
  readonly from?: PipeEnd;
  readonly group?: CommandGroup;
}

/**
 * Commands in brackets, or between words such as `while` and `done`. They share an input, and their output goes to one
 * place.
 */
export interface CommandGroup {
  readonly kind: "group" | "subshell" | "substitution" | "function";
  readonly outer?: CommandGroup;
  readonly from?: PipeEnd;
  /** Set for `>(…)`, whose input is what some command writes. */
  readonly isWritten?: true;
  /** The redirections of the group, as in `done < file`. */
  readonly redirections: Redirection[];
}

export type PipeEnd = SimpleCommand | CommandGroup;

/** What is known of a script, or of a single command. */
export interface ReadScript {
  readonly commands: readonly SimpleCommand[];
  /** Whether some command reads the output of another, by a pipe or a here-string. */
  readonly feedsInput: boolean;
  readonly regions: readonly Region[];
  readonly shell?: Shell;
  /** A part of the language that is not followed, so that a value could get anywhere. */
  readonly unread?: string;
  /** Names of the functions that the script defines. */
  readonly functions?: ReadonlySet<string>;
}

/** A redirection. A here-document has the operator `<<`. */
export interface Redirection {
  readonly operator: string;
  readonly word: CommandWord;
}

/** Returns the word without its quotes, if it is the same in every call. */
export function literalText(word: CommandWord | undefined): string | undefined {
  if (word === undefined) return undefined;
  let text = "";
  for (const piece of word.pieces) {
    if (piece.kind !== "text") return undefined;
    text += piece.text;
  }
  return text;
}

/** Returns the text that the word begins with in every call. */
export function literalStart(word: CommandWord): string {
  let text = "";
  for (const piece of word.pieces) {
    if (piece.kind !== "text") break;
    text += piece.text;
  }
  return text;
}

export function placeholdersIn(words: readonly CommandWord[]): readonly PlaceholderPiece[] {
  return words.flatMap((word) =>
    word.pieces.flatMap((piece): readonly PlaceholderPiece[] =>
      piece.kind === "placeholder" ? [piece] : piece.kind === "expansion" ? piece.placeholders : [],
    ),
  );
}

export function appendText(parts: (string | WordPlaceholder)[], text: string): void {
  const last = parts.at(-1);
  if (typeof last === "string") parts[parts.length - 1] = last + text;
  else parts.push(text);
}

export function textWord(text: string): CommandWord {
  return { pieces: [{ kind: "text", text }] };
}
