// A definition without the annotations that have errors, so that what the builder says of the others is told in the
// same run.
import { hasErrors } from "../text/diagnostic.ts";
import type { ToolDefinition } from "../tool/definition.ts";
import { analyzeToolFile, type AnalyzeOptions } from "./analyze.ts";
import type { ToolFile } from "./ast.ts";

/** What is left out may be what others refer to. */
const ROUNDS_MAX = 4;

export interface SoundPart {
  readonly definition: ToolDefinition;
  /** Keywords of annotations that are left out. */
  readonly leftOut: ReadonlySet<string>;
}

/**
 * Undefined where too little is left, or too much is wrong: without its name or what it is made from, nothing can be
 * said.
 */
export function soundPart(file: ToolFile, options: AnalyzeOptions): SoundPart | undefined {
  const leftOut = new Set<string>();
  let part: ToolFile = { ...file, oddLines: [], strayText: [] };
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { value, diagnostics } = analyzeToolFile(part, options);
    if (value && !hasErrors(diagnostics)) return { definition: value, leftOut };
    // With that many errors, further ones are not needed yet.
    if (diagnostics.some(({ code }) => code === "too-many")) return undefined;
    const places = diagnostics.flatMap(({ severity, at }) => (severity === "error" && at ? [at.span.start] : []));
    const isFaulty = ({ start, end }: { readonly start: number; readonly end: number }): boolean =>
      places.some((place) => place >= start && place <= end);
    const kept = part.annotations.filter(({ span }) => !isFaulty(span));
    if (kept.length === part.annotations.length) return undefined;
    for (const { keyword } of part.annotations.filter(({ span }) => isFaulty(span))) leftOut.add(keyword);
    part = { ...part, annotations: kept };
  }
  return undefined;
}
