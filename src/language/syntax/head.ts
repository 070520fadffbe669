// The first word of a line, as the grammar's `head` reads it, and the annotation that begins there.
import { partOfRule } from "./grammar.ts";
import { mappedText, type Range } from "./mapped-text.ts";

/** The limit of a keyword; a longer first word is none. */
const HEAD_CHARACTERS_MAX = 200;
export interface Head {
  readonly keyword: string;
  /** Offsets into the head. */
  readonly qualifier?: Range;
  readonly length: number;
}

/**
 * Splits a line into an annotation's keyword and text. Returns undefined if it only looks like an annotation, such as
 * `@param{string}`.
 */
export function headOf(text: string): Head | undefined {
  if (text.length > HEAD_CHARACTERS_MAX) return undefined;
  const part = partOfRule("head", mappedText({ path: "", text }, [{ start: 0, end: text.length }]));
  const keyword = part?.parts.find((inner) => inner.rule === "keyword");
  if (!keyword) return undefined;
  const qualifier = part?.parts.find((inner) => inner.rule === "qualifierName")?.text.span;
  return {
    keyword: keyword.text.text,
    length: text.length,
    ...(qualifier ? { qualifier: { start: qualifier.start, end: qualifier.end } } : {}),
  };
}
