// A definition without its annotations that have errors, so that one run also reports what the builder says about the
// rest.
import { hasErrors } from "../../text/diagnostic.ts";
import type { ToolDefinition } from "../../tool/definition.ts";
import { analyzeToolFile, type AnalyzeOptions } from "../analyze.ts";
import type { ToolFile } from "../syntax/ast.ts";

/** The limit of rounds, because other annotations may refer to one that is left out. */
const ROUNDS_MAX = 4;

export interface SoundPart {
  readonly definition: ToolDefinition;
  /** Keywords of annotations that are left out. */
  readonly leftOut: ReadonlySet<string>;
}

/**
 * Returns the sound part, or undefined if too little is left, as without its name or what it is made from, or if there
 * are too many errors.
 */
export function soundPart(file: ToolFile, options: AnalyzeOptions): SoundPart | undefined {
  const leftOut = new Set<string>();
  let part: ToolFile = { ...file, oddLines: [], strayText: [] };
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { value, diagnostics } = analyzeToolFile(part, options);
    if (value && !hasErrors(diagnostics)) return { definition: value, leftOut };
    // So many errors are enough for now.
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
