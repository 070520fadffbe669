// Places in sources: files, ranges in them, and positions as people count them.

export interface SourceFile {
  /** The path as shown to people: relative to the working folder where that is shorter. */
  readonly path: string;
  readonly text: string;
}

/** Half-open range of UTF-16 offsets into `source.text`. */
export interface Span {
  readonly source: SourceFile;
  readonly start: number;
  readonly end: number;
}

export interface Spanned<T> {
  readonly value: T;
  readonly span: Span;
}

interface Position {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
  /** The whole line, without its line end. */
  readonly lineText: string;
}

export function positionOf(source: SourceFile, offset: number): Position {
  const { text } = source;
  const starts = lineStartsUpTo(source, offset);
  let line = 1;
  for (let end = starts.length; line < end; ) {
    const middle = (line + end + 1) >>> 1;
    if ((starts[middle - 1] ?? 0) <= offset) line = middle;
    else end = middle - 1;
  }
  const start = starts[line - 1] ?? 0;
  const end = text.indexOf("\n", offset);
  return {
    line,
    column: offset - start + 1,
    lineText: text.slice(start, end === -1 ? undefined : end).replace(/\r$/, ""),
  };
}

/** Line starts found so far. Most callers only need a place near the start. */
const lineStarts = new WeakMap<SourceFile, number[]>();

function lineStartsUpTo(source: SourceFile, offset: number): readonly number[] {
  const starts = lineStarts.get(source) ?? [0];
  lineStarts.set(source, starts);
  for (let last = starts.at(-1) ?? 0; last <= offset; ) {
    const end = source.text.indexOf("\n", last);
    if (end === -1) break;
    last = end + 1;
    starts.push(last);
  }
  return starts;
}
