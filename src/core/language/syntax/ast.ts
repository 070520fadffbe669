// The result of parsing, which accepts every text. Names are not resolved yet.
import type { Parameter } from "../../schema/parameter.ts";
import type { SourceFile, Span } from "../../text/source.ts";

export interface ToolFile {
  readonly source: SourceFile;
  /** All text before the first annotation, trimmed; paragraphs kept. */
  readonly description: MappedText;
  readonly annotations: readonly Annotation[];
  /** Lines that begin like an annotation but match no rule, such as `@param{string} x`, with their continuations. */
  readonly oddLines: readonly MappedText[];
  /** Text after a blank line that starts no annotation. */
  readonly strayText: readonly MappedText[];
}

export interface Annotation {
  /** The keyword without `@`, for example `param`. */
  readonly keyword: string;
  /** Another name of it, if the author wrote that: `arg`. */
  readonly written?: string;
  /** The range of the keyword with its `@`. */
  readonly keywordSpan: Span;
  /** The text in parentheses after the keyword, as in `@command(windows)`. */
  readonly qualifier?: MappedText;
  /** The rest of the line and its continuations, joined with one blank and trimmed. */
  readonly text: MappedText;
  /** Deeper-indented lines, without the common indent. Only for keywords that take a body. */
  readonly body?: MappedText;
  /** The whole annotation with its body. */
  readonly span: Span;
}

/** A parameter and the place of its name, for messages that point at it. */
export interface Declaration {
  readonly parameter: Parameter;
  readonly span: Span;
  /** Set for `WORKSPACE`, `TEMP_DIR` and `TOOL_NAME` where they are not the author's own: no caller decides them. */
  readonly isOfRun?: true;
}

/** Text that knows the offset of each of its characters in the source. */
export interface MappedText {
  readonly text: string;
  /** The range from the first to the last character in the source. */
  readonly span: Span;
  /** Returns the offset in the source of the character at `index` of `text`; `text.length` gives the end. */
  offsetAt(index: number): number;
}

/** Returns the span of `text[start, end)` in the source. */
export function spanWithin(mapped: MappedText, start: number, end: number): Span {
  const from = mapped.offsetAt(start);
  return { source: mapped.span.source, start: from, end: end > start ? mapped.offsetAt(end - 1) + 1 : from };
}
