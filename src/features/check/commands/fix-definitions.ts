// `check --fix`: writes the repairs that diagnostics offer.
import type { CatalogueEntry } from "../../../core/catalog/entry.ts";
import { applyFixes } from "../../../core/text/apply-fixes.ts";
import type { Diagnostic } from "../../../core/text/diagnostic.ts";
import type { CommandContext } from "../../../cli/command.ts";
import type { OpenedSession } from "../../../core/session/assemble.ts";
import { keepingTrust } from "../../../cli/session/keep-trust.ts";
import { writeOrTell } from "../../../cli/view/write-or-tell.ts";

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
