// Where things are written: files, ranges in them, and positions as a person counts them.

export interface SourceFile {
  /** As shown to people: relative to the working directory where that is shorter. */
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

export interface Position {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
  /** The whole line, without its line end. */
  readonly lineText: string;
}

export function positionOf(source: SourceFile, offset: number): Position {
  const text = source.text;
  const start = offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", offset);
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < start; at = text.indexOf("\n", at + 1)) line++;
  return { line, column: offset - start + 1, lineText: text.slice(start, end === -1 ? undefined : end).replace(/\r$/, "") };
}
