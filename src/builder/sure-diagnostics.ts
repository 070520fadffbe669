// What the builder says of the sound part of a definition, as far as nothing that was left out could change it.
import type { SoundPart } from "../language/sound-part.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import type { DiagnosticCode } from "../text/codes.ts";

/** What decides the parameters of a tool and what becomes of them. Words for people, limits and tests do not. */
const shaping = [
  "param",
  "type",
  "property",
  "with",
  "default",
  "command",
  "script",
  "shell",
  "fallback",
  "step",
  "code",
  "output",
];
/** About one line alone. */
const ofOneLine: readonly DiagnosticCode[] = [
  "unknown-base-tool",
  "not-wrappable",
  "wrap-cycle",
  "unknown-base-parameter",
  "default-mismatch",
];

export function sureDiagnostics(
  { definition, leftOut }: SoundPart,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  if (!shaping.some((keyword) => leftOut.has(keyword))) return diagnostics;
  // That a parameter reaches nothing may be because of a `@with` that was left out.
  const lines =
    definition.kind === "wrapped"
      ? [
          definition.base.span,
          ...definition.presets.flatMap(({ parameter, text }) => [parameter.span, text.span]),
          ...definition.defaults.flatMap(({ parameter, value }) => [parameter.span, value.span]),
        ]
      : [];
  const starts = new Set(lines.map(({ start }) => start));
  return diagnostics.filter(
    ({ code, at }) =>
      ofOneLine.includes(code) && (definition.kind === "alias" || (at !== undefined && starts.has(at.span.start))),
  );
}
