// The compiled grammar. It matches a text with one rule, and gives a tree of parts with their places, or what was
// expected where. Only this file uses Ohm, and a start from the cache never loads it.
import { type Grammar, makeRecipe, type MatchResult, type Node, type RightmostFailure, type Semantics } from "ohm-js";
import { toolGrammarRecipe } from "../../../generated/tool-grammar.ts";
import { type MappedText, spanWithin } from "./ast.ts";
import type { Span } from "../../text/source.ts";
import { isBlank, sliced } from "./mapped-text.ts";

// Parts of the package that are missing in its types.
declare module "ohm-js" {
  export function makeRecipe(recipe: unknown): Grammar;
  interface MatchResult {
    getRightmostFailures(): readonly RightmostFailure[];
  }
  interface RightmostFailure {
    getText(): string;
    isDescription(): boolean;
    /** Whether the expected text is optional there. Ohm's own messages leave such failures out. */
    isFluffy(): boolean;
  }
}

/** The limit of a rule. Ohm keeps some hundred bytes for each character that it reads. */
const RULE_CHARACTERS_MAX = 65_536;
/** The limit of a step. A condition has half of it, and nothing else about a step is long. */
const STEP_CHARACTERS_MAX = 8_192;
/** The nesting limit of brackets in one line; Ohm recurses several levels for each. */
export const BRACKET_NESTING_MAX = 64;

/**
 * The text that a rule matched. Only rules that mean something to a reader have parts: see `leafRules` and
 * `innerRules`.
 */
export interface Part {
  readonly rule: string;
  readonly text: MappedText;
  readonly parts: readonly Part[];
}

export type LineMatch =
  | { readonly part: Part; readonly problem?: undefined }
  | { readonly part?: undefined; readonly problem: MatchProblem };

export interface MatchProblem {
  readonly kind: "unexpected" | "too-deep" | "too-large";
  readonly span: Span;
  /** The expectation in the grammar's words, such as "`}` or a type name"; empty for the other kinds. */
  readonly expected: string;
  /** The limit that a `too-large` text exceeds. */
  readonly charactersMax?: number;
}

/** Rules whose inner parts are not used. */
const leafRules =
  "toolName name propertyName typeName prose string numberChoice optionName regex jsonValue bare word program range dependencyRange quotedRange decimal durationUnit sizeUnit limitName limitValue attempts delayValue target assigned stepName kindWord condition stepValue testTitle folder expectation rest path json";

const innerRules =
  "toolReference param property namedType returns type arrayType choices numberChoices options option jsonText words requires requirement depends dependency duration size limits limit retry assignment step uses stepOption waitFor named cleanupStep test testLine about with expect setup cleanup pathAndText";

type Words<Text> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;
export type RuleName = Words<typeof leafRules | typeof innerRules>;

export function matchRule(rule: RuleName, mapped: MappedText): LineMatch {
  return matchSeen(rule, mapped, mapped.text.length);
}

/**
 * Matches rules that end in free text (`prose`, `rest`, `assigned`), which accepts everything, so Ohm gets only its
 * beginning. The free text begins after the given number of words or, where types and options in brackets may come
 * first, after the last bracket.
 */
export function matchRuleWithRest(
  rule: RuleName,
  mapped: MappedText,
  before: { readonly words: number; readonly hasBrackets: boolean },
): LineMatch {
  const text = mapped.text;
  let seen = before.hasBrackets ? Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1 : 0;
  for (let count = 0; count < before.words; count++) {
    while (seen < text.length && !isBlank(text.charCodeAt(seen))) seen++;
    while (seen < text.length && isBlank(text.charCodeAt(seen))) seen++;
  }
  const match = matchSeen(rule, mapped, Math.min(text.length, seen + 1));
  // If the beginning does not match, a longer one may fail later, so more of the text is matched.
  return match.problem?.kind === "unexpected"
    ? matchSeen(rule, mapped, Math.min(text.length, RULE_CHARACTERS_MAX))
    : match;
}

/** Matches a declaration: a name, a type, options and prose. */
export function matchDeclaration(rule: RuleName, mapped: MappedText): LineMatch {
  return matchRuleWithRest(rule, mapped, { words: 1, hasBrackets: true });
}

