// Long texts of the program (bundled definitions, pages of errors). They are stored in a part of their own and read
// when they are used. In a script, every start would copy them to the heap, which causes its first garbage collection:
// 1 ms a call.
import { parseSync } from "oxc-parser";

const CHARACTERS_MIN = 500;

export function collectLongTexts() {
  const texts = [];
  let bytes = 0;
  /** Returns `source` with `__text(offset, length)` in place of each long text; both count bytes. */
  const withoutLongTexts = (source) => {
    let end = 0;
    let kept = "";
    for (const { node, value } of longTextsIn(parseSync("part.cjs", source).program)) {
      const text = Buffer.from(value);
      kept += `${source.slice(end, node.start)}__text(${bytes},${text.length})`;
      end = node.end;
      texts.push(text);
      bytes += text.length;
    }
    return kept + source.slice(end);
  };
  return { withoutLongTexts, all: () => Buffer.concat(texts) };
}

/** Returns the long texts in places of expressions, in the order of the source. */
function* longTextsIn(node) {
  const value =
    node.type === "Literal" && typeof node.value === "string"
      ? node.value
      : node.type === "TemplateLiteral" && node.expressions.length === 0
        ? node.quasis[0].value.cooked
        : undefined;
  if (value !== undefined && value.length >= CHARACTERS_MIN && value.isWellFormed()) yield { node, value };
  for (const [name, child] of Object.entries(node)) {
    const isNoExpression =
      (name === "key" && !node.computed) || (name === "quasi" && node.type === "TaggedTemplateExpression");
    if (isNoExpression) continue;
    for (const one of [child].flat())
      if (typeof one?.type === "string" && typeof one.start === "number") yield* longTextsIn(one);
  }
}
