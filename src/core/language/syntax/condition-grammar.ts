// The compiled grammar/condition.ohm. It turns a condition into a tree, or tells where it stops being one, and splits
// any text into tokens. Only the analysis of a definition loads this file; conditions are decided from the tree.
import { type Grammar, makeRecipe, type MatchResult, type Node, type Semantics } from "ohm-js";
import { conditionGrammarRecipe } from "../../../generated/condition-grammar.ts";
import type { Pattern } from "../../schema/parameter.ts";
import type { Comparison, Condition, Operand } from "../../tool/condition.ts";
import { parseReference } from "../../tool/reference.ts";

type ConditionRead =
  | { readonly condition: Condition; readonly stop?: undefined }
  | {
      readonly condition?: undefined;
      readonly stop: { readonly at: number /** In words. */; readonly expected: string };
    };

const tokenKinds = [
  "operator",
  "wrongOperator",
  "openParenthesis",
  "closeParenthesis",
  "reference",
  "matches",
  "pattern",
  "openPattern",
  "text",
  "escapedText",
  "openText",
  "number",
  "boolean",
  "word",
  "other",
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
  const [condition]: readonly Condition[] = semantics(match)["tree"]();
  if (!condition) throw new Error("the grammar takes for a condition what has none");
  return { condition };
}

/** Splits a text into tokens. Every text has some. */
export function conditionTokens(text: string): readonly ConditionToken[] {
  const { grammar, semantics } = loaded();
  return semantics(grammar.match(text, "tokens"))["tokens"]();
}

/** Returns the text in quotes; a double-quoted one has no escapes that JSON lacks. */
function textInQuotes(quoted: string): string {
  if (quoted.startsWith("'")) return quoted.slice(1, -1);
  return JSON.parse(
    quoted.replaceAll(/[\0-\x1f]/g, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

function expectedText(match: MatchResult): string {
  const failures = match.getRightmostFailures();
  const described = failures
    .filter((failure) => failure.isDescription())
    .map((failure) => failure.getText().replace("end of input", "the end of the condition"));
  const closing = failures.some((failure) => failure.getText() === ")") ? ["`)`"] : [];
  const texts = [...closing, ...described].reverse();
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} or ${texts.at(-1)}`;
}

let lazyGrammar: { readonly grammar: Grammar; readonly semantics: Semantics } | undefined;

function loaded(): { readonly grammar: Grammar; readonly semantics: Semantics } {
  if (lazyGrammar) return lazyGrammar;
  const grammar = makeRecipe(JSON.parse(conditionGrammarRecipe));
  const semantics = grammar.createSemantics();
  semantics.addOperation<readonly Condition[]>("tree", {
    _nonterminal(..._children) {
      return conditionsIn(this);
    },
  });
  addTokens(semantics);
  lazyGrammar = { grammar, semantics };
  return lazyGrammar;
}

/** Returns the condition of a node, or those of its parts if its rule has no meaning itself. */
function conditionsIn(node: Node): readonly Condition[] {
  const { ctorName, children } = node;
  switch (ctorName) {
    case "either":
      return joined("or", children.flatMap(conditionsIn));
    case "both":
      return joined("and", children.flatMap(conditionsIn));
    case "negated":
      return children.flatMap(conditionsIn).map((condition) => ({ kind: "not", condition }));
    case "matching":
      return operandsIn(node).map((operand) => ({
        kind: "matches",
        operand,
        pattern: patternOf(written(children, "pattern")),
      }));
    case "comparing": {
      const [left, right] = operandsIn(node);
      return left && right
        ? [{ kind: "compare", comparison: written(children, "comparator") as Comparison, left, right }]
        : [];
    }
    case "alone":
      return operandsIn(node).map((operand) => ({ kind: "holds", operand }));
    default:
      return children.flatMap(conditionsIn);
  }
}

function joined(kind: "or" | "and", conditions: readonly Condition[]): readonly Condition[] {
  return conditions.length === 1 ? conditions : [{ kind, conditions }];
}

function written(children: readonly Node[], rule: string): string {
  return children.find((child) => child.ctorName === rule)?.sourceString ?? "";
}

function operandsIn({ ctorName, children }: Node): readonly Operand[] {
  return ctorName === "operand" ? children.map(operandOf) : children.flatMap(operandsIn);
}

function operandOf(node: Node): Operand {
  const text = node.sourceString;
  switch (node.ctorName) {
    case "reference": {
      const reference = parseReference(text.slice(1, -1));
      if (!reference) throw new Error(`the grammar takes ${text} for a reference, and parseReference does not`);
      return { kind: "reference", reference };
    }
    case "text":
      return { kind: "text", text: textInQuotes(text) };
    case "number":
      return { kind: "number", decimal: text };
    default:
      return { kind: "boolean", value: text === "true" };
  }
}

/** Returns the pattern of a text between slashes, with flags after it. */
export function patternOf(text: string): Pattern {
  const end = text.lastIndexOf("/");
  return { source: text.slice(1, end), flags: text.slice(end + 1) };
}

function addTokens(semantics: Semantics): void {
  const kinds = new Set<string>(tokenKinds);
  const inner = (children: readonly Node[]): ConditionToken[] =>
    children.flatMap((child): ConditionToken[] => child["tokens"]());
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
