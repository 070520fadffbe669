// Searches an output, as it comes, for secrets as a reader would see them. Takes time linear to the output, and as much
// memory as the secrets are long.
import { type Range, joinedRanges } from "./masked-pieces.ts";
import type { SearchedForms } from "./forms.ts";
import { LINE_BYTES_MAX, ShownLine } from "./shown-line.ts";
import { type Edit, type Screen, TerminalReader } from "./terminal-reader.ts";
import { Views } from "./views.ts";

/** The number of bytes that are examined in edited lines for each byte that is read. */
const LOOKED_MAX = 4;
/** The length below which bytes are examined one by one. */
const FEW_BYTES = 1_024;
const NEWLINE = 0x0a;

export class SecretSearch implements Screen {
  readonly #forms: SearchedForms;
  readonly #reader = new TerminalReader(this);
  readonly #views: Views;
  readonly #line = new ShownLine();
  /** The views of control strings of the terminal, such as titles and links. */
  #aside: Views | undefined;
  /** The views of lines in which the cursor moved; places are places in the line. */
  #lineViews: Views | undefined;
  #ranges: Range[] = [];
  /** The offset from which the rest of the line is masked. */
  #restFrom = Infinity;
  #looksLeft = 0;
  /** The offset after the last control sequence that removed or moved a part of the line. */
  #editTo = -Infinity;
  /** Where the part of the line before the cursor that may become a secret begins in the output. */
  #lineOpenFrom = Infinity;
  #isIdle = false;

  constructor(forms: SearchedForms) {
    this.#forms = forms;
    this.#views = this.#viewsOf((range) => this.#add(range));
  }

  /** The offset before which nothing can still become a secret. */
  get openFrom(): number {
    return Math.min(
      this.#views.openFrom,
      this.#aside?.openFrom ?? Infinity,
      this.#reader.openFrom,
      this.#restFrom,
      this.#lineOpenFrom,
    );
  }

  /** `offset` is that of the first byte in the output, which may have gaps. */
  read(bytes: Uint8Array, offset: number): void {
    this.#looksLeft = Math.min(this.#looksLeft + LINE_BYTES_MAX, 16 * LINE_BYTES_MAX) + bytes.length * LOOKED_MAX;
    const plain = bytes.length < FEW_BYTES ? undefined : this.#forms.plain();
    for (let at = 0; at < bytes.length; ) {
      if (plain && this.#isIdle && this.#line.isAtEnd && !this.#line.isEdited) {
        let to = at;
        while (to < bytes.length - 1 && plain[(bytes[to] ?? 0) * 256 + (bytes[to + 1] ?? 0)] === 1) to++;
        this.#line.append(bytes, { from: at, to, offset });
        at = to;
        if (at === bytes.length) break;
      }
      this.#reader.read(bytes[at] ?? 0, offset + at);
      at++;
      this.#isIdle = this.#reader.isIdle && this.#views.isIdle;
    }
    this.#look();
  }

  /** Begins a part that is separate from the text before it. */
  nextPart(offset: number): void {
    this.#reader.end();
    this.endLine(offset, offset);
  }

  /** Ends the input. */
  end(offset: number): void {
    this.#reader.end();
    this.#views.end();
    this.#look();
    this.#endRest(offset);
  }

  /** Returns the ranges found since the last call, in order. */
  takeRanges(): readonly Range[] {
    const ranges = joinedRanges(this.#ranges);
    this.#ranges = [];
    return ranges;
  }

  reset(): void {
    this.#reader.end();
    this.#views.reset();
    this.#views.read(NEWLINE, 0, 0);
    this.#line.clear();
    this.#ranges = [];
    this.#restFrom = Infinity;
    this.#lineOpenFrom = Infinity;
    this.#isIdle = false;
  }

  show(byte: number, start: number, end: number): void {
    this.#line.write(byte, start, end);
    this.#views.read(byte, start, end);
  }

  endLine(start: number, end: number): void {
    this.leaveLine();
    this.#endRest(start);
    this.#views.read(NEWLINE, start, end);
  }

  leaveLine(): void {
    this.#look();
    this.#line.clear();
    this.#lineOpenFrom = Infinity;
  }

  goTo(column: number): void {
    this.#look();
    this.#line.goTo(column);
    this.#views.interrupt();
  }

  go(characters: number): void {
    this.#look();
    this.#line.go(characters);
    this.#views.interrupt();
  }

  edit(kind: Edit, characters: number, end: number): void {
    this.#look();
    this.#line.edit(kind, characters);
    this.#editTo = end;
  }

  remember(): void {
    this.#line.remember();
  }

  goBack(): void {
    this.#look();
    this.#line.goBack();
  }

  order(byte: number, start: number, end: number): void {
    this.#aside ??= this.#viewsOf((range) => this.#add(range));
    this.#aside.read(byte, start, end);
  }

  endOrder(): void {
    this.#aside?.end();
    this.#aside?.reset();
  }

  #viewsOf(add: (range: Range) => void): Views {
    const found = (start: number, end: number): void => add({ start, end });
    return new Views(this.#forms, found, (start, end) => {
      found(start, end);
      this.#restFrom = Math.min(this.#restFrom, end);
    });
  }

  #add(range: Range): void {
    const last = this.#ranges.at(-1);
    if (last && range.start < last.end && last.start < range.end)
      this.#ranges[this.#ranges.length - 1] = {
        start: Math.min(last.start, range.start),
        end: Math.max(last.end, range.end),
      };
    else this.#ranges.push(range);
  }

  #endRest(at: number): void {
    if (this.#restFrom < at) this.#add({ start: this.#restFrom - 1, end: at });
    this.#restFrom = Infinity;
  }

  /** Searches the line as it is shown, if that differs from what was written in sequence. */
  #look(): void {
    const line = this.#line;
    if (!line.isEdited || !line.isNew || this.#looksLeft < line.length) return;
    this.#looksLeft -= line.length;
    line.isNew = false;
    const views = (this.#lineViews ??= this.#viewsOf(({ start, end }) => this.#addShown(start, end)));
    views.reset();
    for (let at = 0; at < line.cursor; at++) views.read(line.bytes[at] ?? 0, at, at + 1);
    const open = Math.min(views.openFrom, line.cursor);
    for (let at = line.cursor; at < line.length; at++) views.read(line.bytes[at] ?? 0, at, at + 1);
    views.end();
    this.#lineOpenFrom = Math.min(Infinity, ...line.starts.subarray(open, line.cursor));
    if (!line.isAtEnd) return;
    // The next text continues the shown line.
    line.settle();
    this.#lineOpenFrom = Infinity;
    this.#isIdle = false;
    this.#views.reset();
    for (let at = open; at < line.length; at++)
      this.#views.read(line.bytes[at] ?? 0, line.starts[at] ?? 0, line.ends[at] ?? 0);
  }

  #addShown(from: number, to: number): void {
    if (this.#line.isStraight(from, to)) return;
    this.#add({
      start: Math.min(...this.#line.starts.subarray(from, to)),
      end: Math.max(this.#line.endsWithEdit ? this.#editTo : -Infinity, ...this.#line.ends.subarray(from, to)),
    });
  }
}
