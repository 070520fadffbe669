// Parses `when=CONDITION` once. The values are only compared later and never parsed, so they cannot change what a
// condition means.
import { patternMatch } from "../../schema/pattern-match.ts";
import type { Condition } from "../../tool/condition.ts";
import type { DiagnosticCode } from "../../text/codes.ts";
import type { Checked, Diagnostic, Fix } from "../../text/diagnostic.ts";
import type { Spanned } from "../../text/source.ts";
import { parseReference, REFERENCE, type Reference } from "../../tool/reference.ts";
import { regexProblem, SLOW_PATTERN } from "../fields/options.ts";
import { type MappedText, spanWithin } from "./ast.ts";
import { conditionTokens, type ConditionToken, patternOf, readCondition } from "./condition-grammar.ts";
import { type ConditionMistake, mistakeAt, withMeantTokens } from "./condition-slips.ts";

export const CONDITION_CHARACTERS_MAX = 4_096;
/** The nesting limit of parentheses and `!`. */
export const CONDITION_NESTING_MAX = 64;
const REPAIRED_CHARACTERS_MAX = 1_024;
const FIX_TITLE_CHARACTERS_MAX = 100;
const BRACED_REFERENCE = new RegExp(`\\{${REFERENCE}\\}`);

/** Parses a condition. Gives at most one diagnostic, because the text after a mistake is often wrong because of it. */
export function parseCondition(written: MappedText): Checked<Condition> {
  const { text, requoted } = withoutQuotes(written);
  const { condition, mistake } = conditionIn(text.text);
  if (condition) return { value: condition, diagnostics: slowPatterns(text) };
  const { code, start, end, message, label, help } = mistake;
  const repaired = requoted(
    withMeantTokens(
      text.text.slice(0, REPAIRED_CHARACTERS_MAX),
      conditionTokens(text.text.slice(0, REPAIRED_CHARACTERS_MAX)),
    ),
  );
  // A repair may leave a single text, which is read as a condition in quotes.
  const isRepaired =
    text.text.length <= REPAIRED_CHARACTERS_MAX &&
    conditionIn(withoutQuotes({ ...written, text: repaired }).text.text).condition !== undefined;
  return {
    diagnostics: [
      {
        code,
        severity: "error",
        message,
        at: { span: spanWithin(text, start, end), text: label },
        related: [],
        help: help === undefined ? [] : [help],
        ...(isRepaired ? { fix: fixOf(written, repaired) } : {}),
      },
    ],
  };
}

function slowPatterns(written: MappedText): readonly Diagnostic[] {
  return conditionTokens(written.text).flatMap(({ kind, text, start, end }): readonly Diagnostic[] => {
    const unbounded = kind === "pattern" ? patternMatch(patternOf(text)).unbounded : undefined;
    const at = { span: spanWithin(written, start, end), text: unbounded ?? "" };
    return unbounded === undefined
      ? []
      : [{ code: "slow-pattern", severity: "warning", message: SLOW_PATTERN, at, related: [], help: [] }];
  });
}

/** Returns the references that a condition compares, with their places. The condition may have mistakes. */
export function conditionReferences(written: MappedText): readonly Spanned<Reference>[] {
  const { text } = withoutQuotes(written);
  return conditionTokens(text.text.slice(0, CONDITION_CHARACTERS_MAX)).flatMap(({ kind, text: braced, start, end }) => {
    const reference = kind === "reference" ? parseReference(braced.slice(1, -1)) : undefined;
    return reference ? [{ value: reference, span: spanWithin(text, start, end) }] : [];
  });
}

type Mistake = ConditionMistake & { readonly code: DiagnosticCode };
type Read =
  | { readonly condition: Condition; readonly mistake?: undefined }
  | { readonly condition?: undefined; readonly mistake: Mistake };

function conditionIn(text: string): Read {
  if (text.length > CONDITION_CHARACTERS_MAX) {
    const place = { start: CONDITION_CHARACTERS_MAX, end: CONDITION_CHARACTERS_MAX + 1 };
    return {
      mistake: {
        code: "too-large",
        message: `a condition has at most ${CONDITION_CHARACTERS_MAX} characters`,
        label: "the rest is not read",
        help: "decide in a separate step, and test its output",
        ...place,
      },
    };
  }
  const tokens = conditionTokens(text);
  const deep = firstTooDeep(tokens);
  if (deep)
    return {
      mistake: {
        code: "too-deep",
        message: `a condition has at most ${CONDITION_NESTING_MAX} levels`,
        label: "one level too many",
        start: deep.start,
        end: deep.end,
      },
    };
  const { condition, stop } = readCondition(text);
  if (stop)
    return {
      mistake: {
        code: "bad-condition",
        ...mistakeAt({ text, tokens, index: indexAt(tokens, stop.at), expected: stop.expected }),
      },
    };
  const wrong = wrongPart(tokens);
  return wrong ? { mistake: wrong } : { condition };
}

