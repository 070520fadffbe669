// What a terminal does with bytes: it shows them, moves the cursor, or takes them as invisible control sequences. It
// knows ECMA-48 for one line; anything that leaves the line begins a new one.
import { isHidden } from "../../text/hidden-characters.ts";

export interface Screen {
  /** Shows a byte of a visible character. */
  show(byte: number, start: number, end: number): void;
  endLine(start: number, end: number): void;
  /** Moves to somewhere else on the screen. */
  leaveLine(): void;
  /** Moves to a column, counted from 0. */
  goTo(column: number): void;
  /** Moves by characters, to the right or to the left. */
  go(characters: number): void;
  /** `end` is after the control sequence. */
  edit(kind: Edit, characters: number, end: number): void;
  remember(): void;
  goBack(): void;
  /** Takes a byte of a control string, such as a title. */
  order(byte: number, start: number, end: number): void;
  endOrder(): void;
}

/**
 * Removes text at and after the cursor. `eraseRest` removes all after it, `eraseLine` the whole line, and `erase`
 * leaves a gap.
 */
export type Edit = "eraseRest" | "eraseLine" | "erase" | "remove" | "insert";

const ESC = 0x1b;
const BEL = 0x07;
const PARAMETERS_MAX = 32;

/** The first bytes of hidden characters in UTF-8, with the number of bytes. */
const lengths = new Map([
  [0xc2, 2],
  [0xcd, 2],
  [0xd8, 2],
  [0xe1, 3],
  [0xe2, 3],
  [0xe3, 3],
  [0xef, 3],
  [0xf0, 4],
  [0xf3, 4],
]);

type State = "text" | "character" | "escape" | "intermediate" | "sequence" | "order" | "orderEscape";

export class TerminalReader {
  readonly #screen: Screen;
  #state: State = "text";
  /** The bytes so far of a character, or of the parameters of a sequence. */
  #pending: number[] = [];
  #wanted = 0;
  #from = 0;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  get isIdle(): boolean {
    return this.#state === "text";
  }

  /** Returns where an unfinished character began, or Infinity. */
  get openFrom(): number {
    return this.#state === "character" ? this.#from : Infinity;
  }

  read(byte: number, at: number): void {
    switch (this.#state) {
      case "text":
        return this.#readText(byte, at);
      case "character":
        return this.#readCharacter(byte, at);
      case "escape":
        return this.#readEscape(byte, at);
      case "intermediate":
        if (byte < 0x20 || byte > 0x2f) this.#go("text");
        return;
      case "sequence":
        return this.#readSequence(byte, at);
      case "order":
        return this.#readOrder(byte, at);
      case "orderEscape":
        this.#endOrder();
        return byte === 0x5c ? undefined : this.#readEscape(byte, at);
    }
  }

  /** Ends the input. */
  end(): void {
    if (this.#state === "character") this.#showPending();
    if (this.#state === "order") this.#screen.endOrder();
    this.#go("text");
  }

  #go(state: State): void {
    this.#state = state;
    this.#pending = [];
  }

  #readText(byte: number, at: number): void {
    if (byte >= 0x20 && byte < 0x7f) return this.#screen.show(byte, at, at + 1);
    if (byte >= 0x80) {
      const length = lengths.get(byte);
      if (length === undefined) return this.#screen.show(byte, at, at + 1);
      this.#go("character");
      this.#pending.push(byte);
      this.#wanted = length;
      this.#from = at;
      return;
    }
    switch (byte) {
      case 0x08:
        return this.#screen.go(-1);
      case 0x09:
        return this.#screen.show(byte, at, at + 1);
      case 0x0a:
      case 0x0b:
      case 0x0c:
        return this.#screen.endLine(at, at + 1);
      case 0x0d:
        return this.#screen.goTo(0);
      case ESC:
        return this.#go("escape");
    }
  }

  #readCharacter(byte: number, at: number): void {
    if (byte < 0x80 || byte > 0xbf) {
      this.#showPending();
      this.#go("text");
      return this.read(byte, at);
    }
    this.#pending.push(byte);
    if (this.#pending.length < this.#wanted) return;
    const codePoint = this.#pending
      .slice(1)
      .reduce((sum, one) => sum * 64 + (one & 0x3f), (this.#pending[0] ?? 0) & (0x7f >> this.#wanted));
    if (!isHidden(codePoint)) this.#showPending();
    this.#go("text");
    if (codePoint === 0x85) this.#screen.endLine(this.#from, at + 1);
    // The controls of 8 bits, which are two bytes in UTF-8.
    if (codePoint >= 0x80 && codePoint < 0xa0) this.#readEscape(codePoint - 0x40, at);
  }

  #showPending(): void {
    for (const [index, byte] of this.#pending.entries())
      this.#screen.show(byte, this.#from + index, this.#from + index + 1);
  }

  #readEscape(byte: number, at: number): void {
    switch (String.fromCharCode(byte)) {
      case "[":
        return this.#go("sequence");
      case "]":
      case "P":
      case "X":
      case "^":
      case "_":
        return this.#go("order");
      case "7":
        this.#screen.remember();
        break;
      case "8":
        this.#screen.goBack();
        break;
      case "D":
      case "E":
      case "M":
      case "c":
        this.#screen.leaveLine();
        break;
    }
    this.#go(byte === ESC ? "escape" : byte >= 0x20 && byte <= 0x2f ? "intermediate" : "text");
    if (byte < 0x20 && byte !== ESC) this.read(byte, at);
  }

  #readSequence(byte: number, at: number): void {
    if (byte === ESC) return this.#go("escape");
    if (byte < 0x20) return this.#readText(byte, at);
    if (byte < 0x40 && this.#pending.length < PARAMETERS_MAX) return void this.#pending.push(byte);
    const [first = ""] = String.fromCharCode(...this.#pending).split(";");
    this.#go("text");
    if (byte >= 0x40 && byte < 0x7f)
      this.#follow(String.fromCharCode(byte), /^[0-9]{0,4}$/.test(first) ? Number(first) : 0, at + 1);
  }

  #follow(kind: string, parameter: number, end: number): void {
    const count = Math.max(1, parameter);
    switch (kind) {
      case "C":
      case "a":
        return this.#screen.go(count);
      case "D":
        return this.#screen.go(-count);
      case "G":
      case "`":
        return this.#screen.goTo(count - 1);
      case "K":
        return this.#screen.edit(parameter === 0 ? "eraseRest" : "eraseLine", count, end);
      case "X":
        return this.#screen.edit("erase", count, end);
      case "P":
        return this.#screen.edit("remove", count, end);
      case "@":
        return this.#screen.edit("insert", count, end);
      case "s":
        return this.#screen.remember();
      case "u":
        return this.#screen.goBack();
      case "A":
      case "B":
      case "E":
      case "F":
      case "H":
      case "J":
      case "L":
      case "M":
      case "S":
      case "T":
      case "d":
      case "f":
        return this.#screen.leaveLine();
    }
  }

  #readOrder(byte: number, at: number): void {
    if (byte === ESC) return this.#goOnIn("orderEscape");
    // The 8-bit form of its end is C2 9C.
    if (byte === BEL || byte === 0x9c) return this.#endOrder();
    if (byte !== 0x0a) return this.#screen.order(byte, at, at + 1);
    // No terminal waits for ever.
    this.#endOrder();
    this.#readText(byte, at);
  }

  #goOnIn(state: State): void {
    this.#state = state;
  }

  #endOrder(): void {
    this.#screen.endOrder();
    this.#go("text");
  }
}
