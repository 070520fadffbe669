// The line that a terminal would show: after the cursor goes back, new text replaces the old.
import { Buffer } from "node:buffer";
import type { Edit } from "./terminal-reader.ts";

/** The limit of a line. Only the end of a longer one counts: no cursor goes back so far. */
export const LINE_BYTES_MAX = 4_096;
/** The limit of columns after the end of the line. */
const SKIPPED_COLUMNS_MAX = 256;
const BLANK = 0x20;

export class ShownLine {
  readonly bytes = Buffer.alloc(LINE_BYTES_MAX);
  /** Where the bytes in each column began and ended in the output. Blanks that the cursor skipped are nowhere. */
  readonly starts = new Float64Array(LINE_BYTES_MAX);
  readonly ends = new Float64Array(LINE_BYTES_MAX);
  /** A counter for each column. Neighbours follow each other in it if they were written in sequence. */
  readonly #turns = new Float64Array(LINE_BYTES_MAX);
  #turn = 0;
  #cursor = 0;
  #hasMoved = false;
  #remembered = 0;
  length = 0;
  /** Whether the line shows something else than what was written in sequence. */
  isEdited = false;
  /** Whether nothing was written since a part of the line was removed or moved. */
  endsWithEdit = false;
  /** Whether something was written since the last search. */
  isNew = false;

  get cursor(): number {
    return this.#cursor;
  }

  get isAtEnd(): boolean {
    return this.#cursor === this.length;
  }

  write(byte: number, start: number, end: number): void {
    if (this.#cursor === LINE_BYTES_MAX) this.#dropStart();
    const at = this.#cursor++;
    const isNewPlace = at >= this.length;
    if (isNewPlace) this.length = this.#cursor;
    if (!isNewPlace || this.#hasMoved) this.isEdited = true;
    this.bytes[at] = byte;
    this.starts[at] = isNewPlace ? start : Math.min(start, this.starts[at] ?? start);
    this.ends[at] = end;
    this.#turns[at] = ++this.#turn;
    this.isNew = true;
    this.endsWithEdit = false;
  }

  /** Appends the bytes `from` to `to` of `source`, whose first byte is at `offset`, to the line. */
  append(
    source: Uint8Array,
    { from, to, offset }: { readonly from: number; readonly to: number; readonly offset: number },
  ): void {
    const last = Math.max(from, to - LINE_BYTES_MAX / 2);
    this.#turn += last - from;
    if (this.length + to - last > LINE_BYTES_MAX) this.#dropStart();
    if (to > last) this.write(source[last] ?? 0, offset + last, offset + last + 1);
    for (let index = last + 1; index < to; index++) {
      const at = this.length++;
      this.bytes[at] = source[index] ?? 0;
      this.starts[at] = offset + index;
      this.ends[at] = offset + index + 1;
      this.#turns[at] = ++this.#turn;
    }
    this.#cursor = this.length;
  }

  clear(): void {
    this.length = 0;
    this.#cursor = 0;
    this.settle();
  }

  /** Takes the line as known; the next byte follows it. */
  settle(): void {
    this.isEdited = false;
    this.isNew = false;
    this.#hasMoved = false;
  }

  goTo(column: number): void {
    this.#move(0);
    this.go(column);
  }

  /** Moves by characters, which may have several bytes. */
  go(characters: number): void {
    let cursor = this.#cursor;
    for (let left = -characters; left > 0 && cursor > 0; left--) cursor = this.#before(cursor);
    let right = Math.min(characters, LINE_BYTES_MAX);
    for (; right > 0 && cursor < this.length; right--) cursor = this.#behind(cursor);
    this.#move(cursor);
    for (right = Math.min(right, SKIPPED_COLUMNS_MAX); right > 0; right--) this.write(BLANK, Infinity, -Infinity);
  }

  edit(kind: Edit, characters: number): void {
    let behind = this.#cursor;
    for (let left = characters; left > 0 && behind < this.length; left--) behind = this.#behind(behind);
    this.isEdited = true;
    this.isNew = true;
    this.endsWithEdit = true;
    switch (kind) {
      case "eraseRest":
        this.length = this.#cursor;
        return;
      case "eraseLine":
        return this.#blank(0, this.length);
      case "erase":
        return this.#blank(this.#cursor, behind);
      case "remove":
        this.#shift(behind, this.#cursor);
        this.length -= behind - this.#cursor;
        return;
      case "insert": {
        const count = Math.min(characters, LINE_BYTES_MAX - this.length);
        this.#shift(this.#cursor, this.#cursor + count);
        this.length += count;
        this.starts.fill(Infinity, this.#cursor, this.#cursor + count);
        this.ends.fill(-Infinity, this.#cursor, this.#cursor + count);
        return this.#blank(this.#cursor, this.#cursor + count);
      }
    }
  }

  remember(): void {
    this.#remembered = this.#cursor;
  }

  goBack(): void {
    this.#move(Math.min(this.#remembered, this.length));
  }

  /** Whether these bytes were written in sequence. */
  isStraight(from: number, to: number): boolean {
    for (let at = from + 1; at < to; at++) if (this.#turns[at] !== (this.#turns[at - 1] ?? 0) + 1) return false;
    return true;
  }

  #move(cursor: number): void {
    if (cursor === this.#cursor) return;
    this.#cursor = cursor;
    this.#hasMoved = true;
    this.#turn++;
  }

  #before(at: number): number {
    let before = at - 1;
    while (before > 0 && isContinued(this.bytes[before])) before--;
    return before;
  }

  #behind(at: number): number {
    let behind = at + 1;
    while (behind < this.length && isContinued(this.bytes[behind])) behind++;
    return behind;
  }

  #blank(from: number, to: number): void {
    this.bytes.fill(BLANK, from, to);
    this.#turns.fill(0, from, to);
  }

  #shift(from: number, to: number): void {
    for (const cells of [this.bytes, this.starts, this.ends, this.#turns])
      cells.copyWithin(to, from, Math.min(this.length, LINE_BYTES_MAX - Math.max(0, to - from)));
  }

  #dropStart(): void {
    const half = LINE_BYTES_MAX / 2;
    for (const cells of [this.bytes, this.starts, this.ends, this.#turns]) cells.copyWithin(0, half);
    this.length -= half;
    this.#cursor -= half;
  }
}

/** A byte of a character of UTF-8 that is not its first. */
function isContinued(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0;
}
