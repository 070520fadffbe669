// Whether a step runs, as data that a cache can hold. ../language/syntax/condition.ts parses it once, and
// ../steps/condition.ts decides it.
import type { Pattern } from "../schema/parameter.ts";
import { REFERENCE, type Reference } from "./reference.ts";

export type Condition =
  /** Two or more. */
  | { readonly kind: "or" | "and"; readonly conditions: readonly Condition[] }
  | { readonly kind: "not"; readonly condition: Condition }
  | { readonly kind: "compare"; readonly comparison: Comparison; readonly left: Operand; readonly right: Operand }
  | { readonly kind: "matches"; readonly operand: Operand; readonly pattern: Pattern }
  /** A condition on one value, as in `{verbose}`. */
  | { readonly kind: "holds"; readonly operand: Operand };

export type Comparison = "==" | "!=" | "<" | "<=" | ">" | ">=" | "contains";

export type Operand =
  | { readonly kind: "reference"; readonly reference: Reference }
  | { readonly kind: "text"; readonly text: string }
  /** The decimal as written, such as `-1.50`, because no JavaScript number holds every decimal. */
  | { readonly kind: "number"; readonly decimal: string }
  | { readonly kind: "boolean"; readonly value: boolean };

/** Returns the references in the order written. One that occurs twice is listed twice. */
export function referencesIn(condition: Condition): readonly Reference[] {
  return operandsOf(condition).flatMap((operand) => (operand.kind === "reference" ? [operand.reference] : []));
}

function operandsOf(condition: Condition): readonly Operand[] {
  switch (condition.kind) {
    case "or":
    case "and":
      return condition.conditions.flatMap(operandsOf);
    case "not":
      return operandsOf(condition.condition);
    case "compare":
      return [condition.left, condition.right];
    case "matches":
    case "holds":
      return [condition.operand];
  }
}

/** Returns the condition in a normal spelling that parses to the same condition. */
export function conditionText(condition: Condition): string {
  const text = printed(condition, "or");
  // A text alone would be read as a condition in quotes.
  return condition.kind === "holds" && condition.operand.kind === "text" ? `(${text})` : text;
}

/** Operators from loosely to tightly bound. */
const bindings = ["or", "and", "not"] as const;

function printed(condition: Condition, within: (typeof bindings)[number]): string {
  switch (condition.kind) {
    case "or":
    case "and": {
      const inner = condition.kind === "or" ? "and" : "not";
      const text = condition.conditions
        .map((each) => printed(each, inner))
        .join(condition.kind === "or" ? " || " : " && ");
      return bindings.indexOf(condition.kind) < bindings.indexOf(within) ? `(${text})` : text;
    }
    case "not":
      return `!${printed(condition.condition, "not")}`;
    case "compare":
      return `${operandText(condition.left)} ${condition.comparison} ${operandText(condition.right)}`;
    case "matches":
      return `${operandText(condition.operand)} matches /${condition.pattern.source}/${condition.pattern.flags}`;
    case "holds":
      return operandText(condition.operand);
  }
}

const BRACED_REFERENCE = new RegExp(`\\{${REFERENCE}\\}`);

function operandText(operand: Operand): string {
  switch (operand.kind) {
    case "reference":
      return `{${operand.reference.text}}`;
    case "text": {
      const text = JSON.stringify(operand.text);
      // A reference in quotes counts as a mistake, so braces are written differently.
      return BRACED_REFERENCE.test(text) ? text.replaceAll("{", "\\u007b") : text;
    }
    case "number":
      return operand.decimal;
    case "boolean":
      return String(operand.value);
  }
}
