// Reads a reply in the text form while it comes. A `<tool>` in code, in a quotation, in a comment, in a thought or within
// a sentence is not a call; the structure of a call decides where it ends. After a call with an uncertain end, nothing
// more is read, because the following text may be a part of it: text that a tool was to write must not run.
import type { ModelCall } from "./model-call.ts";
import { CALL_FORM, readCallBody } from "./text-call.ts";
import { type BodyEnd, JsonBodyEnd, XmlBodyEnd } from "./text-body-end.ts";

export type TextPiece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly call: ModelCall }
  /** Everything before it was a thought that began in the prompt: the templates of some models end with `<think>`. */
  | { readonly kind: "thought" };

/** A longer line does not open or close a code block. */
const FENCE_LINE_MAX = 200;
const TOKEN = /\n|`+|~{3,}|<!--|-->|<tool {0,8}>|<\/?think(?:ing)?>/g;
/** Text that may become a token with the next piece. */
const HALF_TOKEN = /(?:`+|~+|-{1,2}|<[!/a-z-]{0,9} {0,8})$/;

/** A quotation, or a code block by its indent. */
const QUOTED_LINE = /^(?:\s*>| {4}| {0,3}\t)/;
/** Before a call, a line may be blank, a sentence may end, an item of a list may begin, and another call may stand. */
const CALL_MAY_FOLLOW =
  /(?:^|[.:;!?)\]}>*_\u2026\u3002\uff01\uff1a\uff1f])\s*$|^\s*(?:[-*+]|\d{1,9}[.)]|,|,? ?and(?: then)?|then)\s+$/;
