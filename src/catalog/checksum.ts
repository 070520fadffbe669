// A sum that tells damaged cache files, and names them: not secret, and not against forgery. A library for it would take longer to load than a small cache takes to sum.

// V8 compiles a function that is called often sooner than one long loop.
const BLOCK_WORDS = 1024;

/** FNV-like, over 32-bit words, in which a single changed word always shows, and the length: 16 hexadecimal digits. */
export function checksumOf(bytes: Uint8Array): string {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const words = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length >>> 2);
  let sum = 0x811c9dc5 | 0;
  for (let start = 0; start < words.length; start += BLOCK_WORDS) sum = sumOfBlock(words, start, sum);
  for (let index = words.length * 4; index < aligned.length; index++) sum = mixed(sum, aligned[index] ?? 0);
  return hexadecimal(sum) + hexadecimal(aligned.length);
}

function sumOfBlock(words: Int32Array, start: number, before: number): number {
  const end = Math.min(start + BLOCK_WORDS, words.length);
  let sum = before;
  for (let index = start; index < end; index++) {
    // As `mixed`; a call for each word takes twice as long as long as nothing is optimized.
    const product = Math.imul(sum ^ (words[index] ?? 0), 0x85ebca6b);
    sum = product ^ (product >>> 15);
  }
  return sum;
}

/** The shift brings high bits down, which a product only carries up. */
function mixed(sum: number, word: number): number {
  const product = Math.imul(sum ^ word, 0x85ebca6b);
  return product ^ (product >>> 15);
}

function hexadecimal(value: number): string {
  return (value >>> 0).toString(16).padStart(8, "0");
}
