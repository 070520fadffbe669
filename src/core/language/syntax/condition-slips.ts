// The mistake where a condition stops matching, and fixes for common mistakes.
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
  /** A change that brings the text nearer to what it surely means, though perhaps not all the way. */
  readonly repair?: SourceRange & { readonly text: string };
}

/** The place where reading stopped: the text, the token (none at the end), and what was expected there, in words. */
export interface Stop {
  readonly text: string;
  readonly tokens: readonly ConditionToken[];
  readonly index: number;
  readonly expected: string;
}

/** The kind of token expected at a place, by the token before it. */
type Wanted = "left value" | "right value" | "pattern" | "operator";

const comparisons: readonly string[] = ["==", "!=", "<", "<=", ">", ">=", "contains"];
/** Operators of other languages. */
const otherSpellings: Readonly<Record<string, string>> = {
  "=": "==",
  "===": "==",
  "!==": "!=",
  "<>": "!=",
  "=>": ">=",
  "=<": "<=",
  "&": "&&",
  "|": "||",
  "=~": "matches",
  and: "&&",
  or: "||",
  "-and": "&&",
  "-or": "||",
  is: "==",
  equals: "==",
  eq: "==",
  ne: "!=",
  lt: "<",
  le: "<=",
  gt: ">",
  ge: ">=",
  "-eq": "==",
  "-ne": "!=",
  "-lt": "<",
  "-le": "<=",
  "-gt": ">",
  "-ge": ">=",
};

export function mistakeAt(stop: Stop): ConditionMistake {
  const token = stop.tokens[stop.index];
  if (!token) return missingEnd(stop);
  const wanted = wantedAt(stop);
  return (
    special(token, stop, wanted) ??
    (token.kind === "word" ? wordMistake(token, stop, wanted) : undefined) ??
    (wanted === "pattern" ? patternMistake(token, stop) : undefined) ??
    misplaced(token, stop, wanted)
  );
}

function wantedAt({ tokens, index }: Stop): Wanted {
  const before = tokens[index - 1];
  switch (before?.kind) {
    case undefined:
    case "openParenthesis":
      return "left value";
    case "operator":
      return comparisons.includes(before.text) ? "right value" : "left value";
    case "matches":
      return "pattern";
    default:
      return "operator";
  }
}

/** Reports the end of the text, where something is missing. */
function missingEnd(stop: Stop): ConditionMistake {
  const { text, tokens, expected } = stop;
  const end = text.trimEnd().length;
  if (tokens.length === 0)
    return { start: 0, end: text.length, message: "the condition is empty", label: `expected ${expected}` };
  const open = wantedAt(stop) === "operator" ? lastOpen(tokens) : undefined;
  if (open === undefined)
    return { start: end, end, message: "the condition is incomplete", label: `expected ${expected}` };
  const { start, end: behind } = tokens[open] ?? { start: end, end };
  const repair = canOnlyCloseAtEnd(tokens, open) ? { repair: { start: end, end, text: ")" } } : {};
  return {
    start,
    end: behind,
    message: "this parenthesis is not closed",
    label: "expected a `)` to close it",
    ...repair,
  };
}

function lastOpen(tokens: readonly ConditionToken[]): number | undefined {
  const open: number[] = [];
  for (const [index, { kind }] of tokens.entries()) {
    if (kind === "openParenthesis") open.push(index);
    else if (kind === "closeParenthesis") open.pop();
  }
  return open.at(-1);
}

/** Whether closing it elsewhere would mean the same. */
function canOnlyCloseAtEnd(tokens: readonly ConditionToken[], open: number): boolean {
  const inside = new Set(tokens.slice(open).map(({ text }) => text));
  const isNegated = tokens[open - 1]?.text === "!";
  return inside.has("&&") ? !inside.has("||") && !isNegated : !inside.has("||") || !isNegated;
}

/** Returns the mistake of a token that is wrong in any place. */
function special(token: ConditionToken, stop: Stop, wanted: Wanted): ConditionMistake | undefined {
  const { kind, text, start, end } = token;
  switch (kind) {
    case "wrongOperator":
      return wanted === "operator"
        ? respelled(token, otherSpellings[text] ?? "", { ...stop, expected: `\`${otherSpellings[text]}\`` })
        : undefined;
    case "braces":
      return malformedReference(token, stop);
    case "openBraces": {
      const repair = parseReference(text.slice(1)) ? { repair: { start: end, end, text: "}" } } : {};
      return { start, end, message: "this brace is not closed", label: "expected `}` after the name", ...repair };
    }
    case "escapedText":
      return wanted === "pattern" ? undefined : wrongEscape(token);
    case "openText":
      return openQuote(token, wanted);
    case "curledText":
      return respelled(token, JSON.stringify(text.slice(1, -1)), stop);
    case "closeParenthesis":
      return wanted === "operator"
        ? { start, end, message: "this `)` has no matching `(`", label: `expected ${stop.expected}` }
        : undefined;
    case "operator":
      return notContains(token, stop);
    default:
      return undefined;
  }
}

