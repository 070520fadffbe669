// A checksum that detects damaged files of ours, and names them. It is neither secret nor safe against forgery. A
// library for it would take longer to load than a small file takes to sum.

// V8 compiles a function that is called often sooner than one long loop.
const BLOCK_WORDS = 1024;
const WORD_BYTES = 4;

/**
 * Returns 16 hexadecimal digits: a sum like FNV over 32-bit words, which any single changed word changes, and the
 * length.
 */
export function checksumOf(bytes: Uint8Array): string {
  const checksum = new Checksum();
  checksum.add(bytes);
  return checksum.text;
}

/** The checksum of content that comes in parts. It is that of the whole, wherever the parts end. */
export class Checksum {
  #sum = 0x811c9dc5 | 0;
  #lengthBytes = 0;
  /** The first bytes of a word that is not whole yet. */
  readonly #begun = new Uint8Array(WORD_BYTES);
  #begunBytes = 0;

  get lengthBytes(): number {
    return this.#lengthBytes;
  }

  /** The checksum of what was added so far; more may follow. */
  get text(): string {
    let sum = this.#sum;
    for (let index = 0; index < this.#begunBytes; index++) sum = mixed(sum, this.#begun[index] ?? 0);
    return hexadecimal(sum) + hexadecimal(this.#lengthBytes);
  }

  add(bytes: Uint8Array): void {
    this.#lengthBytes += bytes.length;
    let start = 0;
    while (this.#begunBytes > 0 && start < bytes.length) this.#addByte(bytes[start++] ?? 0);
    const rest = start === 0 ? bytes : bytes.subarray(start);
    const aligned = rest.byteOffset % WORD_BYTES === 0 ? rest : rest.slice();
    const words = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length >>> 2);
    for (let first = 0; first < words.length; first += BLOCK_WORDS) this.#sum = sumOfBlock(words, first, this.#sum);
    for (let index = words.length * WORD_BYTES; index < aligned.length; index++) this.#addByte(aligned[index] ?? 0);
  }

  #addByte(byte: number): void {
    this.#begun[this.#begunBytes++] = byte;
    if (this.#begunBytes < WORD_BYTES) return;
    this.#sum = mixed(this.#sum, new Int32Array(this.#begun.buffer)[0] ?? 0);
    this.#begunBytes = 0;
  }
}

function sumOfBlock(words: Int32Array, start: number, before: number): number {
  const end = Math.min(start + BLOCK_WORDS, words.length);
  let sum = before;
  for (let index = start; index < end; index++) {
    // The same as `mixed`. A call for each word takes twice as long until it is optimized.
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
