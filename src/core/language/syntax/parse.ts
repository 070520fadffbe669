// Stage 3 of the walk: parses a text into a `ToolFile`. Every text parses; what does not fit is kept as odd lines and
// stray text.
import type { SourceFile } from "../../text/source.ts";
import { annotationKinds, keywordOf } from "./annotations.ts";
import type { Annotation, MappedText, ToolFile } from "./ast.ts";
import { type SourceRange, isBlank, mappedText } from "./mapped-text.ts";

const TAB_COLUMNS = 8;
const COMMAND = "command";
/** A mark that may stand before the first line, or within a file that was joined from several. */
const BYTE_ORDER_MARK = 0xfeff;

/** Parses a text in linear time. Never throws. */
export function parseToolFile(source: SourceFile): ToolFile {
  const reader = new LineReader(source);
  for (let start = 0; start < source.text.length; ) {
    const newline = source.text.indexOf("\n", start);
    const end = newline === -1 ? source.text.length : newline;
    reader.read(lineOf(source.text, start, end));
    start = end + 1;
  }
  return reader.finished();
}

interface Line {
  readonly start: number;
  /** The offset of the first character that is neither white space nor a byte order mark. */
  readonly textStart: number;
  /** The end of the text without blanks and carriage returns. */
  readonly textEnd: number;
  /** The end of the line with trailing blanks, without carriage returns. */
  readonly end: number;
  readonly indentColumns: number;
  readonly startsAnnotation: boolean;
}

function lineOf(text: string, start: number, lineEnd: number): Line {
  let end = lineEnd;
  while (end > start && text.charCodeAt(end - 1) === 13) end--;
  let textStart = start;
  let indentColumns = 0;
  for (; textStart < end; textStart++) {
    const character = text.charCodeAt(textStart);
    if (character === 32) indentColumns++;
    else if (character === 9) indentColumns += TAB_COLUMNS - (indentColumns % TAB_COLUMNS);
    else if (character !== BYTE_ORDER_MARK) break;
  }
  let textEnd = end;
  while (textEnd > textStart && isBlankOrReturn(text.charCodeAt(textEnd - 1))) textEnd--;
  const startsAnnotation =
    text.charCodeAt(textStart) === 64 && isLetter(text.charCodeAt(textStart + 1)) && textStart + 1 < textEnd;
  return { start, textStart, textEnd, end, indentColumns, startsAnnotation };
}

function isBlankOrReturn(character: number): boolean {
  return character === 32 || character === 9 || character === 13;
}

function isLetter(character: number): boolean {
  return (character >= 65 && character <= 90) || (character >= 97 && character <= 122);
}

/**
 * The element being collected: one annotation with its continuations and body, one odd line, or one stray paragraph.
 */
interface Open {
  readonly kind: "annotation" | "odd" | "stray";
  readonly indentColumns: number;
  readonly start: number;
  readonly head?: Head;
  readonly keyword?: string;
  readonly takesBody: boolean;
  readonly text: SourceRange[];
  readonly body: Line[];
  isEnded: boolean;
  /** Whether the body is not indented, so that it ends at the next known annotation. */
  isFlush: boolean;
  /** The quotation mark in which the text of a command has come to the end of its line. */
  quote: string;
}

/** Whether nothing but lines of a program can follow: without an indent they are not one line. */
function isBare({ keyword = "", text, isEnded }: Open): boolean {
  return ["command", "script", "code"].includes(keyword) && text.length === 0 && !isEnded;
}

class LineReader {
  readonly #source: SourceFile;
  readonly #description: Line[] = [];
  readonly #annotations: Annotation[] = [];
  readonly #oddLines: MappedText[] = [];
  readonly #strayText: MappedText[] = [];
  #open: Open | undefined;
  #hasAnnotation = false;

  constructor(source: SourceFile) {
    this.#source = source;
  }