function respelled(
  token: SourceRange & { readonly text: string },
  text: string,
  { expected }: Pick<Stop, "expected">,
): ConditionMistake {
  return {
    start: token.start,
    end: token.end,
    message: `\`${shown(token.text)}\` must be written as \`${shown(text.trimEnd())}\` in a condition`,
    label: `expected ${expected}`,
    repair: { start: token.start, end: token.end, text },
  };
}

function malformedReference(token: ConditionToken, stop: Stop): ConditionMistake {
  const better = braced(token.text);
  if (parseReference(better.slice(1, -1))) return respelled(token, better, stop);
  return {
    start: token.start,
    end: token.end,
    message: `\`${shown(token.text)}\` is not a reference`,
    label: "expected `{name}`, `{step.output}` or `{step.json.path[0]}`",
  };
}

/** Returns the text with one brace at each end, without spaces inside them. */
function braced(text: string): string {
  return `{${text.replaceAll(/^\{+|\}+$/g, "").trim()}}`;
}

function wrongEscape({ text, start }: ConditionToken): ConditionMistake {
  const escapes = [...text.matchAll(/\\(u[0-9a-fA-F]{4}|[^])/gu)];
  const wrong = escapes.find(([escape]) => !/^\\(u.|["\\/bfnrt])/.test(escape));
  const at = start + (wrong?.index ?? 0);
  const repaired = text.replaceAll(/\\(u[0-9a-fA-F]{4}|[^])/gu, (escape) =>
    /^\\(u.|["\\/bfnrt])/.test(escape) ? escape : `\\${escape}`,
  );
  const end = at + (wrong?.[0].length ?? 1);
  return {
    start: at,
    end,
    message: `\`${wrong?.[0] ?? ""}\` is not an escape in double quotes`,
    label: "expected `\\\\` for a backslash",
    repair: { start, end: start + text.length, text: repaired },
  };
}

function openQuote({ text, start, end }: ConditionToken, wanted: Wanted): ConditionMistake {
  const quote = text.slice(0, 1);
  const mistake = {
    start,
    end: start + 1,
    message: "this quote is not closed",
    label: `expected a second ${quote === '"' ? '`"`' : "`'`"}`,
  };
  const curl = text.search(/[“”„‟]/);
  if (curl !== -1) return { ...mistake, repair: { start: start + curl, end: start + curl + 1, text: quote } };
  const isOneText = !/[&|()"'\\{}=<>]/.test(text.slice(1)) && text.trim().length > 1;
  return isOneText && wanted !== "operator"
    ? { ...mistake, repair: { start: start + text.trimEnd().length, end, text: quote } }
    : mistake;
}

/** Repairs `{a} not contains "x"`. */
function notContains(token: ConditionToken, { tokens, index, text, expected }: Stop): ConditionMistake | undefined {
  const operand = tokens[index - 1];
  const operator = tokens[index + 1];
  if (!operand || !operator || !/^(not|!)$/i.test(token.text) || !/^(contains|matches)$/.test(operator.text))
    return undefined;
  const written = { start: operand.start, end: operator.end, text: text.slice(operand.start, operator.end) };
  return {
    ...respelled(written, `!${operand.text} ${operator.text}`, { expected }),
    start: token.start,
    end: token.end,
  };
}

function wordMistake(token: ConditionToken, stop: Stop, wanted: Wanted): ConditionMistake | undefined {
  const lower = token.text.toLowerCase();
  const next = stop.tokens[stop.index + 1];
  if (token.text === "$" && next?.start === token.end && /^\{/.test(next.text))
    return respelled({ ...token, end: next.end, text: `$${next.text}` }, braced(next.text), stop);
  if (wanted === "operator") return wordForOperator(token, stop);
  if (lower === "true" || lower === "false") return respelled(token, lower, stop);
  switch (wanted) {
    case "left value":
      return lower === "not" ? negation(token, stop) : leftWord(token, stop);
    case "right value":
      return rightWord(token, stop);
    case "pattern":
      return respelled(token, slashed(token.text), stop);
  }
}

function wordForOperator(token: ConditionToken, stop: Stop): ConditionMistake | undefined {
  const lower = token.text.toLowerCase();
  const spelling = Object.hasOwn(otherSpellings, lower)
    ? otherSpellings[lower]
    : nearestOf(lower, ["contains", "matches"]);
  return spelling === undefined ? notContains(token, stop) : respelled(token, spelling, stop);
}

/** Replaces `not` and the spaces after it. */
function negation(token: ConditionToken, stop: Stop): ConditionMistake {
  const end = stop.tokens[stop.index + 1]?.start ?? token.end;
  return {
    ...respelled({ ...token, end }, "!", stop),
    message: `\`${token.text}\` must be written as \`!\` in a condition`,
    end: token.end,
  };
}

/** Converts a word on the left. Compared with a reference, it may also be a text. */
function leftWord(token: ConditionToken, stop: Stop): ConditionMistake | undefined {
  const facing = stop.tokens[stop.index + 2];
  const call = stop.tokens[stop.index + 1];
  if (call?.kind === "openParenthesis" && call.start === token.end)
    return {
      ...misplaced(token, stop, "left value"),
      message: `a condition cannot call functions such as \`${shown(token.text)}\``,
      help: "`{step.ok}` is `true` if a step succeeded",
    };
  if (!parseReference(token.text)) return undefined;
  if (facing?.kind !== "reference" || isStepField(token.text)) return respelled(token, `{${token.text}}`, stop);
  return {
    ...misplaced(token, stop, "left value"),
    help: `write \`{${token.text}}\` for a value, \`"${token.text}"\` for a text`,
  };
}

function rightWord(token: ConditionToken, stop: Stop): ConditionMistake | undefined {
  const { text } = token;
  if (isStepField(text)) return respelled(token, `{${text}}`, stop);
  if (text === "null") return { ...respelled(token, '""', stop), help: "a missing value is the empty string" };
  if (Number.isFinite(Number(text)))
    return {
      start: token.start,
      end: token.end,
      message: `\`${shown(text)}\` is not a number in a condition`,
      label: `expected ${stop.expected}`,
      help: "a number has digits, an optional `-` and an optional fraction; to compare text, put it in quotes",
    };
  const end = endOfWords(stop);
  return respelled(
    { start: token.start, end, text: stop.text.slice(token.start, end) },
    JSON.stringify(stop.text.slice(token.start, end)),
    stop,
  );
}

/** Returns the end of a row of words that are not operators. */
function endOfWords({ tokens, index }: Stop): number {
  let last = index;
  while (
    tokens[last + 1]?.kind === "word" &&
    !Object.hasOwn(otherSpellings, tokens[last + 1]?.text.toLowerCase() ?? "")
  )
    last++;
  return tokens[last]?.end ?? 0;
}

function isStepField(text: string): boolean {
  const field = parseReference(text)?.path[0];
  return stepFields.some((known) => known === field);
}

function patternMistake(token: ConditionToken, { expected }: Stop): ConditionMistake {
  if (token.kind !== "text" && token.kind !== "escapedText")
    return {
      start: token.start,
      end: token.end,
      message: "`matches` needs a pattern between slashes",
      label: `expected ${expected}`,
    };
  const inner = token.text.slice(1, -1);
  return respelled(
    token,
    slashed(token.text.startsWith('"') && inner.includes("\\\\") ? inner.replaceAll(/\\(["\\])/g, "$1") : inner),
    { expected },
  );
}

/** Escapes slashes that have no backslash. */
function slashed(source: string): string {
  return `/${source.replaceAll(/\\[^]|\//g, (part) => (part === "/" ? "\\/" : part))}/`;
}

function misplaced(token: ConditionToken, { expected }: Stop, wanted: Wanted): ConditionMistake {
  const isChain = wanted === "operator" && comparisons.includes(token.text);
  return {
    start: token.start,
    end: token.end,
    message: `\`${shown(token.text)}\` does not belong here`,
    label: `expected ${expected}`,
    ...(isChain ? { help: "a comparison has two values; combine two comparisons with `&&`" } : {}),
  };
}

const SHOWN_CHARACTERS_MAX = 40;

function shown(text: string): string {
  const cut = text.slice(0, SHOWN_CHARACTERS_MAX).toWellFormed();
  return text.length > SHOWN_CHARACTERS_MAX ? `${cut}…` : cut;
}
