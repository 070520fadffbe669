// `check --fix`: applies the fixes of diagnostics to the text, in one pass. Fixes of new diagnostics are for the next
// pass.
import type { Diagnostic, Edit } from "../text/diagnostic.ts";
import type { SourceFile } from "../text/source.ts";

/** Applies each fix as a whole. One that overlaps with an earlier one is left for the next pass. */
export function applyFixes(source: SourceFile, diagnostics: readonly Diagnostic[]): string {
  const edits: Edit[] = [];
  for (const { fix } of diagnostics) {
    if (!fix || fix.edits.some((edit) => edit.span.source.path !== source.path)) continue;
    if (fix.edits.every((edit) => edits.every((taken) => !touches(edit, taken)))) edits.push(...fix.edits);
  }
  let text = source.text;
  for (const edit of edits.sort((one, other) => other.span.start - one.span.start)) {
    text = text.slice(0, edit.span.start) + edit.text + text.slice(edit.span.end);
  }
  return text;
}

function touches(one: Edit, other: Edit): boolean {
  return one.span.start <= other.span.end && other.span.start <= one.span.end;
}