function matchSeen(rule: RuleName, mapped: MappedText, seen: number): LineMatch {
  const charactersMax = rule === "step" || rule === "cleanupStep" ? STEP_CHARACTERS_MAX : RULE_CHARACTERS_MAX;
  const deep = firstTooDeep(mapped.text, Math.min(seen, charactersMax));
  if (deep !== undefined)
    return { problem: { kind: "too-deep", span: spanWithin(mapped, deep, deep + 1), expected: "" } };
  if (seen > charactersMax) return { problem: { kind: "too-large", span: mapped.span, expected: "", charactersMax } };
  const outcome = outcomeOf(rule, mapped.text.slice(0, seen));
  if (outcome.range) return { part: toPart(outcome.range, mapped, seen) };
  return {
    problem: {
      kind: "unexpected",
      span: spanWithin(mapped, outcome.at, Math.min(outcome.at + 1, mapped.text.length)),
      expected: outcome.expected,
    },
  };
}

type Outcome =
  | { readonly range: RuleRange }
  | { readonly range?: undefined; readonly at: number; readonly expected: string };

/** Caches short texts, which recur in many files: keywords, names, tags. */
const remembered = new Map<string, Outcome>();
const REMEMBERED_CHARACTERS_MAX = 100;
const REMEMBERED_MAX = 2_000;

function outcomeOf(rule: RuleName, text: string): Outcome {
  if (text.length > REMEMBERED_CHARACTERS_MAX) return matchedByOhm(rule, text);
  const key = `${rule} ${text}`;
  const known = remembered.get(key);
  if (known) return known;
  const outcome = matchedByOhm(rule, text);
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(key, outcome);
  return outcome;
}

function matchedByOhm(rule: RuleName, text: string): Outcome {
  const { grammar, semantics } = loaded();
  const result = grammar.match(text, rule);
  if (result.failed()) return { at: result.getRightmostFailurePosition(), expected: expectedText(result) };
  const ranges: readonly RuleRange[] = semantics(result)["ranges"]();
  const [range] = ranges;
  if (range === undefined) throw new Error(`the rule ${rule} is in neither list of rules`);
  return { range };
}

/** Returns everything that would have fitted: what must come, and what may come and has a description. */
function expectedText(result: MatchResult): string {
  const failures = result.getRightmostFailures().filter((failure) => failure.isDescription() || !failure.isFluffy());
  const texts = [...new Set(failures.map(textOfFailure))].reverse();
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} or ${texts.at(-1)}`;
}

function textOfFailure(failure: RightmostFailure): string {
  const text = failure.getText();
  return failure.isDescription() ? text.replace("end of input", "the end of the line") : `\`${text}\``;
}

/** Finds the place where a mistyped text nests so deep that Ohm would overflow the stack. */
function firstTooDeep(text: string, end: number): number | undefined {
  let depth = 0;
  for (let index = 0; index < end; index++) {
    const character = text[index];
    if (character === "<" || character === "[" || character === "{") {
      if (++depth > BRACKET_NESTING_MAX) return index;
    } else if ((character === ">" || character === "]" || character === "}") && depth > 0) depth--;
  }
  return undefined;
}

interface RuleRange {
  readonly rule: string;
  readonly start: number;
  readonly end: number;
  readonly inner: readonly RuleRange[];
}

function toPart(range: RuleRange, mapped: MappedText, seen: number): Part {
  // A part that ends where Ohm's text ended continues to the end of the whole text.
  const end = range.end === seen ? mapped.text.length : range.end;
  return {
    rule: range.rule,
    text: sliced(mapped, range.start, end),
    parts: range.inner.map((inner) => toPart(inner, mapped, seen)),
  };
}

let lazyGrammar: { readonly grammar: Grammar; readonly semantics: Semantics } | undefined;

function loaded(): { readonly grammar: Grammar; readonly semantics: Semantics } {
  if (lazyGrammar) return lazyGrammar;
  const grammar = makeRecipe(JSON.parse(toolGrammarRecipe));
  const leaves = new Set(leafRules.split(" "));
  const inner = new Set(innerRules.split(" "));
  const rangesIn = (children: readonly Node[]): RuleRange[] =>
    children.flatMap((child): RuleRange[] => child["ranges"]());
  const semantics = grammar.createSemantics().addOperation<RuleRange[]>("ranges", {
    _nonterminal(...children) {
      const isLeaf = leaves.has(this.ctorName);
      const found = isLeaf ? [] : rangesIn(children);
      return isLeaf || inner.has(this.ctorName)
        ? [{ rule: this.ctorName, start: this.source.startIdx, end: this.source.endIdx, inner: found }]
        : found;
    },
    _terminal: () => [],
    _iter: (...children) => rangesIn(children),
  });
  lazyGrammar = { grammar, semantics };
  return lazyGrammar;
}
