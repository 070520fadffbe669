// A here-document: `<<WORD` and the lines that follow it.

export interface HereDocument {
  readonly start: number;
  /** The offset after `<<WORD`. */
  readonly end: number;
  /** The delimiter without its quotes. */
  readonly delimiter: string;
  readonly stripsTabs: boolean;
  /** Whether the delimiter is in quotes, so that nothing in the text is expanded. */
  readonly isLiteral: boolean;
}

const OPENING = /<<(-?)[ \t]*((?:'[^'\n]*'|"[^"\n]*"|\\.|[^\s;&|<>()'"\\])+)/y;

export function hereDocumentAt(text: string, start: number): HereDocument | undefined {
  OPENING.lastIndex = start;
  const match = OPENING.exec(text);
  if (!match) return undefined;
  return {
    start,
    end: start + match[0].length,
    delimiter: (match[2] ?? "").replaceAll(/['"\\]/g, ""),
    stripsTabs: match[1] === "-",
    isLiteral: /['"\\]/.test(match[2] ?? ""),
  };
}

/** Finds the text of a here-document. `from` is where the line after the command begins. */
export function hereDocumentBody(
  text: string,
  from: number,
  document: HereDocument,
): { readonly end: number; readonly isClosed: boolean } {
  let at = from;
  while (at < text.length) {
    const newline = text.indexOf("\n", at);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(at, end);
    if ((document.stripsTabs ? line.replace(/^\t+/, "") : line) === document.delimiter)
      return { end: Math.min(end + 1, text.length), isClosed: true };
    at = end + 1;
  }
  return { end: text.length, isClosed: false };
}