  read(line: Line): void {
    const open = this.#open;
    const isEmpty = line.textStart === line.textEnd;
    if (!this.#hasAnnotation && !line.startsAnnotation) this.#description.push(line);
    else if (open?.takesBody && this.#continuesBody(open, line, isEmpty)) this.#pushBody(open, line);
    else if (isEmpty) this.#endText();
    else if (line.startsAnnotation) this.#begin(line);
    else if (open && !open.isEnded && open.body.length === 0)
      open.text.push({ start: line.textStart, end: line.textEnd });
    else this.#beginStray(line);
  }

  #pushBody(open: Open, line: Line): void {
    open.body.push(line);
    if (open.keyword === COMMAND) open.quote = quoteAfter(this.#source.text, line, open.quote);
  }

  #continuesBody(open: Open, line: Line, isEmpty: boolean): boolean {
    // A text in quotes goes on over blank lines and at any indent. A known annotation shows that a mark is missing.
    if (open.quote !== "" && !this.#isKnown(line)) return true;
    const isDeeper = line.indentColumns > open.indentColumns;
    if (open.body.length === 0 && !isEmpty && !isDeeper && !line.startsAnnotation && isBare(open)) open.isFlush = true;
    if (open.isFlush) return isEmpty ? open.keyword !== COMMAND : !open.isEnded && !this.#endsFlush(open, line);
    if (isEmpty) return open.body.length > 0;
    return isDeeper && !open.isEnded;
  }

  /** A script of another program may have lines such as `@test` and `@app.get("/")`, an annotation has a text. */
  #endsFlush({ body: [first] }: Open, line: Line): boolean {
    if (!line.startsAnnotation) return false;
    const isOfProgram = first !== undefined && this.#source.text.startsWith("#!", first.textStart);
    return !isOfProgram || (this.#isKnown(line) && /[ \t]/.test(this.#source.text.slice(line.textStart, line.textEnd)));
  }

  #isKnown({ startsAnnotation, textStart, textEnd }: Line): boolean {
    if (!startsAnnotation) return false;
    const [word = ""] = /^[\w-]+/.exec(this.#source.text.slice(textStart + 1, Math.min(textEnd, textStart + 65))) ?? [];
    return keywordOf(word) !== undefined;
  }

  #endText(): void {
    if (this.#open) this.#open.isEnded = true;
  }

  #begin(line: Line): void {
    this.#close();
    this.#hasAnnotation = true;
    const { text } = this.#source;
    let headEnd = line.textStart;
    while (headEnd < line.textEnd && !isBlank(text.charCodeAt(headEnd))) headEnd++;
    const head = headOf(text.slice(line.textStart, headEnd));
    let restStart = headEnd;
    while (restStart < line.textEnd && isBlank(text.charCodeAt(restStart))) restStart++;
    const keyword = head && (keywordOf(head.keyword) ?? head.keyword);
    const first = head ? { start: restStart, end: line.textEnd } : { start: line.textStart, end: line.textEnd };
    this.#open = {
      kind: head ? "annotation" : "odd",
      indentColumns: line.indentColumns,
      start: line.textStart,
      ...(head && keyword !== undefined ? { head, keyword } : {}),
      takesBody: keyword !== undefined && annotationKinds.get(keyword)?.takesBody === true,
      text: first.start === first.end ? [] : [first],
      body: [],
      isEnded: false,
      isFlush: false,
      quote: keyword === COMMAND ? quoteAfter(text, { textStart: first.start, end: line.end }, "") : "",
    };
  }

