// Text from outside, made safe to show: visible text stays, and characters that would move a terminal's cursor or hide
// from a reader are removed.

/** Control characters except tabs and line ends, and the invisible tag characters (U+E0000 to U+E007F). */
const NOT_SHOWN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u{e0000}-\u{e007f}]/gu;

export function shownText(text: string): string {
  return text.replaceAll(NOT_SHOWN, "");
}

/** Returns the text on one line, cut at `charactersMax`. */
export function shownLine(text: string, charactersMax: number): string {
  const line = shownText(text.replaceAll(/\s+/g, " ")).trim();
  return line.length > charactersMax ? `${line.slice(0, charactersMax)}…` : line;
}
