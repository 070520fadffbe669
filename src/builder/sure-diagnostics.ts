// The builder's diagnostics of the sound part of a definition that no left-out part could change.
import type { SoundPart } from "../language/fields/sound-part.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import type { DiagnosticCode } from "../text/codes.ts";

/** Annotations that decide the parameters of a tool and their use. Texts for people, limits and tests do not. */
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
/** Codes that depend on one line only. */
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
  // A parameter may be unused because of a `@with` that was left out.
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
