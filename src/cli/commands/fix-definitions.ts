// `check --fix`: writes the repairs that diagnostics offer.
import type { CatalogueEntry } from "../../catalog/entry.ts";
import type { Diagnostic, Edit } from "../../text/diagnostic.ts";
import type { CommandContext } from "../command.ts";
import type { OpenedSession } from "../../api/assemble.ts";
import { keepingTrust } from "../session/keep-trust.ts";
import { writeOrTell } from "../view/write-or-tell.ts";
import type { SourceFile } from "../../text/source.ts";

interface FixOptions {
  readonly opened: OpenedSession;
  readonly context: CommandContext;
}

/** Returns the shown paths of the changed files. Stops at the first file that cannot be written, and reports it. */
export async function fixDefinitions(
  entries: readonly CatalogueEntry[],
  diagnostics: readonly Diagnostic[],
  { opened, context }: FixOptions,
): Promise<readonly string[]> {
  const catalogue = opened.catalogue();
  const fixed: string[] = [];
  for (const entry of entries) {
    const path = catalogue.absolutePathOf(entry);
    const own = diagnostics.filter((diagnostic) => diagnostic.fix?.edits[0]?.span.source.path === entry.path);
    const source = own[0]?.fix?.edits[0]?.span.source;
    if (path === undefined || !source || fixed.includes(entry.path)) continue;
    const text = applyFixes(source, own);
    if (text === source.text) continue;
    const write = (): Promise<boolean> => writeOrTell({ path, shownPath: entry.path, text }, opened.host, context);
    if (!(await keepingTrust({ path, text, from: path }, write, { ...context, host: opened.host }))) break;
    fixed.push(entry.path);
  }
  return fixed;
}

// `check --fix`: applies the fixes of diagnostics to the text, in one pass. Fixes of new diagnostics are for the next
// pass.

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
