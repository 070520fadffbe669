// A pattern for a whole text: `*` matches any characters, `?` one, and `\` escapes. Rules that refuse match loosely,
// rules that allow match exactly.

/** `loosely` ignores case, white space, Unicode forms of one character, and invisible characters. */
export type Strictness = "exactly" | "loosely";

export interface TextPattern {
  readonly written: string;
  /** Whether it matches only the text itself. */
  readonly isLiteral: boolean;
  matches(text: string, strictness: Strictness): boolean;
}

export function textPattern(written: string): TextPattern {
  const exact = piecesOf(written);
  const loose = piecesOf(folded(written));
  return {
    written,
    isLiteral: exact.length === 1 && exact[0]?.every((unit) => unit !== ANY_ONE) === true,
    matches: (text, strictness) =>
      strictness === "exactly" ? covers(exact, text) : covers(loose, folded(text)) || covers(exact, text),
  };
}

export function unescapedText(written: string): string {
  return written.replaceAll(/\\(.)/gsu, "$1");
}

/** The last folded text, because the same value is compared with many patterns in a row. */
let last = { text: "", folded: "" };

export function folded(text: string): string {
  if (text !== last.text) last = { text, folded: fold(text) };
  return last.folded;
}

function fold(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()
    .replaceAll(/\s+/gu, " ")
    .trim();
}

const ANY_ONE = "";

/** The parts between the `*`: characters, and `ANY_ONE`. */
type Pieces = readonly (readonly string[])[];

function piecesOf(written: string): Pieces {
  const pieces: string[][] = [[]];
  for (const [part, escaped] of written.matchAll(/\\(.)|[\s\S]/gsu)) {
    const last = pieces.at(-1) ?? [];
    if (escaped !== undefined) last.push(escaped);
    else if (part === "*") pieces.push([]);
    else last.push(part === "?" ? ANY_ONE : part);
  }
  // `**` is the same as `*`.
  return pieces.filter((piece, index) => piece.length > 0 || index === 0 || index === pieces.length - 1);
}

function covers(pieces: Pieces, text: string): boolean {
  const characters = [...text];
  const [first = [], ...rest] = pieces;
  if (!standsAt(first, characters, 0)) return false;
  if (rest.length === 0) return first.length === characters.length;
  const last = rest.at(-1) ?? [];
  const end = characters.length - last.length;
  let at = first.length;
  for (const piece of rest.slice(0, -1)) {
    const found = firstPlace(piece, characters, { from: at, end });
    if (found === undefined) return false;
    at = found + piece.length;
  }
  return end >= at && standsAt(last, characters, end);
}

/** `end` is where the following part must begin. */
function firstPlace(
  piece: readonly string[],
  characters: readonly string[],
  { from, end }: { readonly from: number; readonly end: number },
): number | undefined {
  for (let at = from; at + piece.length <= end; at++) if (standsAt(piece, characters, at)) return at;
  return undefined;
}

function standsAt(piece: readonly string[], characters: readonly string[], at: number): boolean {
  return (
    at + piece.length <= characters.length &&
    piece.every((unit, index) => unit === ANY_ONE || unit === characters[at + index])
  );
}
