// The tools inside the executable: parsed when it was built, so that they cost a call nothing.
import type { DefinitionSummary } from "./entry.ts";

/** Written by scripts/generate/30-bundled-tools.mjs; a bundled definition has neither errors nor warnings. */
export interface BundledTool {
  readonly fileName: string;
  readonly name: string;
  readonly summary: DefinitionSummary;
  /** From `storeDefinition`. */
  readonly definition: string;
  readonly text: string;
}

/** The summary as JSON text, the definition, the text. */
type Parts = readonly [summary: string, definition: string, text: string];

/** What only `parts` holds costs a call nothing that does not ask for it: neither memory nor a place in V8's code cache. */
export function bundledTool(fileName: string, name: string, parts: () => Parts): BundledTool {
  return new LazyBundledTool(fileName, name, parts);
}

class LazyBundledTool implements BundledTool {
  readonly fileName: string;
  readonly name: string;
  readonly #parts: () => Parts;

  constructor(fileName: string, name: string, parts: () => Parts) {
    this.fileName = fileName;
    this.name = name;
    this.#parts = parts;
  }

  get summary(): DefinitionSummary {
    return JSON.parse(this.#parts()[0]) as DefinitionSummary;
  }

  get definition(): string {
    return this.#parts()[1];
  }

  get text(): string {
    return this.#parts()[2];
  }
}

/** Before the file name, where people see it. */
export const BUNDLED_PREFIX = "builtin:";
