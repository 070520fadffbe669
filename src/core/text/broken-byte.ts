// The place where bytes stop being UTF-8, for messages.

/**
 * Returns offset and value, in two hexadecimal digits, of the first byte that is not UTF-8. Undefined if there is none.
 */
export function firstBrokenByte(bytes: Uint8Array): { readonly offset: number; readonly byte: string } | undefined {
  if (isUtf8(bytes, false)) return undefined;
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1;
    if (isUtf8(bytes.subarray(0, middle), true)) good = middle;
    else bad = middle;
  }
  const offset = startOfCharacter(bytes, good);
  return { offset, byte: (bytes[offset] ?? 0).toString(16).padStart(2, "0") };
}

function isUtf8(bytes: Uint8Array, mayEndEarly: boolean): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: mayEndEarly });
    return true;
  } catch {
    return false;
  }
}

const CHARACTER_BYTES_MAX = 4;

/** Returns the start of the character that the valid bytes before `end` leave unfinished, if there is one. */
function startOfCharacter(bytes: Uint8Array, end: number): number {
  for (let start = end; start > end - CHARACTER_BYTES_MAX && start >= 0; start--) {
    if (isUtf8(bytes.subarray(0, start), false)) return start;
  }
  return end;
}
