// Sums that tell damaged cache files, and name them: not secret, and not against forgery.

// node:zlib takes a millisecond to load, in which the sum below is done with this much.
const LARGE_BYTES = 128 * 1024;

/** 16 hexadecimal digits: a sum and the length. Which sum it is depends on the length alone. */
export async function checksumOf(bytes: Uint8Array): Promise<string> {
  if (bytes.length < LARGE_BYTES) return quickSumOf(bytes);
  const { default: zlib } = await import("node:zlib");
  return hexadecimal(zlib.crc32(bytes)) + hexadecimal(bytes.length);
}

/** FNV-like, over 32-bit words: a single changed word always shows. */
export function quickSumOf(bytes: Uint8Array): string {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const words = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length >>> 2);
  let sum = 0x811c9dc5 | 0;
  for (let index = 0; index < words.length; index++) sum = mixed(sum, words[index] ?? 0);
  for (let index = words.length * 4; index < aligned.length; index++) sum = mixed(sum, aligned[index] ?? 0);
  return hexadecimal(sum) + hexadecimal(aligned.length);
}

/** The shift brings high bits down, which a product only carries up. */
function mixed(sum: number, word: number): number {
  const product = Math.imul(sum ^ word, 0x85ebca6b);
  return product ^ (product >>> 15);
}

function hexadecimal(value: number): string {
  return (value >>> 0).toString(16).padStart(8, "0");
}
