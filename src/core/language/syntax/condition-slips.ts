// The mistake where a condition stops matching, and what people write instead of its words: rows by the kind of token.
import { parseReference } from "../../tool/reference.ts";
import { stepFields } from "../../tool/step.ts";
import { nearestOf } from "../analysis.ts";
import type { ConditionToken } from "./condition-grammar.ts";
import type { SourceRange } from "./mapped-text.ts";

export interface ConditionMistake extends SourceRange {
  readonly message: string;
  /** The text beside the marker. */
  readonly label: string;
  readonly help?: string;
}

/** The place where reading stopped: the token (none at the end), and what was expected there, in words. */
export interface Stop {
  readonly text: string;
  readonly tokens: readonly ConditionToken[];
  readonly index: number;
  readonly expected: string;
}

/** A token, what its place wants, and the tokens around it. */
interface Spot {
  readonly token: ConditionToken;
  readonly wanted: "left value" | "right value" | "pattern" | "operator";
  readonly tokens: readonly ConditionToken[];
  readonly index: number;
}

const comparisons: readonly string[] = ["==", "!=", "<", "<=", ">", ">=", "contains"];
/** Operators of other languages. */
const otherSpellings: ReadonlyMap<string, string> = new Map(
  "= == === == !== != <> != => >= =< <= & && | || =~ matches and && or || -and && -or || is == equals == eq == ne != lt < le <= gt > ge >= -eq == -ne != -lt < -le <= -gt > -ge >="
    .split(" ")
    .flatMap((word, at, all) => (at % 2 === 0 ? [[word, all[at + 1] ?? ""] as const] : [])),
);

