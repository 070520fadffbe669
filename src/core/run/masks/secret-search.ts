// Searches an output, as it comes, for secrets as a reader would see them. What may still belong to a secret is read
// again with the next bytes, so the time is linear to the output, and the memory to the length of the secrets.
import { Buffer } from "node:buffer";
import { joinedRanges, type MaskedRange } from "./masked-pieces.ts";
import type { SecretForms } from "./secret-forms.ts";
import { base64Digits, decoded, hexDigits, joinedLines, spaced, type View, visible } from "./views.ts";

/** The length of a form's start for which the end of a line is held back. Nearly every line ends with a shorter one. */
const BEHIND_LINE_MIN = 4;
/** The limit of what is held back. A secret with more than this between its parts is shown up to there. */
export const HELD_BYTES_MAX = 256 * 1024;
/** The limit of bytes that are read at once. */
const BLOCK_BYTES = 64 * 1024;

export class SecretSearch {
  readonly #forms: SecretForms;
  /** The last bytes, from which a secret may continue. */
  #text = "";
  /** Where each of them begins in the output, and the place after it. */
  #starts = new Float64Array();
  #ends = new Float64Array();
  #openFrom = Infinity;

  constructor(forms: SecretForms) {
    this.#forms = forms;
  }

  /** The offset before which nothing can still become a secret. */
  get openFrom(): number {
    return this.#openFrom;
  }

  /** Returns the secrets that end in `bytes`, and some before. `offset` is that of the first byte in the output. */
  read(bytes: Uint8Array, offset: number): readonly MaskedRange[] {
    if (this.#forms.isEmpty) return [];
    const found: MaskedRange[] = [];
    for (let from = 0; from < bytes.length; from += BLOCK_BYTES)
      found.push(...this.#readBlock(bytes.subarray(from, from + BLOCK_BYTES), offset + from));
    return joinedRanges(found);
  }

  /** Ends a line that the output itself does not end. */
  endLine(offset: number): void {
    this.#append("\n", () => offset, 0);
  }

  #readBlock(bytes: Uint8Array, offset: number): readonly MaskedRange[] {
    this.#append(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1"), (at) => offset + at, 1);
    const found: MaskedRange[] = [];
    this.#openFrom = Infinity;
    const [starts, ends] = [this.#starts, this.#ends];
    const read: View = { text: this.#text, places: () => ({ starts, ends }) };
    const isBehindLine = /[\r\n][ \t]*$/.test(this.#text);
    const look = (view: View, forms: readonly string[], openMin: number): void => {
      for (const form of forms) {
        addRanges(view, form, found);
        this.#openFrom = Math.min(this.#openFrom, openStart(view, form, openMin));
      }
    };
    const shown = visible(read);
    const once = decoded(shown);
    const views = [...new Set([read, shown, once, decoded(once)])];
    const openMin = isBehindLine ? BEHIND_LINE_MIN : 1;
    for (const view of views) {
      const text = spaced(view);
      look(text, this.#forms.short, 1);
      look(joinedLines(text), this.#forms.long, openMin);
    }
    if (this.#forms.hex.length > 0) look(hexDigits(once), this.#forms.hex, openMin);
    if (this.#forms.base64.length > 0) look(base64Digits(once), this.#forms.base64, openMin);
    return found;
  }

  #append(more: string, placeOf: (at: number) => number, length: 0 | 1): void {
    const { length: lengthBefore } = this.#text;
    const openAt = this.#starts.findIndex((start) => start >= this.#openFrom);
    const heldBytes = openAt < 0 ? 0 : Math.min(lengthBefore - openAt, HELD_BYTES_MAX);
    const before = Math.min(lengthBefore, Math.max(this.#forms.contextBytes, heldBytes));
    const from = lengthBefore - before;
    const starts = new Float64Array(before + more.length);
    const ends = new Float64Array(before + more.length);
    starts.set(this.#starts.subarray(from));
    ends.set(this.#ends.subarray(from));
    for (let at = 0; at < more.length; at++) {
      starts[before + at] = placeOf(at);
      ends[before + at] = placeOf(at) + length;
    }
    this.#text = this.#text.slice(from) + more;
    this.#starts = starts;
    this.#ends = ends;
  }
}

function addRanges({ text, places }: View, form: string, found: MaskedRange[]): void {
  let last: { readonly start: number; end: number } | undefined;
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
    const { starts, ends } = places();
    const [start = 0, end = 0] = [starts[at], ends[at + form.length - 1]];
    if (last && start < last.end) last.end = end;
    else found.push((last = { start, end }));
  }
}

/** Returns the place of the longest start of a form with which the view ends; Infinity if there is none. */
function openStart({ text, places }: View, form: string, lengthMin: number): number {
  const first = form.charAt(0);
  for (let at = Math.max(0, text.length - form.length + 1); (at = text.indexOf(first, at)) >= 0; at++) {
    if (text.length - at < lengthMin) return Infinity;
    if (form.startsWith(text.slice(at))) return places().starts[at] ?? Infinity;
  }
  return Infinity;
}
