// A value where it must not be, and what the searches for such places know.
import type { Shell, WindowsShell } from "../tool/command.ts";
import type { CommandWord, PlaceholderPiece } from "./pieces.ts";
import type { AlsoPlain } from "./shell-safe.ts";
import type { Carried, Flow } from "./taint.ts";

/**
 * Whether the shell is PowerShell or cmd.exe. Their readers find what these do themselves, and the built-ins of other
 * shells do not apply.
 */
export function isWindowsShell(shell: Shell): shell is WindowsShell {
  return shell === "pwsh" || shell === "cmd";
}

/** A value where it must not be, and the reason. */
export interface Danger extends Carried {
  readonly note: string;
  readonly help: readonly string[];
  readonly isProgram?: true;
  /** Whether a plain word is what an author most likely means here. */
  readonly isPlain?: true;
  /** Whether the program takes values beside its filter, as `jq --arg` does. */
  readonly takesArg?: true;
}

export interface HazardContext {
  readonly flow: Flow;
  readonly shell: Shell;
  readonly aliases: ReadonlyMap<string, readonly CommandWord[]>;
  /** A value that a program may read from its input. */
  readonly fed?: PlaceholderPiece | undefined;
  /** Also numbers and choices; not what the author declares as program text. */
  everything(): Flow;
  /** The flow of values without those whose pattern allows only letters, digits, `_ . -` and what `also` names. */
  wild(also?: AlsoPlain): Flow;
  /** Whether the word may be missing or become several, because a value is absent or a variable is empty. */
  mayVanish(word: CommandWord): boolean;
  /** Whether the word is a list, of which an option takes only the first item. */
  isList(word: CommandWord): boolean;
  /** Whether the word may become several. */
  spreads(word: CommandWord): boolean;
  /** Whether the piece is a value that may be any option: `[flags]`. */
  isFlags(piece: PlaceholderPiece): boolean;
  /** Whether the value can hold only letters, digits, `_`, `.` and what `also` names. */
  isPlainWord(piece: PlaceholderPiece, also: AlsoPlain): boolean;
  /** Whether plain words are only data in a script that another program reads; its placeholders are `{name}`. */
  isDataIn(text: string, isZsh: boolean): boolean;
  /**
   * Returns the dangers of the values in `words` for a script that can use them: as `$1`, as variables and, if it is
   * fed, as input.
   */
  inner(text: string, words: readonly CommandWord[], reader: InnerReader): readonly Danger[];
}

/** The reader of a script within a script. */
interface InnerReader {
  readonly isZsh: boolean;
  /** Whether a value may come in as its input. */
  readonly isFed: boolean;
}

export const absenceHelp =
  'make the parameter before it required, give it a default, or tie its option to it with `flag="--option {value}"`; put `"…"` around variables';
