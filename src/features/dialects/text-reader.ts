// Reads a reply in the text form. A `<tool>` in code, in a quotation, in a comment, in a thought or within a sentence is
// not a call; the structure of a call decides where it ends. After a call with an uncertain end, nothing more is read,
// because the following text may be a part of it: text that a tool was to write must not run.
import type { ModelCall } from "./model-call.ts";
import { CALL_FORM, readCallBody } from "./text-call.ts";

export interface TextReply {
  readonly calls: readonly ModelCall[];
  /** The text around the calls, without thoughts. */
  readonly text: string;
  /** The number of `<tool>` in code, quotations and thoughts. */
  readonly quoted: number;
}

/** Parses a complete reply, in one pass. */
export function parseTextCalls(reply: string): TextReply {
  const reader = new TextReader(reply);
  reader.read();
  return { calls: reader.calls, text: reader.texts.join(""), quoted: reader.quoted };
}

/** A longer line does not open or close a code block. */
const FENCE_LINE_MAX = 200;
const TOKEN = /\n|`+|~{3,}|<!--|-->|<tool {0,8}>|<\/?think(?:ing)?>/g;

/** A quotation, or a code block by its indent. */
const QUOTED_LINE = /^(?:\s*>| {4}| {0,3}\t)/;
/** Before a call, a line may be blank, a sentence may end, an item of a list may begin, and another call may stand. */
const CALL_MAY_FOLLOW =
  /(?:^|[.:;!?)\]}>*_\u2026\u3002\uff01\uff1a\uff1f])\s*$|^\s*(?:[-*+]|\d{1,9}[.)]|,|,? ?and(?: then)?|then)\s+$/;
const QUOTATION_MARK = /["'\u2018-\u201e\u00ab\u00bb\u2039\u203a]/;
/** Before a code block, also in a quotation and in an item of a list. */
const FENCE_MAY_FOLLOW = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?$/;

class TextReader {
  readonly #reply: string;
  calls: ModelCall[] = [];
  texts: string[] = [];
  quoted = 0;
  /** Everything before it is read. */
  #at = 0;
  /** Where the line begins, or the text after a call or a thought of this line. */
  #lineStart = 0;
  #isAfterCall = false;
  /** What opened the code block. */
  #fence: string | undefined;
  /** The length of the mark of the open code span in this line. */
  #spanLength = 0;
  #thought: string | undefined;
  #isComment = false;

  constructor(reply: string) {
    this.#reply = reply;
  }

  read(): void {
    const token = new RegExp(TOKEN);
    for (;;) {
      token.lastIndex = this.#at;
      const found = token.exec(this.#reply);
      this.#takeTo(found?.index ?? this.#reply.length);
      if (!found) return;
      this.#readToken(found[0]);
    }
  }

  #readToken(token: string): void {
    const after = this.#at + token.length;
    if (token.startsWith("<tool")) return this.#readToolTag(token);
    if (token.startsWith("<") && token !== "<!--") return this.#readThoughtTag(token);
    if (token === "\n") {
      this.#takeTo(after);
      this.#startLine();
      this.#spanLength = 0;
    } else if (token.includes("--")) {
      if (!this.#fence && this.#spanLength === 0 && this.#thought === undefined) this.#isComment = token === "<!--";
      this.#takeTo(after);
    } else {
      if (this.#thought === undefined && this.#readFence(token)) return;
      if (!this.#fence && this.#thought === undefined && token.startsWith("`"))
        this.#spanLength =
          this.#spanLength === 0 ? token.length : this.#spanLength === token.length ? 0 : this.#spanLength;
      this.#takeTo(after);
    }
  }

  /** Returns whether `token` and the rest of its line open or close a code block. */
  #readFence(token: string): boolean {
    const line = this.#line();
    if (token.length < 3 || this.#isAfterCall || line.length > FENCE_LINE_MAX || !FENCE_MAY_FOLLOW.test(line))
      return false;
    const after = this.#at + token.length;
    const [rest = ""] = this.#reply.slice(after, after + FENCE_LINE_MAX + 1).split("\n", 1);
    if (rest.length > FENCE_LINE_MAX) return false;
    if (this.#fence) {
      if (this.#fence[0] !== token[0] || token.length < this.#fence.length || rest.trim() !== "") return false;
      this.#fence = undefined;
    } else {
      if (token.startsWith("`") && rest.includes("`")) return false;
      this.#fence = token;
    }
    this.#takeTo(after + rest.length);
    return true;
  }

  #readToolTag(token: string): void {
    const line = this.#line();
    const lineEnd = this.#reply.slice(Math.max(this.#lineStart, this.#at - FENCE_LINE_MAX), this.#at);
    if (
      this.#fence ||
      this.#spanLength > 0 ||
      this.#thought !== undefined ||
      this.#isComment ||
      (!this.#isAfterCall && QUOTED_LINE.test(line)) ||
      QUOTATION_MARK.test(lineEnd.slice(-1)) ||
      !CALL_MAY_FOLLOW.test(lineEnd)
    ) {
      this.quoted++;
      this.#takeTo(this.#at + token.length);
    } else this.#readCall(this.#at + token.length);
  }

  #readThoughtTag(token: string): void {
    const name = token.replace(/[</>]/g, "");
    const isClosing = token.startsWith("</");
    const after = this.#at + token.length;
    const isInCode = this.#fence !== undefined || this.#spanLength > 0;
    if (this.#thought === undefined ? isInCode : !isClosing || name !== this.#thought) return this.#takeTo(after);
    // Everything before it was a thought that began in the prompt: the templates of some models end with `<think>`.
    if (isClosing && this.#thought === undefined) {
      this.quoted += this.calls.length;
      this.calls = [];
      this.texts = [];
    }
    this.#thought = isClosing ? undefined : name;
    this.#at = after;
    this.#startLine();
  }

  /** Reads a call from behind its `<tool>`. */
  #readCall(start: number): void {
    const reply = this.#reply;
    const bodyStart = start + (/\S/.exec(reply.slice(start))?.index ?? reply.length - start);
    const form = BODY_START.exec(reply.slice(bodyStart, bodyStart + BODY_START_MAX))?.[1];
    if (form === undefined) return this.#readWithoutBody(bodyStart);
    const end = form === "<" ? xmlBodyEnd(reply, bodyStart) : jsonBodyEnd(reply, bodyStart);
    const { call, isBroken } = readCallBody(reply.slice(bodyStart, end ?? reply.length), end === undefined);
    this.#endCall(call, isBroken || end === undefined ? reply.length : end + CLOSE.length);
  }

  /** Handles text without JSON or XML: a call in another form, or a `<tool>` that the reply only mentions. */
  #readWithoutBody(bodyStart: number): void {
    const reply = this.#reply;
    if (bodyStart === reply.length) return this.#endCall(readCallBody("", true).call, reply.length);
    const close = reply.indexOf("<", bodyStart);
    if (close === -1 || !reply.startsWith(CLOSE, close)) return this.#takeTo(bodyStart);
    const problem = `there is neither JSON nor XML between \`<tool>\` and \`</tool>\`; a call is ${CALL_FORM}`;
    this.#endCall({ kind: "faulty", problem }, close + CLOSE.length);
  }

  #endCall(call: ModelCall, end: number): void {
    this.calls.push(call);
    this.#at = end;
    this.#startLine();
    this.#isAfterCall = true;
  }

  #startLine(): void {
    this.#lineStart = this.#at;
    this.#isAfterCall = false;
  }

  /** Returns the beginning of the line, up to here; a long one stays longer than a line of a code block can be. */
  #line(): string {
    return this.#reply.slice(this.#lineStart, Math.min(this.#at, this.#lineStart + FENCE_LINE_MAX + 1));
  }

  #takeTo(end: number): void {
    if (this.#thought === undefined) this.texts.push(this.#reply.slice(this.#at, end));
    this.#at = end;
  }
}

