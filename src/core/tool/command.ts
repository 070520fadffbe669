// The loaded form of `@command` and `@script`: words, or a script with the places of its values. A value never becomes
// program text: see ../../grammar/README.md and core/base/bind-command.ts.
import type { OpenValue } from "./open-value.ts";

export type WindowsShell = "pwsh" | "cmd";
export type Shell = "sh" | "bash" | "zsh" | WindowsShell;
export type Platform = "linux" | "macos" | "windows";
/** `unix` is Linux and macOS. */
export type PlatformChoice = Platform | "unix";

export const platformNames: readonly Platform[] = ["linux", "macos", "windows"];
export const platformChoices: readonly PlatformChoice[] = ["linux", "macos", "windows", "unix"];

export type CommandTemplate = DirectCommand | ShellCommand;

/** Run without a shell: `words[0]` is the program and is literal. */
export interface DirectCommand {
  readonly kind: "direct";
  readonly words: readonly Word[];
  /** Values in its words or around it that are not known to be data for its program. If absent, there are none. */
  readonly mayRun?: readonly OpenValue[];
  /** What the program does besides reading, where that is known. */
  readonly does?: readonly ("write" | "network")[];
  readonly needs?: EnvironmentNeeds;
}

/** What a command needs of the environment besides what is declared. */
export interface EnvironmentNeeds {
  /** Variables that its programs need, by their rows. They are passed on if they are set and hold no secret. */
  readonly programs?: readonly string[];
  /** Variables that the script reads as if they were set. Unset, it ends there with a message. */
  readonly reads?: readonly string[];
  /** Those of `reads` without whose value it would change another place. */
  readonly harms?: readonly string[];
}

/**
 * A word. A lone array, or a lone placeholder with `flag`, becomes 0 to n words. A lone placeholder without a value
 * leaves no word. A placeholder alone in quotes has an empty text before it, so it is a word with any value.
 */
export interface Word {
  readonly parts: readonly (string | WordPlaceholder)[];
  /** Set if no program reads options there. */
  readonly isOperand?: true;
  readonly reader?: OptionReader;
}

/** The program that would read a value with a leading dash as an option. */
export interface OptionReader {
  /** The program in messages: "`tar`". */
  readonly program: string;
  /**
   * How a definition can pass the value on if the program does not know `--`: "in one word with the option before it".
   */
  readonly instead?: string;
}

/** A program that reads a value as the name of a file, if the value begins so. */
export interface FileReader {
  /** The program and its option in messages: "`curl -d`". */
  readonly program: string;
  readonly starts: readonly string[];
  /** What makes it a file anywhere in the value. */
  readonly holds?: readonly string[];
  /** A pattern of program texts that name files. A group has what to say. */
  readonly pattern?: string;
  /** How a definition passes such a value on: "with `--data-raw`". */
  readonly instead: string;
}

export interface WordPlaceholder {
  readonly placeholder: string;
  readonly file?: FileReader;
  /** The words that a present value becomes. Their own placeholder is called `value`. */
  readonly flag?: readonly Word[];
  /** Set if the words of `flag` stand in the command, as in `--env {env}`, and not with the parameter. */
  readonly hasOwnOption?: true;
  /** Set if an array is one word, as JSON. */
  readonly isWhole?: true;
  /** Set if the value begins a word of a script within this word, where it must not begin with `-`. */
  readonly startsInner?: true;
}

export interface ShellCommand {
  readonly kind: "shell";
  readonly shell: Shell;
  /** The script as written, with the places of values between its texts. */
  readonly parts: readonly (string | ShellPlaceholder)[];
  /**
   * Set if the script changes or reads `$1` (`set`, functions, `"$@"`), so that values are moved to variables before it
   * starts.
   */
  readonly movesPositions?: true;
  /**
   * Set if every value is data for its program, as in `DirectCommand` without `mayRun`: what the programs do besides
   * reading, by their manuals.
   */
  readonly does?: DirectCommand["does"];
  /** Values that may be more than data. */
  readonly mayRun?: DirectCommand["mayRun"];
  readonly needs?: EnvironmentNeeds;
}

export interface ShellPlaceholder {
  readonly placeholder: string;
  /** The quotes around it. */
  readonly quoting: "bare" | "double" | "single";
  /** Whether the placeholder is a whole word: an absent value leaves nothing, and an array becomes several words. */
  readonly isWholeWord: boolean;
  /**
   * Whether it begins a word, here or where the script passes it on, so that a leading dash would be read as an option.
   */
  readonly startsWord: boolean;
  /** Placeholders before it in its word. It begins the word only if they are all empty. */
  readonly behind?: readonly string[];
  /** Whether every program that reads it takes it as an operand, mostly because of a literal `--` before it. */
  readonly isAfterDashes: boolean;
  /** Absent if it is not known. */
  readonly reader?: OptionReader;
  readonly file?: FileReader;
  /**
   * What the value stands for in PowerShell if it is not a word of a program: a value of an expression, which has a
   * type, or an argument of a cmdlet.
   */
  readonly standsFor?: "value" | "argument";
  /** Set if the program takes words that begin with `/` as options, even after `--`. */
  readonly takesSlash?: true;
  readonly flag?: readonly Word[];
  /** As in `WordPlaceholder`. */
  readonly hasOwnOption?: true;
}

export interface PlatformCommand {
  /** If absent, every platform. The most specific one wins. */
  readonly platform?: PlatformChoice;
  readonly command: CommandTemplate;
}
