// Matches `@param`, `@property` and `@type` with the grammar. A line that does not match, or not as it is meant, is told,
// with what it means in our spelling.
import type { Edit, Fix } from "../../text/diagnostic.ts";
import type { Analysis } from "../analysis.ts";
import { foreignName, foreignNameIn } from "./ascii-names.ts";
import { type Annotation, type MappedText, spanWithin } from "../syntax/ast.ts";
import { matchDeclaration, type Part } from "../syntax/grammar.ts";
import { meantDeclaration, meantOtherwise } from "./meant-declaration.ts";

type DeclarationRule = "param" | "property" | "namedType";

/** Returns undefined if a problem was reported. */
export function readWithRepairs(analysis: Analysis, annotation: Annotation, rule: DeclarationRule): Part | undefined {
  const match = matchDeclaration(rule, annotation.text);
  const isDeclared = (name: string): boolean => analysis.all("type").some(({ text }) => text.text.startsWith(name));
  const otherwise = match.part && rule === "param" ? meantOtherwise(annotation.text.text, isDeclared) : undefined;
  if (match.part && !otherwise) return match.part;
  const foreign = match.part || rule === "namedType" ? undefined : foreignNameIn(annotation.text.text);
  if (foreign) {
    const at = spanWithin(annotation.text, foreign.at, foreign.at + foreign.name.length);
    const { message, ...more } = foreignName(foreign.name, at);
    analysis.error("invalid-name", message, { at, ...more });
    return undefined;
  }
  const meant = otherwise || match.problem?.kind === "unexpected" ? sureMeaning(annotation.text, rule) : undefined;
  if (match.problem) analysis.malformed(annotation, match.problem, meant?.fix);
  else if (meant && otherwise) {
    const span = spanWithin(annotation.text, otherwise.at, otherwise.at + 1);
    analysis.malformed(annotation, { kind: "unexpected", span, expected: otherwise.expected }, meant.fix);
  } else return match.part;
  return undefined;
}

/** Returns what a line that is told means, if that is certain. */
export function meantPart(annotation: Annotation, rule: DeclarationRule): Part | undefined {
  return sureMeaning(annotation.text, rule)?.part;
}

/** Returns what the line means, if the grammar accepts that. */
function sureMeaning(
  mapped: MappedText,
  rule: DeclarationRule,
): { readonly fix: Fix; readonly part: Part } | undefined {
  const meant = meantDeclaration(mapped.text);
  if (!meant || meant.text === mapped.text) return undefined;
  const { edit, from, to } = smallestEdit(mapped, meant.text);
  const grown = edit.text.length - (to - from);
  const offsetAt = (index: number): number =>
    index < from ? mapped.offsetAt(index) : mapped.offsetAt(index < from + edit.text.length ? from : index - grown);
  const { part } = matchDeclaration(rule, { text: meant.text, span: mapped.span, offsetAt });
  return part && { fix: { title: `write \`${meant.head}\``, edits: [edit] }, part };
}

function smallestEdit(
  mapped: MappedText,
  repaired: string,
): { readonly edit: Edit; readonly from: number; readonly to: number } {
  const text = mapped.text;
  let start = 0;
  while (start < text.length && text[start] === repaired[start]) start++;
  let tail = 0;
  while (
    tail < text.length - start &&
    tail < repaired.length - start &&
    text[text.length - 1 - tail] === repaired[repaired.length - 1 - tail]
  )
    tail++;
  const [from, to] = [start, text.length - tail];
  return {
    edit: { span: spanWithin(mapped, from, to), text: repaired.slice(start, repaired.length - tail) },
    from,
    to,
  };
}
