// Splits the text of a command that runs without a shell into words. grammar/command.ohm says what the words are, and a
// test compares both; Ohm itself took half the time in which a definition is read.
import { LiteralBraces } from "../text/literal-braces.ts";
import type { PlaceholderPiece } from "./pieces.ts";

/** One part of a word, in the order written; `start` and `end` are offsets into the text. */
export type DirectToken =
  /** Two of these never follow each other. */
  | { readonly kind: "text"; readonly text: string }
  /** Marks the start or the end of pieces in quotes. */
  | { readonly kind: "quote" }
  | PlaceholderPiece
  | { readonly kind: "operator" | "open-quote" | "open-escape"; readonly text: string; readonly start: number };

export interface DirectWord {
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly DirectToken[];
}

const BRACES = String.raw`\{([A-Za-z_][A-Za-z0-9_-]*)\}|(\{\}|\{\{|\}\})`;
/** Each alternative is a rule of the grammar, in its order; the last two are plain text. */
const PIECE = new RegExp(
  String.raw`${BRACES}|([ \t\r\n]+)|'([^']*)'|"([^"\\]*(?:\\[^][^"\\]*)*)"|\\([^])|([|&;<>()$\x60'"\\])|[^ \t\r\n{}'"\\|&;<>()$\x60]+|[{}]`,
  "g",
);
const SINGLE_QUOTED_PIECE = new RegExp(`${BRACES}|[^{}]+|[{}]`, "g");
const DOUBLE_QUOTED_PIECE = new RegExp(String.raw`${BRACES}|\\(["\\$\x60\n])|([$\x60])|[^{}\\$\x60]+|[{}\\]`, "g");

/** Splits a text into words, in linear time. Every text has words. */
export function directWords(text: string): readonly DirectWord[] {
  const words: DirectWord[] = [];
  let tokens: DirectToken[] = [];
  let start = 0;
  const literal = new LiteralBraces();
  const endWord = (end: number): void => {
    if (tokens.length > 0) words.push({ start, end, tokens });
    tokens = [];
  };
  for (const match of text.matchAll(PIECE)) {
    const [piece, name, braces, gap, single, double, escaped, odd] = match;
    const at = match.index;
    if (gap !== undefined) {
      endWord(at);
      continue;
    }
    if (tokens.length === 0) start = at;
    if (single !== undefined) addQuoted(tokens, single, { quoting: "single", at: at + 1, literal });
    else if (double !== undefined) addQuoted(tokens, double, { quoting: "double", at: at + 1, literal });
    else if (odd !== undefined) tokens.push({ kind: kindOf(odd), text: odd, start: at });
    else addPiece(tokens, { piece, name, braces, escaped }, { quoting: "bare", at, literal });
  }
  endWord(text.length);
  return words;
}

function kindOf(odd: string): "operator" | "open-quote" | "open-escape" {
  return odd === "\\" ? "open-escape" : odd === "'" || odd === '"' ? "open-quote" : "operator";
}

interface Place {
  readonly quoting: PlaceholderPiece["quoting"];
  readonly at: number;
  readonly literal: LiteralBraces;
}

function addQuoted(tokens: DirectToken[], text: string, { quoting, at, literal }: Place): void {
  tokens.push({ kind: "quote" });
  for (const match of text.matchAll(quoting === "single" ? SINGLE_QUOTED_PIECE : DOUBLE_QUOTED_PIECE)) {
    const [piece, name, braces, escaped, expansion] = match;
    const start = at + match.index;
    if (expansion !== undefined) tokens.push({ kind: "operator", text: expansion, start });
    else addPiece(tokens, { piece, name, braces, escaped }, { quoting, at: start, literal });
  }
  tokens.push({ kind: "quote" });
}

interface Matched {
  readonly piece: string;
  readonly name: string | undefined;
  readonly braces: string | undefined;
  readonly escaped: string | undefined;
}

function addPiece(
  tokens: DirectToken[],
  { piece, name, braces, escaped }: Matched,
  { quoting, at, literal }: Place,
): void {
  if (name !== undefined) tokens.push({ kind: "placeholder", name, start: at, end: at + piece.length, quoting });
  else if (braces !== undefined) addText(tokens, literal.read(braces));
  // A backslash before a line end joins the lines, as in a shell.
  else if (escaped !== undefined) addText(tokens, escaped === "\n" ? "" : escaped);
  else addText(tokens, piece);
}

function addText(tokens: DirectToken[], text: string): void {
  const last = tokens.at(-1);
  if (last?.kind === "text") tokens[tokens.length - 1] = { kind: "text", text: last.text + text };
  else tokens.push({ kind: "text", text });
}
