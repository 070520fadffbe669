// Cuts a text that comes in pieces into parts that can be cleaned one by one: at the end of a line, or else where no
// sequence continues.

/** Smaller parts wait for more text. */
const PART_CHARACTERS = 64 * 1024;
/** The length in which a place to cut a line is searched, back from its end. */
const BACK_CHARACTERS = 4 * 1024;

const ESCAPE = "\x1b";
const CONTROL_SEQUENCE = "\x9b";

export class TextParts {
  #held = "";

  /** Returns what can be cleaned now; empty: nothing yet. */
  take(text: string): string {
    this.#held += text;
    if (this.#held.length < PART_CHARACTERS) return "";
    const end = cutOf(this.#held);
    const part = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    return part;
  }

  end(text: string): string {
    const rest = this.#held + text;
    this.#held = "";
    return rest;
  }
}

function cutOf(text: string): number {
  const lineEnd = text.lastIndexOf("\n") + 1;
  if (lineEnd > 0) return lineEnd;
  const code = Math.max(text.lastIndexOf(ESCAPE), text.lastIndexOf(CONTROL_SEQUENCE));
  const last = text.length - 1;
  const from = last - BACK_CHARACTERS;
  const start = code > from ? code : last;
  // A cut comes before a plain letter: joiners, backspaces and second halves of characters belong to the text before
  // them.
  for (let end = start; end > from; end--) if (isPlain(text.charCodeAt(end))) return end;
  return start;
}

function isPlain(code: number): boolean {
  return (code >= 0x20 && code < 0x7f) || code === 0x1b || code === 0x9b;
}
