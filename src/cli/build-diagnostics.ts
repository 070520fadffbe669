// What the builder says of a definition, also where other lines of it have errors, so that a person sees all mistakes at once.
import { sureDiagnostics } from "../builder/sure-diagnostics.ts";
import type { ToolBuilder } from "../builder/tool-builder.ts";
import type { Catalogue } from "../catalog/catalogue.ts";
import type { Diagnostic } from "../text/diagnostic.ts";

export async function buildDiagnosticsOf(name: string, catalogue: Catalogue, builder: ToolBuilder): Promise<readonly Diagnostic[]> {
  const definition = catalogue.definition(name);
  if (definition) return builder.build(definition).diagnostics.map((diagnostic) => ofBroken(diagnostic, catalogue));
  const entry = catalogue.entry(name);
  const part = entry && (await catalogue.soundPartOf(entry));
  return part ? sureDiagnostics(part, builder.build(part.definition).diagnostics).map((diagnostic) => ofBroken(diagnostic, catalogue)) : [];
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