function firstTooDeep(tokens: readonly ConditionToken[]): ConditionToken | undefined {
  /** The number of `!` that wait for an operand: for each open parenthesis, and for the whole. */
  const waiting = [0];
  let depth = 0;
  for (const token of tokens) {
    const level = waiting.length - 1;
    const opens = token.kind === "openParenthesis" || token.text === "!";
    if (opens && ++depth > CONDITION_NESTING_MAX) return token;
    if (token.text === "!") waiting[level] = (waiting[level] ?? 0) + 1;
    else if (token.kind === "openParenthesis") waiting.push(0);
    else {
      if (token.kind === "closeParenthesis" && level > 0) depth -= 1 + (waiting.pop() ?? 0);
      depth -= waiting.at(-1) ?? 0;
      waiting[waiting.length - 1] = 0;
    }
  }
  return undefined;
}

/** Returns the index of the token at the place, or of the last one in a text without an end. */
function indexAt(tokens: readonly ConditionToken[], at: number): number {
  const index = tokens.findIndex((token) => token.end > at);
  return index === -1 ? tokens.length : index;
}

/** Returns a part that is well-formed but means nothing. */
function wrongPart(tokens: readonly ConditionToken[]): Mistake | undefined {
  for (const { kind, text, start, end } of tokens) {
    const place = { start, end };
    if (kind === "pattern") {
      const problem = regexProblem(patternOf(text));
      if (problem !== undefined)
        return { code: "bad-regex", message: "this is not a valid regular expression", label: problem, ...place };
    }
    const reference = kind === "text" ? BRACED_REFERENCE.exec(text)?.[0] : undefined;
    if (reference === undefined) continue;
    const mistake = {
      code: "bad-condition" as const,
      message: `\`${reference}\` is not expanded in quotes`,
      label: "expected text without references",
      ...place,
    };
    if (reference.length === text.length - 2) return { ...mistake, label: "expected the reference without quotes" };
    return { ...mistake, help: "compare with the reference alone, or write `\\u007b` for a literal brace" };
  }
  return undefined;
}

/** Returns one edit for the part that differs. */
function fixOf(written: MappedText, repaired: string): Fix {
  const text = written.text;
  const lengthMax = Math.min(text.length, repaired.length);
  let before = 0;
  while (before < lengthMax && text[before] === repaired[before]) before++;
  let behind = 0;
  while (behind < lengthMax - before && text.at(-1 - behind) === repaired.at(-1 - behind)) behind++;
  const better = repaired.slice(before, repaired.length - behind);
  return {
    title: `write \`${partAround(repaired, before)}\``,
    edits: [{ span: spanWithin(written, before, text.length - behind), text: better }],
  };
}

/** Returns all of the text, or as much as a title has room for. */
function partAround(text: string, place: number): string {
  if (text.length <= FIX_TITLE_CHARACTERS_MAX) return text;
  const start = Math.max(0, Math.min(place - FIX_TITLE_CHARACTERS_MAX / 2, text.length - FIX_TITLE_CHARACTERS_MAX));
  const end = start + FIX_TITLE_CHARACTERS_MAX;
  return `${start > 0 ? "…" : ""}${text.slice(start, end).toWellFormed()}${end < text.length ? "…" : ""}`;
}

interface Unquoted {
  readonly text: MappedText;
  /** Puts the same quotes around another text. */
  readonly requoted: (text: string) => string;
}

/** Removes quotes around the whole condition, which older YAML has. A text alone would be no condition anyway. */
function withoutQuotes(written: MappedText): Unquoted {
  const [, leading, quoted, trailing] = /^(\s*)("(?:[^"\\]|\\[^])*"|'[^']*')(\s*)$/.exec(written.text) ?? [];
  if (quoted === undefined || leading === undefined || trailing === undefined)
    return { text: written, requoted: (text) => text };
  const quote = quoted.slice(0, 1);
  const offsets: number[] = [];
  let inner = "";
  for (let index = 1; index < quoted.length - 1; index++) {
    if (quote === '"' && quoted[index] === "\\" && /["\\]/.test(quoted[index + 1] ?? "")) index++;
    offsets.push(leading.length + index);
    inner += quoted[index] ?? "";
  }
  offsets.push(leading.length + quoted.length - 1);
  const offsetAt = (index: number): number => written.offsetAt(offsets[index] ?? written.text.length);
  const text = { text: inner, span: { ...written.span, start: offsetAt(0), end: offsetAt(inner.length) }, offsetAt };
  return {
    text,
    requoted: (better) =>
      `${leading}${quote}${quote === '"' ? better.replaceAll(/["\\]/g, "\\$&") : better}${quote}${trailing}`,
  };
}
