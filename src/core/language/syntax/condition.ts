// Parses `when=CONDITION` once. The values are only compared later and never parsed, so they cannot change what a
// condition means.
import { patternMatch } from "../../schema/pattern-match.ts";
import type { Condition } from "../../tool/condition.ts";
import type { DiagnosticCode } from "../../text/codes.ts";
import type { Checked, Diagnostic } from "../../text/diagnostic.ts";
import type { Spanned } from "../../text/source.ts";
import { parseReference, REFERENCE, type Reference } from "../../tool/reference.ts";
import { regexProblem, SLOW_PATTERN } from "../fields/options.ts";
import { diagnosticOf } from "../findings.ts";
import { type MappedText, spanWithin } from "./ast.ts";
import { conditionTokens, type ConditionToken, patternOf, readCondition } from "./condition-grammar.ts";
import type { SourceRange } from "./mapped-text.ts";

export const CONDITION_CHARACTERS_MAX = 4_096;
/** The nesting limit of parentheses and `!`. */
export const CONDITION_NESTING_MAX = 64;
const BRACED_REFERENCE = new RegExp(`\\{${REFERENCE}\\}`);

/** Parses a condition. Gives at most one diagnostic, because the text after a mistake is often wrong because of it. */
export function parseCondition(written: MappedText): Checked<Condition> {
  const text = withoutQuotes(written);
  const { condition, mistake } = conditionIn(text.text);
  if (condition) return { value: condition, diagnostics: slowPatterns(text) };
  const { code, start, end, message, label, help } = mistake;
  const at = spanWithin(text, start, end);
  return { diagnostics: [diagnosticOf(code, message, { at, label, help: help === undefined ? [] : [help] })] };
}

function slowPatterns(written: MappedText): readonly Diagnostic[] {
  return conditionTokens(written.text).flatMap(({ kind, text, start, end }): readonly Diagnostic[] => {
    const unbounded = kind === "pattern" ? patternMatch(patternOf(text)).unbounded : undefined;
    const at = spanWithin(written, start, end);
    return unbounded === undefined
      ? []
      : [{ ...diagnosticOf("slow-pattern", SLOW_PATTERN, { at, label: unbounded }), severity: "warning" }];
  });
}

/** Returns the references that a condition compares, with their places. The condition may have mistakes. */
export function conditionReferences(written: MappedText): readonly Spanned<Reference>[] {
  const text = withoutQuotes(written);
  return conditionTokens(text.text.slice(0, CONDITION_CHARACTERS_MAX)).flatMap(({ kind, text: braced, start, end }) => {
    const reference = kind === "reference" ? parseReference(braced.slice(1, -1)) : undefined;
    return reference ? [{ value: reference, span: spanWithin(text, start, end) }] : [];
  });
}

interface Mistake extends SourceRange {
  readonly code: DiagnosticCode;
  readonly message: string;
  /** The text beside the marker. */
  readonly label: string;
  readonly help?: string;
}
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
      mistake: mistakeAt(
        text,
        tokens.find(({ end }) => end > stop.at),
        stop.expected,
      ),
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

/** Says what was expected where reading stopped. There is no token at the end. */
function mistakeAt(text: string, token: ConditionToken | undefined, expected: string): Mistake {
  const mistake = { code: "bad-condition", label: `expected ${expected}` } as const;
  const end = text.trimEnd().length;
  if (end === 0) return { ...mistake, start: 0, end: text.length, message: "the condition is empty" };
  if (!token) return { ...mistake, start: end, end, message: "the condition is incomplete" };
  const { text: written, kind } = token;
  const shown =
    written.length > SHOWN_CHARACTERS_MAX ? `${written.slice(0, SHOWN_CHARACTERS_MAX).toWellFormed()}…` : written;
  const takesText = expected.includes("text in quotes");
  return {
    ...mistake,
    start: token.start,
    end: token.end,
    message: kind === "openText" ? "this quote is not closed" : `\`${shown}\` does not belong here`,
    help:
      takesText && kind === "word" && parseReference(written)
        ? `write \`{${written}}\` for a value, \`"${written}"\` for a text`
        : takesText && kind === "escapedText"
          ? "double quotes have the escapes of JSON; in single quotes a backslash is literal"
          : FORM,
  };
}

const SHOWN_CHARACTERS_MAX = 40;
const FORM =
  'a condition compares values with `==`, `!=`, `<`, `<=`, `>`, `>=`, `contains "TEXT"` or `matches /PATTERN/`, and joins that with `&&`, `||`, `!` and parentheses';

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

/** Removes quotes around the whole condition, which older YAML has. A text alone would be no condition anyway. */
function withoutQuotes(written: MappedText): MappedText {
  const [, leading = "", quoted] = /^(\s*)("(?:[^"\\]|\\[^])*"|'[^']*')\s*$/.exec(written.text) ?? [];
  if (quoted === undefined) return written;
  const offsets: number[] = [];
  let inner = "";
  for (let index = 1; index < quoted.length - 1; index++) {
    if (quoted[0] === '"' && quoted[index] === "\\" && /["\\]/.test(quoted[index + 1] ?? "")) index++;
    offsets.push(leading.length + index);
    inner += quoted[index] ?? "";
  }
  offsets.push(leading.length + quoted.length - 1);
  const offsetAt = (index: number): number => written.offsetAt(offsets[index] ?? written.text.length);
  return { text: inner, span: { ...written.span, start: offsetAt(0), end: offsetAt(inner.length) }, offsetAt };
}
