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
  const exact = unitsOf(written);
  const loose = unitsOf(folded(written));
  return {
    written,
    isLiteral: exact.every((unit) => unit !== ANY && unit !== ANY_ONE),
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

const ANY = "**";
const ANY_ONE = "";

/** Returns characters, `ANY` and `ANY_ONE`. */
function unitsOf(written: string): readonly string[] {
  return [...written.matchAll(/\\(.)|[\s\S]/gsu)].map(
    ([part, escaped]) => escaped ?? (part === "*" ? ANY : part === "?" ? ANY_ONE : part),
  );
}

/** Tries again behind the last `ANY` alone, so it takes no longer than the text times the pattern. */
function covers(units: readonly string[], text: string): boolean {
  const characters = [...text];
  let [at, unit, any, from] = [0, 0, -1, 0];
  while (at < characters.length) {
    if (units[unit] === ANY) [any, from, unit] = [unit, at, unit + 1];
    else if (unit < units.length && (units[unit] === ANY_ONE || units[unit] === characters[at]))
      [at, unit] = [at + 1, unit + 1];
    else if (any === -1) return false;
    else [from, at, unit] = [from + 1, from + 1, any + 1];
  }
  return units.slice(unit).every((one) => one === ANY);
}
