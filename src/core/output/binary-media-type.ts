// Whether bytes are text, told by how they begin.

/** The beginning of a stream that tells its format. */
export const HEAD_BYTES_MAX = 8 * 1024;

// Sources: the formats' own documents. https://en.wikipedia.org/wiki/List_of_file_signatures lists them together.
const signatures: readonly (readonly [mediaType: string, start: string])[] = [
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF87a"],
  ["image/gif", "GIF89a"],
  ["application/pdf", "%PDF-"],
  ["application/zip", "PK\x03\x04"],
  ["application/gzip", "\x1f\x8b"],
  ["application/zstd", "\x28\xb5\x2f\xfd"],
  ["application/x-xz", "\xfd7zXZ\x00"],
  ["application/x-bzip2", "BZh"],
  ["application/x-executable", "\x7fELF"],
  ["application/wasm", "\x00asm"],
  ["application/vnd.sqlite3", "SQLite format 3\x00"],
];

/**
 * Returns the kind of bytes that are not text. Undefined for text, also for text that is not quite UTF-8 or has NUL
 * between its parts.
 */
export function binaryMediaType(head: Uint8Array): string | undefined {
  const start = String.fromCharCode(...head.subarray(0, 16));
  const known = signatures.find(([, signature]) => start.startsWith(signature))?.[0];
  if (known !== undefined && !isPlainWord(head, known)) return known;
  return head.includes(0) && !isSeparatedText(head) ? "application/octet-stream" : undefined;
}

/** Whether the signature is a plain word: a text may begin with `BZh`, or be about `GIF89a`. */
function isPlainWord(head: Uint8Array, mediaType: string): boolean {
  return mediaType !== "application/pdf" && !head.some((byte) => byte < 9 || byte > 126);
}

/** Whether the text is like that of `find -print0`: single NULs in UTF-8 without other control characters. */
function isSeparatedText(head: Uint8Array): boolean {
  for (const [index, byte] of head.entries()) {
    if (byte === 0 && head[index - 1] === 0) return false;
    if (byte > 0 && byte < 32 && !(byte >= 8 && byte <= 13) && byte !== 27) return false;
  }
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
