// Diagnostics as text for a stream, most severe last, because the end of the output is what a person sees.
import { renderDiagnostic } from "../text/render.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import type { TerminalPort } from "../tool/terminal.ts";
import { paintFor } from "./paint.ts";

/** Ends with an empty line where there is anything. */
export async function renderAll(diagnostics: readonly Diagnostic[], port: TerminalPort): Promise<string> {
  const { red, yellow, bold } = await paintFor(port);
  return diagnostics
    .map((diagnostic) => {
      const [headline = "", ...rest] = renderDiagnostic(diagnostic).split("\n");
      const colon = headline.indexOf(": ");
      const brush = diagnostic.severity === "error" ? red : yellow;
      return `${[brush(headline.slice(0, colon)) + bold(headline.slice(colon)), ...rest].join("\n")}\n\n`;
    })
    .join("");
}

/** `2 errors, 1 warning`; empty when there are none. */
export function countText(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error").length;
  const warnings = diagnostics.length - errors;
  return [
    ...(errors === 0 ? [] : [errors === 1 ? "1 error" : `${errors} errors`]),
    ...(warnings === 0 ? [] : [warnings === 1 ? "1 warning" : `${warnings} warnings`]),
  ].join(", ");
}
