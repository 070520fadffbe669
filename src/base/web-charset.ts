// Bytes of a page as text, in the order of the HTML standard: byte order mark, header, the declaration in the page;
// then UTF-8 if the bytes are UTF-8, else windows-1252, which has a character for every byte.

export interface CharsetClues {
  /** The charset of the `Content-Type` header. */
  readonly charset?: string;
  /** HTML and XML name their encoding in their first bytes. */
  readonly hasDeclaration: boolean;
}

const MARKS: readonly (readonly [bytes: readonly number[], label: string])[] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xfe, 0xff], "utf-16be"],
  [[0xff, 0xfe], "utf-16le"],
];
/** The bytes in which the HTML standard looks for a declaration. */
const DECLARATION_BYTES = 1_024;

export function decodeText(bytes: Uint8Array, clues: CharsetClues): string {
  const mark = MARKS.find(([start]) => start.every((byte, at) => bytes[at] === byte));
  const labels = [mark?.[1], clues.charset, clues.hasDeclaration ? declaredCharset(bytes) : undefined];
  for (const label of labels) {
    const decoder = label === undefined ? undefined : decoderOf(label, false);
    if (decoder) return decoder.decode(bytes);
  }
  try {
    // With `stream`, a character cut by the size limit does not rule out UTF-8.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function declaredCharset(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder("windows-1252").decode(bytes.subarray(0, DECLARATION_BYTES));
  const xml = /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(start)?.[1];
  const meta = /<meta\s[^>]{0,400}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(start)?.[1];
  const label = xml ?? meta;
  // The declaration was read byte by byte, so the page is not UTF-16.
  return label !== undefined && /^utf-?16/i.test(label) ? "utf-8" : label;
}

/** Returns undefined for a label that no standard knows. */
function decoderOf(label: string, fatal: boolean): TextDecoder | undefined {
  try {
    return new TextDecoder(label, { fatal });
  } catch {
    return undefined;
  }
}
