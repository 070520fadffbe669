// `check --fix`: writes the repairs that diagnostics offer.
import type { CatalogueEntry } from "../catalog/entry.ts";
import { applyFixes } from "../language/fix.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import type { OpenedSession } from "./open-session.ts";

/** The shown paths of the files that were changed. */
export async function fixDefinitions(entries: readonly CatalogueEntry[], diagnostics: readonly Diagnostic[], opened: OpenedSession): Promise<readonly string[]> {
  const catalogue = opened.catalogue();
  const fixed: string[] = [];
  for (const entry of entries) {
    const path = catalogue.absolutePathOf(entry);
    const own = diagnostics.filter((diagnostic) => diagnostic.fix?.edits[0]?.span.source.path === entry.path);
    const source = own[0]?.fix?.edits[0]?.span.source;
    if (path === undefined || !source || fixed.includes(entry.path)) continue;
    const text = applyFixes(source, own);
    if (text === source.text) continue;
    await opened.host.files.write(path, text);
    fixed.push(entry.path);
  }
  return fixed;
}
