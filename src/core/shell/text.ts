// What the text of a word is made of (values, variables, the output of commands), and which of these it can begin with.
import type {
  CommandGroup,
  CommandPiece,
  CommandWord,
  ExpansionPiece,
  PlaceholderPiece,
  SimpleCommand,
} from "./pieces.ts";

/** A value, a variable by its name, or the output of a command or a group. */
export type Source = PlaceholderPiece | string | SimpleCommand | CommandGroup;

export interface Text {
  /** What the text may begin with. With `isCut`, it may begin with any part of that, as after `${x#…}`. */
  readonly starts: readonly { readonly source: Source; readonly isCut: boolean }[];
  readonly holds: readonly Source[];
}

/** An assignment: `target` may hold the text afterwards. */
export interface Transfer {
  readonly target: Source;
  readonly text: Text;
}

export interface TextContext {
  /** The name that stands for `$1`, `$@` and the like in this script. */
  readonly positional: string;
  /** Whether the piece is a value of the tool; other braces are text. */
  isValue(piece: PlaceholderPiece): boolean;
  /** Whether the text of the piece begins with the value, rather than with the text of a flag. */
  beginsWord(piece: PlaceholderPiece): boolean;
}

/** Stands for every variable of the script; no variable has this name. */
export const ANYTHING = "*";

export const noText: Text = { starts: [], holds: [] };

export function isPiece(source: Source): source is PlaceholderPiece {
  return typeof source === "object" && "quoting" in source;
}

export function joinedTexts(texts: readonly Text[]): Text {
  return { starts: texts.flatMap(({ starts }) => starts), holds: texts.flatMap(({ holds }) => holds) };
}

/** Returns a text that may begin with any part of what it holds. */
export function cutText(...texts: readonly Text[]): Text {
  const holds = texts.flatMap((text) => text.holds);
  return { starts: holds.map((source) => ({ source, isCut: true })), holds };
}

export function textFrom(source: Source): Text {
  return { starts: [{ source, isCut: false }], holds: [source] };
}

/**
 * Returns the text of a word. With `splits`, text without quotes may become several words on purpose, as in `for x in
 * $list`.
 */
export function wordText({ pieces }: CommandWord, context: TextContext, splits = false): Text {
  const made: Text[] = [];
  let isOpen = true;
  for (const piece of pieces) {
    const text = pieceText(piece, context, splits);
    const isSeveral = piece.kind === "expansion" && isList(piece);
    made.push(
      isOpen || isSeveral || (splits && piece.kind === "expansion" && !piece.isQuoted)
        ? text
        : { starts: [], holds: text.holds },
    );
    if (piece.kind === "text" ? piece.text !== "" : piece.kind === "placeholder" && !context.isValue(piece))
      isOpen = false;
  }
  return joinedTexts(made);
}

function pieceText(piece: CommandPiece, context: TextContext, splits: boolean): Text {
  switch (piece.kind) {
    case "text":
      return noText;
    case "placeholder":
      return context.isValue(piece)
        ? context.beginsWord(piece)
          ? textFrom(piece)
          : { starts: [], holds: [piece] }
        : noText;
    case "expansion": {
      const text = expansionText(piece, context, splits);
      return splits && !piece.isQuoted && !piece.items ? cutText(text) : text;
    }
  }
}

/** Whether the expansion is a list, `"$@"` or `${list[@]}`: each of its words begins with a value. */
function isList({ text }: ExpansionPiece): boolean {
  return /^\$\{?@|^\$\{[A-Za-z_]\w*\[@\]/.test(text);
}

/** Matches a variable with its operation: `${x#…}`. */
const EXPANDED = /^\$\{?(?:\(([^)]*)\))?([!#=~^+]*)([A-Za-z_]\w*|[0-9]+|[@*])((?:\[[^\]]*\])?)(.*)$/s;
/** Operations that leave the beginning as it is: `%…`, `^`, `,`, `@Q`, and zsh's `:h`, which leaves a folder. */
const KEEPS_START = /^(?:%|\^|,|@|:h|:0:|:0$)/;
/** Matches a text used instead of a variable or beside it. */
const DEFAULT = /^:?([-=?+])/;

function expansionText(piece: ExpansionPiece, context: TextContext, splits: boolean): Text {
  const { text, items, group, inside } = piece;
  if (items) return joinedTexts(items.map((item) => wordText(item, context, true)));
  if (group) return /^[<>=]\(/.test(text) ? noText : textFrom(group);
  if (/^\$(?:\[|\(\()/.test(text)) return noText;
  const [, flags = "", marks = "", name = "", subscript = "", after = ""] = EXPANDED.exec(text) ?? [];
  if (name === "" || name === "0" || (marks.includes("#") && after.startsWith("}"))) return noText;
  // `${!name}` is the variable that another one names.
  const isNamed = (marks.includes("!") && !/^\[[@*]\]/.test(subscript)) || flags.includes("P");
  const source = textFrom(isNamed ? ANYTHING : /^[1-9@*]/.test(name) ? context.positional : name);
  const rest = after.replace(/\}$/, "");
  const more = inside ? joinedTexts(inside.pieces.map((one) => pieceText(one, context, splits))) : noText;
  const [, sign] = DEFAULT.exec(rest) ?? [];
  if (sign === "+") return more;
  if (sign !== undefined) return joinedTexts([source, more]);
  const keepsStart = rest === "" || KEEPS_START.test(rest) || (isList(piece) && rest.startsWith(":"));
  return keepsStart && flags.replace("P", "") === "" && !/[=~]/.test(marks)
    ? { starts: source.starts, holds: [...source.holds, ...more.holds] }
    : cutText(source, more);
}

/** Returns what a shell splits at spaces and expands as a pattern, because it is outside of quotes. */
export function unquotedIn({ pieces }: CommandWord, splitsVariables: boolean): readonly ExpansionPiece[] {
  return pieces.filter(
    (piece): piece is ExpansionPiece =>
      piece.kind === "expansion" && !piece.isQuoted && !piece.items && isSplit(piece, splitsVariables),
  );
}

function isSplit({ text, group, inside }: ExpansionPiece, splitsVariables: boolean): boolean {
  if (/^[<>=]\(/.test(text)) return false;
  if (!splitsVariables && !group) return false;
  // `${x:+--name "$x"}` has quotes in its text.
  return !(inside && /^\$\{[^:+]*:?\+/.test(text) && isQuotedInside(inside));
}

function isQuotedInside({ pieces }: CommandWord): boolean {
  let quotes = 0;
  return pieces.every((piece) => {
    if (piece.kind === "text") quotes += piece.text.split('"').length - 1;
    return piece.kind === "text" || quotes % 2 === 1;
  });
}
