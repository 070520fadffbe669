// Reads a reply in the text form while it comes. A `<tool>` in a code block, in a code span, in a quotation or in a
// thought is no call; where a call ends, its own structure says. After a call whose end is not certain nothing more is
// read, because what follows may be a part of it: text that a tool was to write must not run.
import type { ModelCall } from "./model-call.ts";
import { CALL_FORM, readCallBody } from "./text-call.ts";
import { type BodyEnd, JsonBodyEnd, XmlBodyEnd } from "./text-body-end.ts";

export type TextPiece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly call: ModelCall }
  /** All before it was a thought, which began in the prompt: the templates of some models end with `<think>`. */
  | { readonly kind: "thought" };

/** A longer line opens or closes no code block. */
const FENCE_LINE_MAX = 200;
const TOKEN = /\n|`+|~{3,}|<tool>|<\/?think(?:ing)?>/g;
/** What may become a token with the next piece. */
const HALF_TOKEN = /(?:`+|~+|<[/a-z]{0,9})$/;

const QUOTED_LINE = /^\s*>/;
const QUOTATION_MARK = /["'\u2018-\u201e\u00ab\u00bb\u2039\u203a]/;

interface Fence {
  readonly mark: string;
  readonly length: number;
}

export class TextReader {
  /** `<tool>` that were quotations. */
  quoted = 0;
  /** Nothing behind the last call was read. */
  isBroken = false;
  #buffer = "";
  #isEnd = false;
  #body: CallReader | undefined;
  #fence: Fence | undefined;
  /** Of the code span that is open in this line. */
  #spanLength = 0;
  #thought: string | undefined;
  /** The start of the line so far. */
  #line = "";
  /** The character before the buffer. */
  #last = "";
  #pieces: TextPiece[] = [];

  push(text: string): readonly TextPiece[] {
    this.#buffer += text;
    return this.#read();
  }

  /** What was held back, and a call that was cut. */
  end(): readonly TextPiece[] {
    this.#isEnd = true;
    return this.#read();
  }

  #read(): readonly TextPiece[] {
    while (this.#step());
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  /** False when there is nothing to do until more comes. */
  #step(): boolean {
    if (this.isBroken) {
      this.#buffer = "";
      return false;
    }
    return this.#body ? this.#readCall(this.#body) : this.#readProse();
  }

  #readCall(body: CallReader): boolean {
    const read = body.take(this.#buffer, this.#isEnd);
    this.#buffer = "";
    if (!read) return false;
    this.#body = undefined;
    this.#buffer = read.rest;
    if ("text" in read) {
      this.#say(read.text);
      return true;
    }
    this.isBroken = read.isBroken;
    this.#line = "call";
    this.#last = "";
    this.#pieces.push({ kind: "call", call: read.call });
    return true;
  }

  #readProse(): boolean {
    TOKEN.lastIndex = 0;
    const found = TOKEN.exec(this.#buffer);
    if (!found) {
      const held = this.#isEnd ? this.#buffer.length : this.#buffer.search(HALF_TOKEN);
      const length = held === -1 ? this.#buffer.length : held;
      this.#take(length);
      return false;
    }
    const [token] = found;
    const after = found.index + token.length;
    // A run of backticks may go on.
    if (!this.#isEnd && after === this.#buffer.length && /[`~]/.test(token)) {
      this.#take(found.index);
      return false;
    }
    this.#take(found.index);
    return this.#readToken(token);
  }

  /** The buffer begins with it. */
  #readToken(token: string): boolean {
    if (token === "\n") {
      this.#take(1);
      this.#line = "";
      this.#spanLength = 0;
      return true;
    }
    if (token === "<tool>") return this.#readToolTag(token);
    if (token.startsWith("<")) return this.#readThoughtTag(token);
    if (this.#thought === undefined && token.length >= 3 && /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?$/.test(this.#line)) {
      const lineEnd = this.#buffer.indexOf("\n");
      if (lineEnd === -1 && !this.#isEnd && this.#buffer.length < FENCE_LINE_MAX) return false;
      if (this.#readFence(token, this.#buffer.slice(token.length, lineEnd === -1 ? undefined : lineEnd))) return true;
    }
    if (!this.#fence && this.#thought === undefined && token.startsWith("`"))
      this.#spanLength =
        this.#spanLength === 0 ? token.length : this.#spanLength === token.length ? 0 : this.#spanLength;
    this.#take(token.length);
    return true;
  }

  /** Whether `token` and `rest`, which is all of its line, open or close a code block. */
  #readFence(token: string, rest: string): boolean {
    const mark = token[0] ?? "";
    if (rest.length > FENCE_LINE_MAX) return false;
    if (this.#fence) {
      if (this.#fence.mark !== mark || token.length < this.#fence.length || rest.trim() !== "") return false;
      this.#fence = undefined;
    } else {
      if (mark === "`" && rest.includes("`")) return false;
      this.#fence = { mark, length: token.length };
    }
    this.#take(token.length + rest.length);
    return true;
  }

  #readToolTag(token: string): boolean {
    if (
      this.#fence ||
      this.#spanLength > 0 ||
      this.#thought !== undefined ||
      QUOTED_LINE.test(this.#line) ||
      QUOTATION_MARK.test(this.#last)
    ) {
      this.quoted++;
      this.#take(token.length);
    } else {
      this.#buffer = this.#buffer.slice(token.length);
      this.#body = new CallReader();
    }
    return true;
  }

  #readThoughtTag(token: string): boolean {
    const name = token.replace(/[</>]/g, "");
    const isClosing = token.startsWith("</");
    if (isClosing && this.#thought === undefined && !this.#fence && this.#spanLength === 0) {
      this.#startAfter(token);
      this.#pieces.push({ kind: "thought" });
      return true;
    }
    if (this.#thought === undefined ? this.#fence || this.#spanLength > 0 : !isClosing || name !== this.#thought) {
      this.#take(token.length);
      return true;
    }
    this.#thought = isClosing ? undefined : name;
    this.#startAfter(token);
    return true;
  }

  /** What is said begins behind a thought. */
  #startAfter(token: string): void {
    this.#buffer = this.#buffer.slice(token.length);
    this.#line = "";
    this.#last = "";
  }

  /** So much of the buffer is text. */
  #take(length: number): void {
    if (length === 0) return;
    const text = this.#buffer.slice(0, length);
    this.#buffer = this.#buffer.slice(length);
    this.#say(text);
  }

  #say(text: string): void {
    this.#last = text.slice(-1);
    if (this.#line.length < FENCE_LINE_MAX) this.#line += text.slice(0, FENCE_LINE_MAX);
    this.#emit(text);
  }

  #emit(text: string): void {
    if (this.#thought !== undefined || text === "") return;
    const last = this.#pieces.at(-1);
    if (last?.kind === "text") this.#pieces[this.#pieces.length - 1] = { kind: "text", text: last.text + text };
    else this.#pieces.push({ kind: "text", text });
  }
}

type TakenCall =
  | { readonly call: ModelCall; readonly isBroken: boolean; readonly rest: string }
  | { readonly text: string; readonly rest: string };

/** One call, from behind `<tool>` on. */
class CallReader {
  #parts: string[] = [];
  #end: BodyEnd | undefined;
  /** What came before it is known what the body is, without the blanks at its start. */
  #head = "";
  #blanks = "";

  /** Undefined while the call is not over. */
  take(piece: string, isEnd: boolean): TakenCall | undefined {
    let text = piece;
    if (!this.#end) {
      const whole = this.#head + piece;
      this.#head = whole.trimStart();
      this.#blanks += whole.slice(0, whole.length - this.#head.length);
      const start = /^(?:```\w{0,20}[ \t]*\r?\n\s*)?([{[<])/.exec(this.#head)?.[1];
      if (start === undefined) return this.#withoutBody(isEnd);
      this.#end = start === "<" ? new XmlBodyEnd() : new JsonBodyEnd();
      text = this.#head;
    }
    const found = this.#end.find(text, 0);
    this.#parts.push(text);
    if (found) {
      const before = this.#parts.slice(0, -1).join("");
      // `</tool>` may have begun in an earlier piece.
      const whole = before + text;
      return { ...readCallBody(whole.slice(0, before.length + found.bodyEnd)), rest: text.slice(found.after) };
    }
    return isEnd ? { ...readCallBody(this.#parts.join(""), true), rest: "" } : undefined;
  }

  /** No JSON and no XML: a call in a form of its own, or a `<tool>` that the reply speaks of. */
  #withoutBody(isEnd: boolean): TakenCall | undefined {
    const head = this.#head;
    if (!isEnd && (head === "" || /^`{0,3}(?:\w{0,20}[ \t]*\r?\n?\s*)?$/.test(head))) return undefined;
    const close = head.indexOf("<");
    if (close === -1 && !isEnd) return undefined;
    if (close !== -1 && head.length < close + "</tool>".length && "</tool>".startsWith(head.slice(close)) && !isEnd)
      return undefined;
    if (close !== -1 && head.startsWith("</tool>", close)) {
      return {
        call: {
          kind: "faulty",
          problem: `between \`<tool>\` and \`</tool>\` stands neither JSON nor XML; a call is ${CALL_FORM}`,
        },
        isBroken: false,
        rest: head.slice(close + "</tool>".length),
      };
    }
    if (isEnd && head === "") return { ...readCallBody("", true), rest: "" };
    return { text: `<tool>${this.#blanks}`, rest: head };
  }
}
