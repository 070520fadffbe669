// The text of a YAML scalar, in which every character knows its place, despite quotes, escapes, indents and folded
// lines.
import type { SourceFile } from "../../core/text/source.ts";
import type { MappedText } from "../../core/language/syntax/ast.ts";
import type { SourceRange } from "../../core/language/syntax/mapped-text.ts";

export type ScalarStyle = "plain" | "single" | "double" | "block";

interface WrittenScalar {
  /** The text that the scalar means. */
  readonly value: string;
  readonly style: ScalarStyle;
  /** The range with its quotes, or from the `|` on. */
  readonly range: SourceRange;
}

export function scalarText(source: SourceFile, { value, style, range }: WrittenScalar): MappedText {
  const span = { source, start: range.start, end: Math.max(range.start, range.end) };
  const inner = style === "single" || style === "double" ? range.start + 1 : range.start;
  const innerEnd = style === "single" || style === "double" ? Math.max(inner, range.end - 1) : range.end;
  if (source.text.slice(inner, innerEnd) === value)
    return { text: value, span: { source, start: inner, end: innerEnd }, offsetAt: (index) => inner + index };
  const start = style === "block" ? lineAfter(source.text, range) : inner;
  let offsets: readonly number[] | undefined;
  // Computed when asked for, because few texts need places.
  const places = (): readonly number[] =>
    (offsets ??=
      style === "block"
        ? blockPlaces(source.text, value, { start, end: range.end })
        : flowPlaces(source.text, value, { style, start, end: innerEnd }));
  return {
    text: value,
    span,
    offsetAt: (index) =>
      index < value.length
        ? (places()[index] ?? span.end)
        : index === 0
          ? span.start
          : Math.min(span.end, (places()[value.length - 1] ?? span.end - 1) + 1),
  };
}

function lineAfter(text: string, { start, end }: SourceRange): number {
  const newline = text.indexOf("\n", start);
  return newline === -1 || newline >= end ? end : newline + 1;
}

/**
 * Returns the places in a block. A line of a literal block ends like a line of the source, and one of a folded block is
 * several lines.
 */
function blockPlaces(text: string, value: string, range: SourceRange): readonly number[] {
  const places: number[] = [];
  let at = range.start;
  for (const line of value.split("\n")) {
    const end = lineEnd(text, at, range.end);
    const written = text.slice(at, end).replace(/\r$/, "");
    if (written.endsWith(line)) {
      const from = at + written.length - line.length;
      for (let index = 0; index <= line.length; index++) places.push(from + index);
      at = Math.min(range.end, end + 1);
    } else {
      const folded = flowPlaces(text, line, {
        style: "plain",
        start: at + (/^[ \t]*/.exec(written)?.[0].length ?? 0),
        end: range.end,
      });
      // Not a spread, because a call takes only some thousands of arguments.
      for (const place of folded) places.push(place);
      const last = folded.at(-1) ?? at;
      const lastEnd = lineEnd(text, last, range.end);
      places.push(lastEnd);
      at = Math.min(range.end, lastEnd + 1);
    }
  }
  return places;
}

function lineEnd(text: string, from: number, end: number): number {
  const newline = text.indexOf("\n", from);
  return newline === -1 || newline > end ? end : newline;
}

const BLANK = /[ \t\r\n]/;
/**
 * Matches escapes in double quotes: `
 * `, `\x41`, `\u00e9`, `\U0001f600`, and an escaped line break, which means nothing.
 */
const ESCAPE = /\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|\r?\n|[^])/y;

/**
 * Finds places character by character: characters other than blanks have the same order in both, and any run of blanks
 * may replace another.
 */
function flowPlaces(
  text: string,
  value: string,
  { style, start, end }: SourceRange & { readonly style: ScalarStyle },
): readonly number[] {
  const places: number[] = [];
  let at = start;
  const escapeAt = (): number => {
    if (style === "single" && text.startsWith("''", at)) return 2;
    if (style !== "double" || text[at] !== "\\") return 0;
    ESCAPE.lastIndex = at;
    return ESCAPE.exec(text)?.[0].length ?? 0;
  };
  for (let index = 0; index < value.length; index++) {
    if (!BLANK.test(value[index] ?? "")) {
      while (
        at < end &&
        (BLANK.test(text[at] ?? "") ||
          (style === "double" && /\\\r?\n/y.test(text.slice(at, at + 3)) && text[at] === "\\"))
      )
        at++;
    }
    places.push(Math.min(at, end));
    if (isHighHalf(value, index) && text[at] === "\\") continue;
    at = Math.min(end, at + (escapeAt() || 1));
  }
  return places;
}

/** Whether this is the first of the two UTF-16 units of a character, for which there may be one escape. */
function isHighHalf(value: string, index: number): boolean {
  const code = value.charCodeAt(index);
  return code >= 0xd800 && code < 0xdc00;
}
