// What the builder says of a definition, also where other lines of it have errors, so that a person sees all mistakes at once.
import { sureDiagnostics } from "../builder/sure-diagnostics.ts";
import type { ToolBuilder } from "../builder/tool-builder.ts";
import type { Catalogue } from "../catalog/catalogue.ts";
import { type Diagnostic, hasErrors } from "../text/diagnostic.ts";

/** As many as of the text of a definition. */
const DIAGNOSTICS_MAX = 50;

export async function buildDiagnosticsOf(name: string, catalogue: Catalogue, builder: ToolBuilder): Promise<readonly Diagnostic[]> {
  const found = (await foundBy(name, catalogue, builder)).map((diagnostic) => ofBroken(diagnostic, catalogue));
  const next = found[DIAGNOSTICS_MAX];
  if (!next) return found;
  const severity = hasErrors(found.slice(DIAGNOSTICS_MAX)) ? "error" : "warning";
  const more: Diagnostic = { code: "too-many", severity, message: `there are ${found.length - DIAGNOSTICS_MAX} more from here on`, ...(next.at ? { at: { span: next.at.span, text: "" } } : {}), related: [], help: ["repair the first ones and check again"] };
  return [...found.slice(0, DIAGNOSTICS_MAX), more];
}

async function foundBy(name: string, catalogue: Catalogue, builder: ToolBuilder): Promise<readonly Diagnostic[]> {
  const definition = catalogue.definition(name);
  if (definition) return builder.build(definition).diagnostics;
  const entry = catalogue.entry(name);
  const part = entry && (await catalogue.soundPartOf(entry));
  return part ? sureDiagnostics(part, builder.build(part.definition).diagnostics) : [];
}

/** The builder sees no definition that has errors, and would take its name for a slip. */
function ofBroken(diagnostic: Diagnostic, catalogue: Catalogue): Diagnostic {
  const { code, severity, at } = diagnostic;
  if (code !== "unknown-base-tool" || !at) return diagnostic;
  const { source, start, end } = at.span;
  const named = source.text.slice(start, end);
  const broken = catalogue.entry(named);
  if (broken?.standing.kind !== "broken") return diagnostic;
  return { code, severity, message: `\`${named}\` has errors, so nothing can be built on it`, at: { span: at.span, text: "" }, related: [], help: [`mend that one first: ${broken.path}:${broken.line}`] };
}
