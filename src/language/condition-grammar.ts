// The compiled grammar/condition.ohm: a condition as its tree, or where it stops being one; any text as tokens.
// Only the analysis of a definition loads this file; what decides conditions works on the tree.
import { type Grammar, makeRecipe, type MatchResult, type Node, type Semantics } from "ohm-js";
import { conditionGrammarRecipe } from "../generated/condition-grammar.ts";
import type { Pattern } from "../schema/parameter.ts";
import type { Comparison, Condition, Operand } from "../tool/condition.ts";
import { parseReference } from "../tool/reference.ts";

export type ConditionRead =
  | { readonly condition: Condition; readonly stop?: undefined }
  | { readonly condition?: undefined; readonly stop: { readonly at: number; /** In words. */ readonly expected: string } };

const tokenKinds = [
  "operator", "wrongOperator", "openParenthesis", "closeParenthesis", "reference", "braces", "openBraces", "matches", "pattern", "openPattern",
  "text", "escapedText", "openText", "curledText", "number", "boolean", "word", "other",
] as const;

/** `start` and `end` are offsets into the text. */
export interface ConditionToken {
  readonly kind: (typeof tokenKinds)[number];
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export function readCondition(text: string): ConditionRead {
  const { grammar, semantics } = loaded();
  const match = grammar.match(text, "condition");
  if (match.failed()) return { stop: { at: match.getRightmostFailurePosition(), expected: expectedText(match) } };
  return { condition: semantics(match)["condition"]() };
}

/** Every text has tokens. */
export function conditionTokens(text: string): readonly ConditionToken[] {
  const { grammar, semantics } = loaded();
  return semantics(grammar.match(text, "tokens"))["tokens"]();
}

/** The text that stands in quotes; a double-quoted one has no escapes that JSON lacks. */
export function textInQuotes(quoted: string): string {
  if (quoted.startsWith("'")) return quoted.slice(1, -1);
  return JSON.parse(quoted.replaceAll(/[\0-\x1f]/g, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`));
}

function expectedText(match: MatchResult): string {
  const failures = match.getRightmostFailures();
  const described = failures.filter((failure) => failure.isDescription()).map((failure) => failure.getText().replace("end of input", "the end of the condition"));
  const closing = failures.some((failure) => failure.getText() === ")") ? ["`)`"] : [];
  const texts = [...closing, ...described].reverse();
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} or ${texts.at(-1)}`;
}

let lazyGrammar: { readonly grammar: Grammar; readonly semantics: Semantics } | undefined;

function loaded(): { readonly grammar: Grammar; readonly semantics: Semantics } {
  if (lazyGrammar) return lazyGrammar;
  const grammar = makeRecipe(JSON.parse(conditionGrammarRecipe));
  const semantics = grammar.createSemantics();
  addTree(semantics);
  addTokens(semantics);
  lazyGrammar = { grammar, semantics };
  return lazyGrammar;
}

function addTree(semantics: Semantics): void {
  const tree = (node: Node): Condition => node["condition"]();
  const operand = (node: Node): Operand => node["operand"]();
  const joined = (kind: "or" | "and", first: Node, others: Node): Condition =>
    others.children.length === 0 ? tree(first) : { kind, conditions: [tree(first), ...others.children.map(tree)] };
  semantics.addOperation<Condition>("condition", {
    condition: (_before, either, _behind) => tree(either),
    either: (first, _gaps, _or, _more, others) => joined("or", first, others),
    both: (first, _gaps, _and, _more, others) => joined("and", first, others),
    negated: (_not, _gap, single) => ({ kind: "not", condition: tree(single) }),
    group: (_open, _gap, either, _behind, _close) => tree(either),
    matching: (value, _gap, _matches, _behind, pattern) => ({ kind: "matches", operand: operand(value), pattern: patternOf(pattern.sourceString) }),
    comparing: (value, _gap, comparator, _behind, other) => ({ kind: "compare", comparison: comparator.sourceString as Comparison, left: operand(value), right: operand(other) }),
    alone: (value) => ({ kind: "holds", operand: operand(value) }),
  });
  semantics.addOperation<Operand>("operand", {
    reference(_open, _name, _segments, _fallback, _close) {
      const reference = parseReference(this.sourceString.slice(1, -1));
      if (!reference) throw new Error(`the grammar takes ${this.sourceString} for a reference, and parseReference does not`);
      return { kind: "reference", reference };
    },
    text(_quoted) {
      return { kind: "text", text: textInQuotes(this.sourceString) };
    },
    number(_minus, _digits, _point, _fraction) {
      return { kind: "number", decimal: this.sourceString };
    },
    boolean(_word) {
      return { kind: "boolean", value: this.sourceString === "true" };
    },
  });
}

/** Of a text that stands between slashes, with flags behind. */
export function patternOf(text: string): Pattern {
  const end = text.lastIndexOf("/");
  return { source: text.slice(1, end), flags: text.slice(end + 1) };
}

function addTokens(semantics: Semantics): void {
  const kinds = new Set<string>(tokenKinds);
  const inner = (children: readonly Node[]): ConditionToken[] => children.flatMap((child): ConditionToken[] => child["tokens"]());
  semantics.addOperation<ConditionToken[]>("tokens", {
    _nonterminal(...children) {
      if (!kinds.has(this.ctorName)) return inner(children);
      const { startIdx: start, endIdx: end } = this.source;
      return [{ kind: this.ctorName as ConditionToken["kind"], text: this.sourceString, start, end }];
    },
    _terminal: () => [],
    _iter: (...children) => inner(children),
  });
}
