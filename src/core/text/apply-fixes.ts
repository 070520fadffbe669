// Applies the fixes of diagnostics to the text, in one pass. Fixes of new diagnostics are for the next pass.
import type { Diagnostic, Edit } from "./diagnostic.ts";
import type { SourceFile } from "./source.ts";

/** Applies each fix as a whole. One that overlaps with an earlier one is left for the next pass. */
export function applyFixes(source: SourceFile, diagnostics: readonly Pick<Diagnostic, "fix">[]): string {
  let text = source.text;
  for (const { span, text: put } of editsOf(source, diagnostics).toReversed())
    text = text.slice(0, span.start) + put + text.slice(span.end);
  return text;
}

/** The edits that a pass makes, in their order in the text. */
export function editsOf(source: SourceFile, diagnostics: readonly Pick<Diagnostic, "fix">[]): readonly Edit[] {
  const edits: Edit[] = [];
  for (const { fix } of diagnostics) {
    if (!fix || fix.edits.some((edit) => edit.span.source.path !== source.path)) continue;
    if (fix.edits.every((edit) => edits.every((taken) => !touches(edit, taken)))) edits.push(...fix.edits);
  }
  return edits.sort((one, other) => one.span.start - other.span.start);
}

function touches(one: Edit, other: Edit): boolean {
  return one.span.start <= other.span.end && other.span.start <= one.span.end;
}