/** What is meant by a token of each kind, in its place; undefined if that is not certain, or is what is written. */
const meant: { readonly [Kind in ConditionToken["kind"]]?: (spot: Spot) => string | undefined } = {
  wrongOperator: ({ token, wanted }) => (wanted === "operator" ? otherSpellings.get(token.text) : undefined),
  word: meantWord,
  // `${{ name }}` and `{ name }`.
  braces: ({ token }) => {
    const plain = `{${token.text.replaceAll(/^\$?\{+|\}+$/g, "").trim()}}`;
    return parseReference(plain.slice(1, -1)) ? plain : undefined;
  },
  openBraces: ({ token }) => (parseReference(token.text.slice(1)) ? `${token.text}}` : undefined),
  curledText: ({ token }) => JSON.stringify(token.text.slice(1, -1)),
  openText: ({ token: { text }, wanted }) => {
    const isOneText = !/[&|()"'\\{}=<>]/.test(text.slice(1)) && text.trim().length > 1;
    return isOneText && wanted !== "operator"
      ? `${text.trimEnd().replace(/[“”„‟]$/, "")}${text.slice(0, 1)}`
      : undefined;
  },
  text: ({ token: { text }, wanted }) => {
    if (wanted === "pattern") return slashed(text.slice(1, -1));
    return /^\{.*\}$/.test(text.slice(1, -1)) && parseReference(text.slice(2, -2)) ? text.slice(1, -1) : undefined;
  },
  escapedText: ({ token: { text }, wanted }) => {
    if (wanted === "pattern") return slashed(text.slice(1, -1).replaceAll(/\\\\/g, "\\"));
    return text.replaceAll(/\\(u[0-9a-fA-F]{4}|[^])/gu, (escape) =>
      /^\\(u.|["\\/bfnrt])/.test(escape) ? escape : `\\${escape}`,
    );
  },
};

function meantWord({ token: { text, end }, wanted, tokens, index }: Spot): string | undefined {
  const lower = text.toLowerCase();
  const next = tokens[index + 1];
  if (text === "$" && next?.start === end && next.text.startsWith("{")) return "";
  if (wanted === "operator") return otherSpellings.get(lower) ?? nearestOf(lower, ["contains", "matches"]);
  if (wanted === "pattern") return /^\/.*\/\w*$/.test(text) ? undefined : slashed(text);
  if (lower === "true" || lower === "false") return lower;
  if (isStepField(text)) return `{${text}}`;
  if (wanted === "right value")
    return text === "null" ? '""' : Number.isFinite(Number(text)) ? undefined : JSON.stringify(text);
  if (lower === "not") return "!";
  // Compared with a reference, it may also be a text.
  const isCall = next?.kind === "openParenthesis" && next.start === end;
  const isOpen = isCall || tokens[index + 2]?.kind === "reference" || !parseReference(text);
  return isOpen ? undefined : `{${text}}`;
}

function isStepField(text: string): boolean {
  const field = parseReference(text)?.path[0];
  return stepFields.some((known) => known === field);
}

/** Escapes slashes that have no backslash. */
function slashed(source: string): string {
  return `/${source.replaceAll(/\\[^]|\//g, (part) => (part === "/" ? "\\/" : part))}/`;
}

/** Returns what a place wants that comes after this text. */
function wantedAfter(text: string | undefined): Spot["wanted"] {
  if (text === undefined || ["(", "!", "&&", "||", ""].includes(text)) return "left value";
  if (text === "matches") return "pattern";
  return comparisons.includes(text) ? "right value" : "operator";
}

/** Returns the text with what each token means, which may be no condition either. */
export function withMeantTokens(text: string, tokens: readonly ConditionToken[]): string {
  let better = "";
  let at = 0;
  let last: string | undefined;
  for (const [index, token] of tokens.entries()) {
    const own = meant[token.kind]?.({ token, wanted: wantedAfter(last), tokens, index }) ?? token.text;
    better += text.slice(at, token.start) + own;
    // `not {a}` is `!{a}`.
    at = own === "!" && token.text !== "!" ? (tokens[index + 1]?.start ?? token.end) : token.end;
    last = own;
  }
  const operators = new Set(tokens.map(({ text: one }) => one));
  // Elsewhere it could mean something else.
  const canOnlyCloseAtEnd = !operators.has("!") && !(operators.has("&&") && operators.has("||"));
  return better + text.slice(at).trimEnd() + (canOnlyCloseAtEnd ? ")".repeat(openedIn(tokens).length) : "");
}

/** Returns the parentheses that are not closed. */
function openedIn(tokens: readonly ConditionToken[]): readonly ConditionToken[] {
  const open: ConditionToken[] = [];
  for (const token of tokens) {
    if (token.kind === "openParenthesis") open.push(token);
    else if (token.kind === "closeParenthesis") open.pop();
  }
  return open;
}

export function mistakeAt({ text, tokens, index, expected }: Stop): ConditionMistake {
  const token = tokens[index];
  const wanted = wantedAfter(tokens[index - 1]?.text);
  if (!token) return missingEnd({ text, tokens, index, expected }, wanted);
  const { kind, start, end } = token;
  const said = shown(token.text);
  const mistake = { start, end, label: `expected ${expected}` };
  if (kind === "openText")
    return {
      ...mistake,
      end: start + 1,
      message: "this quote is not closed",
      label: `expected a second \`${token.text.slice(0, 1)}\``,
    };
  if (kind === "openBraces")
    return { ...mistake, message: "this brace is not closed", label: "expected `}` after the name" };
  const own = meant[kind]?.({ token, wanted, tokens, index });
  if (own !== undefined && own !== "")
    return {
      ...mistake,
      message: `\`${said}\` must be written as \`${shown(own)}\` in a condition`,
      ...(kind === "wrongOperator" ? { label: `expected \`${own}\`` } : {}),
    };
  if (kind === "braces")
    return {
      ...mistake,
      message: `\`${said}\` is not a reference`,
      label: "expected `{name}`, `{step.output}` or `{step.json.path[0]}`",
    };
  const help = helpFor(token, { wanted, next: tokens[index + 1] });
  return { ...mistake, message: `\`${said}\` does not belong here`, ...(help === undefined ? {} : { help }) };
}

function missingEnd({ text, tokens, expected }: Stop, wanted: Spot["wanted"]): ConditionMistake {
  const end = text.trimEnd().length;
  const label = `expected ${expected}`;
  if (tokens.length === 0) return { start: 0, end: text.length, message: "the condition is empty", label };
  const open = wanted === "operator" ? openedIn(tokens).at(-1) : undefined;
  if (!open) return { start: end, end, message: "the condition is incomplete", label };
  const { start, end: behind } = open;
  return { start, end: behind, message: "this parenthesis is not closed", label: "expected a `)` to close it" };
}

function helpFor(
  { kind, text, end }: ConditionToken,
  { wanted, next }: { readonly wanted: Spot["wanted"]; readonly next: ConditionToken | undefined },
): string | undefined {
  if (wanted === "operator" && comparisons.includes(text))
    return "a comparison has two values; combine two comparisons with `&&`";
  if (kind !== "word" || wanted !== "left value") return undefined;
  if (next?.kind === "openParenthesis" && next.start === end)
    return "a condition cannot call functions; `{step.ok}` is `true` if a step succeeded";
  return parseReference(text) ? `write \`{${text}}\` for a value, \`"${text}"\` for a text` : undefined;
}

const SHOWN_CHARACTERS_MAX = 40;

function shown(text: string): string {
  const cut = text.slice(0, SHOWN_CHARACTERS_MAX).toWellFormed();
  return text.length > SHOWN_CHARACTERS_MAX ? `${cut}…` : cut;
}
