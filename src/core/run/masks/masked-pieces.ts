// Replaces found parts by dots, in pieces that come one after the other.
import { Buffer } from "node:buffer";
import { MASK } from "../../schema/describe.ts";

const DOTS = Buffer.from(MASK);

/** One stream of pieces. A found part may begin in one piece and end in another, and may be reported in parts. */
export class MaskedPieces {
  #ranges: readonly MaskedRange[] = [];
  /** The offset after the last byte that dots replace. */
  #maskedTo = -Infinity;

  add(ranges: readonly MaskedRange[]): void {
    if (ranges.length > 0) this.#ranges = joinedRanges([...this.#ranges, ...ranges]);
  }

  /** Returns where the found part around a byte begins, or the byte itself if there is none. */
  startAround(at: number): number {
    return this.#ranges.find(({ start, end }) => start < at && at < end)?.start ?? at;
  }

  /** `offset` is that of the first byte. Pieces come in order. */
  masked(piece: Uint8Array, offset: number): Uint8Array {
    const end = offset + piece.length;
    const parts: Uint8Array[] = [];
    let done = offset;
    for (const range of this.#ranges) {
      if (range.end <= offset) continue;
      if (range.start >= end) break;
      if (range.start > done) parts.push(piece.subarray(done - offset, range.start - offset));
      // A part that overlaps with a masked one is masked together with it.
      if (range.start >= this.#maskedTo) parts.push(DOTS);
      this.#maskedTo = Math.max(this.#maskedTo, range.end);
      done = Math.max(done, Math.min(range.end, end));
    }
    this.#ranges = this.#ranges.filter((range) => range.end > end);
    return done === offset && parts.length === 0 ? piece : Buffer.concat([...parts, piece.subarray(done - offset)]);
  }
}

export interface MaskedRange {
  readonly start: number;
  readonly end: number;
}

/** Returns the ranges in order. Parts that only touch stay separate. */
export function joinedRanges(ranges: readonly MaskedRange[]): readonly MaskedRange[] {
  const joined: MaskedRange[] = [];
  for (const range of [...ranges].sort((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    if (last && range.start < last.end)
      joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    else joined.push(range);
  }
  return joined;
}
