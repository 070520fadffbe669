// What `@command` and `@script` become at load: words, or a script with the places where values are referred to.
// A value never becomes program text: see ../../grammar/README.md and base/bind-command.ts.

export type Shell = "sh" | "bash" | "zsh" | "pwsh" | "cmd";
export type Platform = "linux" | "macos" | "windows";
/** `unix` is Linux and macOS. */
export type PlatformChoice = Platform | "unix";

export type CommandTemplate = DirectCommand | ShellCommand;

/** Run without a shell: `words[0]` is the program and is literal. */
export interface DirectCommand {
  readonly kind: "direct";
  readonly words: readonly Word[];
}

/**
 * One word, or, when it is a lone array or a lone placeholder with `flag`, 0…n words. A lone placeholder without a value leaves no word.
 * A placeholder alone in quotes has an empty text before it: it is a word whatever its value.
 */
export interface Word {
  readonly parts: readonly (string | WordPlaceholder)[];
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
  /** The quotes it stands in. */
  readonly quoting: "bare" | "double" | "single";
  /** It is a whole word: an absent value leaves nothing, an array becomes several words. */
  readonly isWholeWord: boolean;
  /** It begins a word, so a leading dash would be read as an option. */
  readonly startsWord: boolean;
  /** Placeholders before it in its word: it begins the word only where they are all empty. */
  readonly behind?: readonly string[];
  /** A literal `--` stands before it in the same command. */
  readonly isAfterDashes: boolean;
  readonly flag?: readonly Word[];
}

export interface PlatformCommand {
  /** Absent: every platform. The most specific wins. */
  readonly platform?: PlatformChoice;
  readonly command: CommandTemplate;
}
