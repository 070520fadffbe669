// Names that nobody can guess and no two callers share.

/** 128 random bits, as 32 hexadecimal digits. */
export function randomId(): string {
  return Array.from(globalThis.crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
