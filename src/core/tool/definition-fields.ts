// What approvals make of each field of a definition. The compiler asks for every new field, so that none expires
// approvals, or is missed by them, unseen.
import type { ToolDefinition } from "./definition.ts";

/**
 * `acts`: it decides what a call does, or what a model is told of the call. Its change ends an approval, and its words
 * may name programs. `tells`: the same for text that names no programs. `apart`: its change leaves approvals as they
 * are.
 */
type FieldWeight = "acts" | "tells" | "apart";

type KeyOf<Definition> = Definition extends unknown ? keyof Definition : never;

const weights = {
  // An approval is stored by the name, and the place depends on the working folder.
  name: "apart",
  origin: "apart",
  // What it does.
  kind: "acts",
  base: "acts",
  isLoopBreaking: "acts",
  changesTools: "acts",
  commands: "acts",
  presets: "acts",
  defaults: "acts",
  steps: "acts",
  output: "acts",
  cleanup: "acts",
  code: "acts",
  allows: "acts",
  surroundings: "acts",
  fallback: "acts",
  ignoreErrors: "acts",
  // What it may do, needs and is limited to.
  declaredEffects: "acts",
  requires: "acts",
  depends: "acts",
  platforms: "acts",
  limits: "acts",
  security: "acts",
  confirm: "acts",
  cycodVersion: "acts",
  // What models decide by.
  title: "tells",
  description: "tells",
  parameters: "acts",
  returns: "acts",
  schemaOmits: "acts",
  tags: "acts",
  version: "acts",
  // What only people read, and tests, which run elsewhere.
  tests: "apart",
  asks: "apart",
  examples: "apart",
  changelog: "apart",
  notes: "apart",
  annotations: "apart",
  help: "apart",
  keywords: "apart",
  category: "apart",
  deprecated: "apart",
} as const satisfies Readonly<Record<KeyOf<ToolDefinition>, FieldWeight>>;

const byName: ReadonlyMap<string, FieldWeight> = new Map(Object.entries(weights));

/** A field that is not known acts, because it may. */
export function weightOf(field: string): FieldWeight {
  return byName.get(field) ?? "acts";
}
