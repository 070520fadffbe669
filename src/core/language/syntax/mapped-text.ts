// Makes text from ranges of a source that can map its characters to the source.
import type { SourceFile } from "../../text/source.ts";
import type { MappedText } from "./ast.ts";

/** Half-open range of offsets into the source. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

/** Joins ranges of a source. There is at least one; they are in order and do not overlap. */
export function mappedText(
  source: SourceFile,
  ranges: readonly [SourceRange, ...SourceRange[]],
  separator = "",
): MappedText {
  const [first, ...others] = ranges;
  if (others.length === 0) return rangeText(source, first);
  const starts: number[] = [];
  const texts: string[] = [];
  let length = 0;
  for (const range of ranges) {
    starts.push(length);
    texts.push(source.text.slice(range.start, range.end));
    length += range.end - range.start + separator.length;
  }
  const end = ranges.at(-1)?.end ?? first.end;
  return {
    text: texts.join(separator),
    span: { source, start: first.start, end },
    offsetAt(index) {
      const at = lastAtMost(starts, index);
      const range = ranges[at] ?? first;
      // A separator maps to the end of the range before it.
      return Math.min(range.end, range.start + index - (starts[at] ?? 0));
    },
  };
}

function rangeText(source: SourceFile, range: SourceRange): MappedText {
  return {
    text: source.text.slice(range.start, range.end),
    span: { source, start: range.start, end: range.end },
    offsetAt: (index) => range.start + index,
  };
}

function lastAtMost(sorted: readonly number[], wanted: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] ?? 0) <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns `text[start, end)` with its mapping to the source. */
export function sliced(mapped: MappedText, start: number, end = mapped.text.length): MappedText {
  const from = mapped.offsetAt(start);
  const to = end > start ? mapped.offsetAt(end - 1) + 1 : from;
  return {
    text: mapped.text.slice(start, end),
    span: { source: mapped.span.source, start: from, end: to },
    offsetAt: (index) => mapped.offsetAt(start + index),
  };
}

/** Returns the text without spaces and tabs at both ends. */
export function trimmed(mapped: MappedText): MappedText {
  const text = mapped.text;
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return start === 0 && end === text.length ? mapped : sliced(mapped, start, end);
}

/** Joins two texts with a line break. */
export function stacked(upper: MappedText, lower: MappedText): MappedText {
  const split = upper.text.length;
  return {
    text: `${upper.text}\n${lower.text}`,
    span: { source: upper.span.source, start: upper.span.start, end: lower.span.end },
    offsetAt: (index) => (index <= split ? upper.offsetAt(index) : lower.offsetAt(index - split - 1)),
  };
}

/** Whether the character is a blank: a space or a tab, and nothing else. */
export function isBlank(character: number): boolean {
  return character === 32 || character === 9;
}
