// Diagnostics as text for a stream, and how many there are.
import { renderDiagnostic } from "./render.ts";
import type { Diagnostic } from "../../core/text/diagnostic.ts";
import type { TerminalPort } from "../../core/tool/terminal.ts";
import { paintFor } from "./paint.ts";

/** Prints all diagnostics, and an empty line after them if there are any. */
export async function renderAll(diagnostics: readonly Diagnostic[], port: TerminalPort): Promise<string> {
  const color = await paintFor(port);
  return diagnostics.map((diagnostic) => `${renderDiagnostic(diagnostic, { color })}\n\n`).join("");
}

/** `2 errors, 1 warning`; empty when there are none. */
export function problemCounts(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error").length;
  const warnings = diagnostics.length - errors;
  return [
    ...(errors === 0 ? [] : [errors === 1 ? "1 error" : `${errors} errors`]),
    ...(warnings === 0 ? [] : [warnings === 1 ? "1 warning" : `${warnings} warnings`]),
  ].join(", ");
}