const QUOTATION_MARK = /["'\u2018-\u201e\u00ab\u00bb\u2039\u203a]/;

interface Fence {
  readonly mark: string;
  readonly length: number;
}

export class TextReader {
  /** The number of `<tool>` in quotations. */
  quoted = 0;
  /** Whether nothing after the last call was read. */
  isBroken = false;
  #buffer = "";
  #isEnd = false;
  #body: CallReader | undefined;
  #fence: Fence | undefined;
  /** The length of the mark of the open code span in this line. */
  #spanLength = 0;
  #thought: string | undefined;
  #isComment = false;
  /** The start of the line so far, and its end. */
  #line = "";
  #lineEnd = "";
  /** The character before the buffer. */
  #last = "";
  #pieces: TextPiece[] = [];
  /**
   * A run of one character that is held back, because it may continue. Reading it again with each piece would take
   * quadratic time.
   */
  #run: { readonly mark: string; length: number } | undefined;

  push(text: string): readonly TextPiece[] {
    const run = this.#run;
    if (run && isAll(text, run.mark)) {
      run.length += text.length;
      return [];
    }
    this.#resume(text);
    return this.#read();
  }

  /** Returns the text that was held back, and a call that was cut off. */
  end(): readonly TextPiece[] {
    this.#resume("");
    this.#isEnd = true;
    return this.#read();
  }

  #resume(text: string): void {
    this.#buffer += (this.#run ? this.#run.mark.repeat(this.#run.length) : "") + text;
    this.#run = undefined;
  }

  #read(): readonly TextPiece[] {
    while (this.#step());
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  /** Returns false if there is nothing to do until more comes. */
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
    this.#lineEnd = "";
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
    // A run of backticks may continue.
    if (!this.#isEnd && after === this.#buffer.length && /[`~]/.test(token)) {
      this.#take(found.index);
      this.#run = { mark: token.slice(0, 1), length: token.length };
      this.#buffer = "";
      return false;
    }
    this.#take(found.index);
    return this.#readToken(token);
  }

  #readToken(token: string): boolean {
    if (token === "\n") {
      this.#take(1);
      this.#line = this.#lineEnd = "";
      this.#spanLength = 0;
      return true;
    }
    if (token.startsWith("<tool")) return this.#readToolTag(token);
    if (token.includes("--")) {
      if (!this.#fence && this.#spanLength === 0 && this.#thought === undefined) this.#isComment = token === "<!--";
      this.#take(token.length);
      return true;
    }
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

  /** Returns whether `token` and `rest`, the rest of its line, open or close a code block. */
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
      this.#isComment ||
      QUOTED_LINE.test(this.#line) ||
      QUOTATION_MARK.test(this.#last) ||
      !CALL_MAY_FOLLOW.test(this.#lineEnd)
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

  /** The text begins after a thought. */
  #startAfter(token: string): void {
    this.#buffer = this.#buffer.slice(token.length);
    this.#line = this.#lineEnd = "";
    this.#last = "";
  }

  /** Moves `length` characters of the buffer to the text. */
  #take(length: number): void {
    if (length === 0) return;
    const text = this.#buffer.slice(0, length);
    this.#buffer = this.#buffer.slice(length);
    this.#say(text);
  }

  #say(text: string): void {
    this.#last = text.slice(-1);
    if (this.#line.length < FENCE_LINE_MAX) this.#line += text.slice(0, FENCE_LINE_MAX);
    this.#lineEnd = (this.#lineEnd + text).slice(-FENCE_LINE_MAX);
    this.#emit(text);
  }

  #emit(text: string): void {
    if (this.#thought !== undefined || text === "") return;
    const last = this.#pieces.at(-1);
    if (last?.kind === "text") this.#pieces[this.#pieces.length - 1] = { kind: "text", text: last.text + text };
    else this.#pieces.push({ kind: "text", text });
  }
}

function isAll(text: string, mark: string): boolean {
  for (let at = 0; at < text.length; at++) if (text[at] !== mark) return false;
  return true;
}

type TakenCall =
  | { readonly call: ModelCall; readonly isBroken: boolean; readonly rest: string }
  | { readonly text: string; readonly rest: string };

/** The start of a body, perhaps in a code block; with more spaces it is not one. */
const BODY_START = /^(?:```\w{0,20}[ \t]{0,100}\r?\n\s{0,100})?([{[<])/;
/** Text that may become the start of a body. */
const HALF_START = /^`{0,3}(?:\w{0,20}[ \t]{0,100}\r?\n?\s{0,100})?$/;
const CLOSE = "</tool>";

/** Reads one call, after its `<tool>`. */
class CallReader {
  #parts: string[] = [];
  #end: BodyEnd | undefined;
  /** The text before the form of the body is known, without leading spaces. */
  #head = "";
  #blanks = "";
  /** The text of something that is not a body, up to its first `<`. */
  #strange: string[] | undefined;

  /** Returns undefined until the call ends. */
  take(piece: string, isEnd: boolean): TakenCall | undefined {
    let text = piece;
    if (this.#strange) {
      this.#strange.push(piece);
      if (!isEnd && !this.#strange.at(-1)?.includes("<")) return undefined;
      this.#head += this.#strange.join("");
      this.#strange = undefined;
      return this.#withoutBody(isEnd);
    }
    if (!this.#end) {
      const whole = this.#head + piece;
      this.#head = whole.trimStart();
      this.#blanks += whole.slice(0, whole.length - this.#head.length);
      const start = BODY_START.exec(this.#head)?.[1];
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

  /** Handles text without JSON or XML: a call in another form, or a `<tool>` that the reply only mentions. */
  #withoutBody(isEnd: boolean): TakenCall | undefined {
    const head = this.#head;
    if (!isEnd && (head === "" || HALF_START.test(head))) return undefined;
    const close = head.indexOf("<");
    if (close === -1 && !isEnd) return void (this.#strange = []);
    if (close !== -1 && head.length < close + CLOSE.length && CLOSE.startsWith(head.slice(close)) && !isEnd)
      return undefined;
    if (close !== -1 && head.startsWith(CLOSE, close)) {
      return {
        call: {
          kind: "faulty",
          problem: `there is neither JSON nor XML between \`<tool>\` and \`</tool>\`; a call is ${CALL_FORM}`,
        },
        isBroken: false,
        rest: head.slice(close + CLOSE.length),
      };
    }
    if (isEnd && head === "") return { ...readCallBody("", true), rest: "" };
    return { text: `<tool>${this.#blanks}`, rest: head };
  }
}
