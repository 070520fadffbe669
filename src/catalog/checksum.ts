// A sum that tells damaged cache files and names them: not a secret, and not against forgery. Loading a library for it would cost more than all the summing.

/** Two FNV-1a sums over 32-bit words and the length, as 24 hexadecimal digits. */
export function checksumOf(bytes: Uint8Array): string {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const words = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length >>> 2);
  let first = 0x811c9dc5;
  let second = 0x9747b28c;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? 0;
    first = Math.imul(first ^ word, 0x01000193);
    // Shifted as well, because a product carries upwards alone: a damaged high bit would touch nothing else.
    second = Math.imul((second ^ word) + (second >>> 15), 0x85ebca6b);
  }
  for (let index = words.length * 4; index < aligned.length; index++) first = Math.imul(first ^ (aligned[index] ?? 0), 0x01000193);
  return [first, second, aligned.length].map((part) => (part >>> 0).toString(16).padStart(8, "0")).join("");
}