  #beginStray(line: Line): void {
    this.#close();
    const text = [{ start: line.textStart, end: line.textEnd }];
    this.#open = {
      kind: "stray",
      indentColumns: line.indentColumns,
      start: line.textStart,
      takesBody: false,
      text,
      body: [],
      isEnded: false,
      isFlush: false,
      quote: "",
    };
  }

  #close(): void {
    const open = this.#open;
    this.#open = undefined;
    if (!open) return;
    const [first, ...others] = open.text;
    const text = first && mappedText(this.#source, [first, ...others], " ");
    if (open.kind === "odd" && text) this.#oddLines.push(text);
    else if (open.kind === "stray" && text) this.#strayText.push(text);
    else if (open.head) this.#annotations.push(this.#annotation(open, open.head, text));
  }

  #annotation(open: Open, head: Head, text: MappedText | undefined): Annotation {
    const { keyword = head.keyword } = open;
    const body = bodyOf(this.#source, open.body);
    const headEnd = open.start + head.length;
    const end = body?.span.end ?? text?.span.end ?? headEnd;
    const within = (range: SourceRange): SourceRange => ({
      start: open.start + range.start,
      end: open.start + range.end,
    });
    return {
      keyword,
      ...(keyword === head.keyword ? {} : { written: head.keyword }),
      keywordSpan: { source: this.#source, start: open.start, end: open.start + 1 + head.keyword.length },
      ...(head.qualifier ? { qualifier: mappedText(this.#source, [within(head.qualifier)]) } : {}),
      text: text ?? mappedText(this.#source, [{ start: headEnd, end: headEnd }]),
      ...(body ? { body } : {}),
      span: { source: this.#source, start: open.start, end },
    };
  }

  finished(): ToolFile {
    this.#close();
    const description = descriptionOf(this.#source, this.#description);
    return {
      source: this.#source,
      description,
      annotations: this.#annotations,
      oddLines: this.#oddLines,
      strayText: this.#strayText,
    };
  }
}

/** Returns the quotation mark that is open after this line, if `open` was before it. */
function quoteAfter(text: string, { textStart, end }: Pick<Line, "textStart" | "end">, open: string): string {
  let quote = open;
  for (let at = textStart; at < end; at++) {
    const character = text[at] ?? "";
    if (character === "\\" && quote !== "'") at++;
    else if (quote === "" && (character === "'" || character === '"')) quote = character;
    else if (character === quote) quote = "";
  }
  return quote;
}

/** Returns the lines of the description without trailing blanks, and without empty lines before and after. */
function descriptionOf(source: SourceFile, lines: readonly Line[]): MappedText {
  const isText = (line: Line): boolean => line.textStart < line.textEnd;
  const from = lines.findIndex(isText);
  const kept = from === -1 ? [] : lines.slice(from, lines.findLastIndex(isText) + 1);
  const [first, ...others] = kept.map(
    (line, index): SourceRange => ({
      start: index === 0 ? line.textStart : line.start,
      end: isText(line) ? line.textEnd : line.start,
    }),
  );
  return mappedText(source, [first ?? { start: 0, end: 0 }, ...others], "\n");
}

/** Returns the body without the indent that its lines share, and without empty lines at the end. */
function bodyOf(source: SourceFile, lines: readonly Line[]): MappedText | undefined {
  const isText = (line: Line): boolean => line.textStart < line.textEnd;
  const kept = lines.slice(0, lines.findLastIndex(isText) + 1);
  const [top] = kept;
  if (!top) return undefined;
  const indentOf = (line: Line): string => source.text.slice(line.start, line.textStart);
  let shared = indentOf(top);
  for (const line of kept) if (isText(line)) shared = sharedStart(shared, indentOf(line));
  const [first, ...others] = kept.map(
    (line): SourceRange =>
      isText(line) ? { start: line.start + shared.length, end: line.end } : { start: line.start, end: line.start },
  );
  return first && mappedText(source, [first, ...others], "\n");
}

function sharedStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, length);
}

/** The limit of a keyword; a longer first word is none. */
const HEAD_CHARACTERS_MAX = 200;
interface Head {
  readonly keyword: string;
  /** Offsets into the head. */
  readonly qualifier?: SourceRange;
  readonly length: number;
}

/** As `head` in grammar/tool.ohm says. */
const HEAD = /^@([A-Za-z][A-Za-z0-9-]*)(?:\(([A-Za-z0-9_-]+)\))?$/;

/**
 * Splits a line into an annotation's keyword and text. Returns undefined if it only looks like an annotation, such as
 * `@param{string}`.
 */
function headOf(text: string): Head | undefined {
  const [, keyword, qualifier] = (text.length <= HEAD_CHARACTERS_MAX && HEAD.exec(text)) || [];
  if (keyword === undefined) return undefined;
  const start = keyword.length + 2;
  const range = qualifier === undefined ? {} : { qualifier: { start, end: start + qualifier.length } };
  return { keyword, length: text.length, ...range };
}