/** The start of a body, perhaps in a code block; with more spaces it is not one. */
const BODY_START = /^(?:```\w{0,20}[ \t]{0,100}\r?\n\s{0,100})?([{[<])/;
const BODY_START_MAX = 300;
const CLOSE = "</tool>";

/** Returns where `</tool>` begins after `{…}` or `[…]`. Unexpected text between both is a part of the body. */
function jsonBodyEnd(reply: string, start: number): number | undefined {
  const mark = /["\\{}[\]]/g;
  mark.lastIndex = start;
  let depth = 0;
  let isString = false;
  for (let found = mark.exec(reply)?.[0]; found !== undefined; found = mark.exec(reply)?.[0]) {
    if (isString && found === "\\") mark.lastIndex++;
    else if (found === '"') isString = !isString;
    else if (isString || found === "\\") continue;
    else if (found === "{" || found === "[") depth++;
    else if (--depth <= 0) {
      const close = reply.indexOf(CLOSE, mark.lastIndex);
      return close === -1 ? undefined : close;
    }
  }
  return undefined;
}

/** Returns where `</tool>` begins outside of CDATA: no element can have it in its text. */
function xmlBodyEnd(reply: string, start: number): number | undefined {
  const token = /<\/tool>|<!\[CDATA\[/g;
  token.lastIndex = start;
  for (let found = token.exec(reply); found; found = token.exec(reply)) {
    if (found[0] === CLOSE) return found.index;
    const end = reply.indexOf("]]>", token.lastIndex);
    if (end === -1) return undefined;
    token.lastIndex = end + "]]>".length;
  }
  return undefined;
}
