// Random conditions for fast-check.
import fc from "fast-check";
import { unicodeText } from "../arbitrary-text.ts";
import type { Condition, Operand } from "../../src/core/tool/condition.ts";
import { parseReference } from "../../src/core/tool/reference.ts";

const reference = fc
  .constantFrom("a", "clone.exit-code", "x.json.rows[0].name", "TEMP_DIR", "b:-none", 'c.stdout:-"&& ||', "d:-")
  .map((text): Operand => {
    const parsed = parseReference(text);
    if (!parsed) throw new Error(`${text} is no reference`);
    return { kind: "reference", reference: parsed };
  });

const text = fc.oneof(
  fc.constantFrom(
    "",
    "main",
    '"',
    "'",
    "\\",
    "\\d",
    "\n",
    "\0",
    "{a}",
    "{a:-{b}}",
    "}{",
    "a == b && c",
    "$(id)",
    "“”",
    "\ud800",
    "\u2028",
    "matches /x/",
    "true",
    "12",
  ),
  unicodeText(6),
);

export const operands: fc.Arbitrary<Operand> = fc.oneof(
  reference,
  text.map((each): Operand => ({ kind: "text", text: each })),
  fc
    .constantFrom("0", "-1", "007", "1.50", "12345678901234567890")
    .map((decimal): Operand => ({ kind: "number", decimal })),
  fc.boolean().map((value): Operand => ({ kind: "boolean", value })),
);

const patterns = fc
  .constantFrom("x", "^v\\d", 'a\\/b[/"]', "\\{a}|'", "==", "&& \\|\\|")
  .chain((source) => fc.constantFrom("", "i", "ms").map((flags) => ({ source, flags })));

export const conditions: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    operands.map((operand): Condition => ({ kind: "holds", operand })),
    fc
      .tuple(operands, fc.constantFrom("==", "!=", "<", "<=", ">", ">=", "contains"), operands)
      .map(([left, comparison, right]): Condition => ({ kind: "compare", comparison, left, right })),
    fc.tuple(operands, patterns).map(([operand, pattern]): Condition => ({ kind: "matches", operand, pattern })),
    tie("condition").map((condition): Condition => ({ kind: "not", condition })),
    fc
      .tuple(fc.constantFrom("or", "and"), fc.array(tie("condition"), { minLength: 2, maxLength: 3 }))
      .map(([kind, all]): Condition => ({ kind, conditions: all })),
  ),
})).condition;
