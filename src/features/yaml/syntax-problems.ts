// YAML syntax errors in words of the project.
import { rowOf } from "../../core/text/row-of.ts";
import type { Diagnostic } from "../../core/text/diagnostic.ts";
import type { SourceFile } from "../../core/text/source.ts";

export interface YamlSyntaxError {
  /** The parser's code. */
  readonly code: string;
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** The limit of reported mistakes: one mistake causes many further on. */
const PROBLEMS_MAX = 5;
/** The limit of errors that are looked at, because finding the line of each may take a pass over the whole text. */
const ERRORS_MAX = 100;

/** Returns one problem for each line, in the order of the text. */
export function syntaxProblems(source: SourceFile, errors: readonly YamlSyntaxError[]): readonly Diagnostic[] {
  const sorted = errors.toSorted((one, other) => one.start - other.start).slice(0, ERRORS_MAX);
  const lines = new Set<number>();
  const problems: Diagnostic[] = [];
  for (const error of sorted) {
    if (problems.length === PROBLEMS_MAX) break;
    const start = placeOf(error, source.text);
    const line = lineStart(source.text, start);
    if (lines.has(line)) continue;
    lines.add(line);
    const end = Math.max(start + 1, Math.min(error.end, lineEnd(source.text, start)));
    problems.push({
      code: "broken-yaml",
      severity: "error",
      ...wording(error, source.text.slice(start, Math.max(error.end, start + 2))),
      at: { span: { source, start, end: Math.min(end, source.text.length) }, text: "" },
      related: [],
    });
    // After these, no later error is reliable.
    if (error.code === "MISSING_CHAR" || error.code === "TAB_AS_INDENT") break;
  }
  return problems;
}

/**
 * Returns the place of a problem. The parser notices an open quote at the end of the text, but its author needs the
 * beginning.
 */
function placeOf({ code, message, start }: YamlSyntaxError, text: string): number {
  if (isOpenBracket(message)) return openedAt(text, start) ?? Math.min(start, Math.max(0, text.length - 1));
  if (code !== "MISSING_CHAR" || !/quote/.test(message)) return Math.min(start, Math.max(0, text.length - 1));
  const quote = message.includes("single") || message.includes("'quote") ? "'" : '"';
  const opening = quote === "'" ? /'(?<=(?:[:\-[{,][ \t\n]|^[ \t]*)')/gm : /"(?<=(?:[:\-[{,][ \t\n]|^[ \t]*)")/gm;
  for (let opened = opening.exec(text); opened && opened.index < start; opened = opening.exec(text)) {
    const closed = closingQuote(text, opened.index + 1, quote);
    if (closed === -1 || closed >= start) return opened.index;
    opening.lastIndex = closed + 1;
  }
  return Math.min(start, Math.max(0, text.length - 1));
}

function isOpenBracket(message: string): boolean {
  return /^Flow (?:sequence|map) .* must .*end with a/.test(message);
}

/** Returns the place of the bracket that is still open at `end`; undefined if text in quotes hides it. */
function openedAt(text: string, end: number): number | undefined {
  const bare = text
    .slice(0, end)
    .replaceAll(/"(?<=[:\-[{,][ \t\n]*")(?:[^"\\]|\\[^])*"|'(?<=[:\-[{,][ \t\n]*')(?:[^']|'')*'/g, (quoted) =>
      "x".repeat(quoted.length),
    );
  let closed = 0;
  for (let at = bare.length - 1; at >= 0; at--) {
    if (bare[at] === "]" || bare[at] === "}") closed++;
    else if ((bare[at] === "[" || bare[at] === "{") && closed-- === 0) return at;
  }
  return undefined;
}

function closingQuote(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (quote === '"' && text[at] === "\\") at++;
    else if (text[at] === quote && quote === "'" && text[at + 1] === "'") at++;
    else if (text[at] === quote) return at;
  }
  return -1;
}

type Wording = Pick<Diagnostic, "message" | "help">;

const KEY: readonly [string, string] = [
  "expected `:` and a value after this key",
  "write `key: value`, or put text that continues on the next line in quotes",
];
/** By the parser's code: what is wrong, and what to do. `WRITTEN` is the text at the place. */
const wordings: Readonly<Record<string, readonly [message: string, help: string]>> = {
  BLOCK_AS_IMPLICIT_KEY: ["text with `: ` in it is read as a key and a value", "put the text in quotes"],
  TAB_AS_INDENT: ["YAML does not allow tabs for indentation", "indent with two spaces"],
  MULTIPLE_DOCS: ["a file defines one tool, and `---` starts another document", "put each tool in a separate file"],
  BAD_ALIAS: [
    "there is no anchor for `WRITTEN`",
    "write `&NAME` before a value further up; text that begins with `*` needs quotes",
  ],
  BAD_INDENT: [
    "the indentation does not match the lines above",
    "start all keys of a map, and all `-` of a list, in the same column",
  ],
  BAD_DQ_ESCAPE: [
    "`WRITTEN` is not an escape in double quotes",
    "write `\\\\` for a backslash, or use single quotes, where it is literal",
  ],
  BAD_SCALAR_START: ["text cannot begin with `WRITTEN`", "put it in quotes"],
  TAG_RESOLVE_FAILED: ["the tag `WRITTEN` is not supported", "remove it; text that begins with `!` needs quotes"],
  BAD_DIRECTIVE: ["directives are not supported", "remove the line; text that begins with `%` needs quotes"],
  MULTILINE_IMPLICIT_KEY: KEY,
};
/** How much of the text is shown; 40 characters otherwise. */
const SHOWN: Readonly<Record<string, RegExp>> = {
  BAD_DQ_ESCAPE: /^[^]{0,10}/,
  BAD_SCALAR_START: /^[^]?/,
  TAG_RESOLVE_FAILED: /^![^\s,\]}]*/,
};

function wording({ code, message }: YamlSyntaxError, written: string): Wording {
  const bracket = written.slice(0, 1);
  if (isOpenBracket(message) && /[[{]/.test(bracket))
    return {
      message: `this \`${bracket}\` is not closed`,
      help: [`close it with \`${bracket === "[" ? "]" : "}"}\`; text that begins with \`${bracket}\` needs quotes`],
    };
  if (code === "MISSING_CHAR" && /quote/.test(message))
    return {
      message: "this quote is not closed",
      help: ["close it, or write the text below `|`, where quotes have no meaning"],
    };
  const isKey = code === "MISSING_CHAR" && (message.includes(":") || /implicit map key/i.test(message));
  const [said, help] = (isKey ? KEY : rowOf(wordings, code)) ?? [
    code === "MISSING_CHAR" ? withoutText(message) : `this is not valid YAML: ${withoutText(message)}`,
    "put text that has `{`, `[`, `:`, `#`, `*`, `&` or `!` in quotes, and commands of several lines below `|`",
  ];
  const shown = rowOf(SHOWN, code)?.exec(written)?.[0] ?? written.slice(0, 40);
  return { message: said.replace("WRITTEN", () => shown), help: [help] };
}

/** Returns the parser's message without the text that it quotes. */
function withoutText(message: string): string {
  const plain = message.replace(/:? *["'`].*$/s, "").split("\n")[0] ?? "";
  return plain.slice(0, 1).toLowerCase() + plain.slice(1);
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const newline = text.indexOf("\n", at);
  return newline === -1 ? text.length : newline;
}
