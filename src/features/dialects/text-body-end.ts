// Finds where the body of a `<tool>` ends while it is still coming: by its own structure, so that `</tool>` within a
// string or CDATA is a part of it. Looks at each character once, however small the pieces are.

export interface BodyEnd {
  /** Reads the next piece from `from` on; returns where `</tool>` begins, and undefined until it has come. */
  find(piece: string, from: number): { readonly bodyEnd: number; readonly after: number } | undefined;
}

const CLOSE = "</tool>";

/** Finds a token of a few characters that may have begun in the previous piece. */
class TokenTail {
  #tail = "";
  readonly #longest: number;
  constructor(tokens: readonly string[]) {
    this.#longest = Math.max(...tokens.map(({ length }) => length)) - 1;
  }
  /** Returns the text to search, and the difference between an index in it and one in the piece. */
  join(piece: string, from: number): { readonly text: string; readonly shift: number } {
    const text = this.#tail + piece.slice(from);
    const shift = this.#tail.length - from;
    this.#tail = text.slice(-this.#longest);
    return { text, shift };
  }
  forget(): void {
    this.#tail = "";
  }
}

/** Finds `</tool>` after `{…}` or `[…]`. Unexpected text between both is a part of the body. */
export class JsonBodyEnd implements BodyEnd {
  #depth = 0;
  #isString = false;
  #isEscaped = false;
  #isOver = false;
  readonly #close = new TokenTail([CLOSE]);

  find(piece: string, from: number): ReturnType<BodyEnd["find"]> {
    let at = from;
    const mark = /["\\{}[\]]/g;
    while (!this.#isOver) {
      if (this.#isEscaped) {
        if (at >= piece.length) return undefined;
        this.#isEscaped = false;
        at++;
      }
      mark.lastIndex = at;
      const found = mark.exec(piece);
      if (!found) return undefined;
      at = mark.lastIndex;
      this.#take(found[0]);
    }
    const { text, shift } = this.#close.join(piece, at);
    const index = text.indexOf(CLOSE);
    return index === -1 ? undefined : { bodyEnd: index - shift, after: index - shift + CLOSE.length };
  }

  #take(mark: string): void {
    if (this.#isString) {
      if (mark === '"') this.#isString = false;
      else if (mark === "\\") this.#isEscaped = true;
    } else if (mark === '"') this.#isString = true;
    else if (mark === "{" || mark === "[") this.#depth++;
    else if (mark !== "\\") this.#isOver = --this.#depth <= 0;
  }
}

const CDATA = "<![CDATA[";
const CDATA_END = "]]>";

/** Finds `</tool>` outside of CDATA: no element can have it in its text. */
export class XmlBodyEnd implements BodyEnd {
  #isCdata = false;
  readonly #tokens = new TokenTail([CLOSE, CDATA]);

  find(piece: string, from: number): ReturnType<BodyEnd["find"]> {
    let start = from;
    for (;;) {
      const { text, shift } = this.#tokens.join(piece, start);
      const index = this.#isCdata ? text.indexOf(CDATA_END) : text.search(/<\/tool>|<!\[CDATA\[/);
      if (index === -1) return undefined;
      const token = this.#isCdata ? CDATA_END : text.startsWith(CLOSE, index) ? CLOSE : CDATA;
      if (token === CLOSE) return { bodyEnd: index - shift, after: index - shift + CLOSE.length };
      this.#isCdata = token === CDATA;
      start = index - shift + token.length;
      this.#tokens.forget();
    }
  }
}
