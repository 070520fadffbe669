// What `@command` and `@script` become at load: words, or a script with the places where values are referred to.
// A value never becomes program text: see ../../grammar/README.md and base/bind-command.ts.
import type { OpenValue } from "./open-value.ts";

export type Shell = "sh" | "bash" | "zsh" | "pwsh" | "cmd";
export type Platform = "linux" | "macos" | "windows";
/** `unix` is Linux and macOS. */
export type PlatformChoice = Platform | "unix";

export type CommandTemplate = DirectCommand | ShellCommand;

/** Run without a shell: `words[0]` is the program and is literal. */
export interface DirectCommand {
  readonly kind: "direct";
  readonly words: readonly Word[];
  /** Values, in its words or around it, that are not known to be data for its program. Absent: none. */
  readonly mayRun?: readonly OpenValue[];
  /** What its program does beside reading, where that is known. */
  readonly does?: readonly ("write" | "network")[];
}

/**
 * One word, or, when it is a lone array or a lone placeholder with `flag`, 0…n words. A lone placeholder without a
 * value leaves no word. A placeholder alone in quotes has an empty text before it: it is a word whatever its value.
 */
export interface Word {
  readonly parts: readonly (string | WordPlaceholder)[];
  /** No program reads options there. */
  readonly isOperand?: true;
  readonly reader?: OptionReader;
}

/** The program that would take a value for an option where it begins with a dash. */
export interface OptionReader {
  /** As messages have it: "`tar`". */
  readonly program: string;
  /**
   * How its definition can let the value through, where a `--` of the program does not: "in one word with the option
   * before it".
   */
  readonly instead?: string;
}

export interface WordPlaceholder {
  readonly placeholder: string;
  /** The words that a present value becomes; their own placeholder is called `value`. */
  readonly flag?: readonly Word[];
  /** An array is one word, as JSON. */
  readonly isWhole?: true;
}

export interface ShellCommand {
  readonly kind: "shell";
  readonly shell: Shell;
  /** Script text as written, and the places of values between. */
  readonly parts: readonly (string | ShellPlaceholder)[];
  /** The script changes or reads `$1` (`set`, functions, `"$@"`), so values are moved to variables before it starts. */
  readonly movesPositions?: true;
}

export interface ShellPlaceholder {
  readonly placeholder: string;
  /** The quotes around it. */
  readonly quoting: "bare" | "double" | "single";
  /** It is a whole word: an absent value leaves nothing, an array becomes several words. */
  readonly isWholeWord: boolean;
  /** It begins a word, here or where the script passes it on, so a leading dash would be read as an option. */
  readonly startsWord: boolean;
  /** Placeholders before it in its word: it begins the word only where they are all empty. */
  readonly behind?: readonly string[];
  /**
   * Wherever it comes to, a program takes it for an operand, mostly because a literal `--` of that program stands
   * before it.
   */
  readonly isAfterDashes: boolean;
  /** Absent where it is not known. */
  readonly reader?: OptionReader;
  /** In PowerShell, no word of a program: a value of an expression, which has a type, or an argument of a cmdlet. */
  readonly standsFor?: "value" | "argument";
  /** Its program takes what begins with `/` for an option, even after `--`. */
  readonly takesSlash?: true;
  readonly flag?: readonly Word[];
}

export interface PlatformCommand {
  /** Absent: every platform. The most specific wins. */
  readonly platform?: PlatformChoice;
  readonly command: CommandTemplate;
}
