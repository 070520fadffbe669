// The place of a placeholder in a script for PowerShell or cmd.exe, and the result of reading such a script.
import type { ShellPlaceholder } from "../../core/tool/command.ts";
import type { CommandWord, PlaceholderPiece, ReadScript } from "../../core/shell/pieces.ts";

export interface WindowsPlace {
  /** Whether the placeholder is a whole word without quotes, where the number of words may vary. */
  readonly isWholeWord: boolean;
  /** Whether the value begins a word that its program may read as an option. */
  readonly startsWord: boolean;
  /** Names of the values before this one in its word. */
  readonly behind: readonly string[];
  readonly isAfterDashes: boolean;
  /** What the value stands for in PowerShell, if it is not a word of a program. */
  readonly standsFor?: NonNullable<ShellPlaceholder["standsFor"]>;
  /** Set if the program takes a word that begins with `/` as an option, even after `--`. */
  readonly takesSlash?: true;
  /** Set if the value is next to other text, without quotes. */
  readonly isGlued?: true;
  /** Why the value would not arrive, or not as one word. */
  readonly problem?: PlaceProblem;
}

interface PlaceProblem {
  readonly note: string;
  readonly help: readonly string[];
}

/** The part of a script that cannot be read, and where it begins. */
export interface WindowsTrouble {
  /** The kind `unread` is a part of the language whose rules are not followed here. */
  readonly kind: "unclosed" | "too-deep" | "unread";
  readonly start: number;
  readonly opener: string;
}

/** A string in single quotes, with them. */
export interface SingleQuoted {
  readonly start: number;
  readonly end: number;
  /** Whether it is `@'…'@`. */
  readonly isHere: boolean;
}

export interface WindowsScript extends ReadScript {
  /** The script as written, with `{{name}}` reduced and placeholders between the texts. */
  readonly parts: readonly (string | PlaceholderPiece)[];
  readonly places: ReadonlyMap<PlaceholderPiece, WindowsPlace>;
  /** PowerShell's strings in single quotes, in the order written. */
  readonly singles: readonly SingleQuoted[];
  readonly trouble?: WindowsTrouble;
}

/** The limit of names before a value; after more, a leading dash is always refused. */
const BEHIND_MAX = 16;

/** Returns the placeholders in the word, and for each whether it may begin the word. */
export function startsIn({ pieces }: CommandWord): readonly {
  readonly piece: PlaceholderPiece;
  readonly startsWord: boolean;
  readonly behind: readonly string[];
}[] {
  let startsWord = true;
  let behind: readonly string[] = [];
  return pieces.flatMap((piece) => {
    if (piece.kind === "text" && piece.text !== "") startsWord = false;
    if (piece.kind !== "placeholder") return [];
    const found = { piece, startsWord, behind };
    if (!behind.includes(piece.name)) behind = behind.length < BEHIND_MAX ? [...behind, piece.name] : [];
    return [found];
  });
}

/** Guards a value that reaches several words through a variable, if one of these words needs it. */
export function guardedAgain(
  before: WindowsPlace,
  { startsWord, isAfterDashes }: Pick<WindowsPlace, "startsWord" | "isAfterDashes">,
): Pick<WindowsPlace, "startsWord" | "isAfterDashes"> {
  if (!startsWord) return { startsWord: before.startsWord, isAfterDashes: before.isAfterDashes };
  return { startsWord, isAfterDashes: isAfterDashes && (!before.startsWord || before.isAfterDashes) };
}

export const inText: WindowsPlace = { isWholeWord: false, startsWord: false, behind: [], isAfterDashes: false };

export function gluedProblem(name: string): PlaceProblem {
  return { note: "joined to other text", help: [`put the whole word in double quotes: \`"…{${name}}…"\``] };
}
