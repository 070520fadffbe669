// The tools inside the executable. They are parsed when it is built, so that they cost a call no time.
import type { DefinitionSummary } from "./entry.ts";

/** Written by scripts/generate/30-bundled-tools.mjs. A bundled definition has neither errors nor warnings. */
export interface BundledTool {
  readonly name: string;
  readonly scope: "builtin";
  readonly folder?: undefined;
  readonly errorCount: 0;
  readonly warningCount: 0;
  readonly fileName: string;
  readonly summary: DefinitionSummary;
  /** The text from `storeDefinition`. */
  readonly definition: string;
  readonly text: string;
}

/** A row. Data inside its function costs neither memory nor space in V8's code cache until it is needed. */
type BundledRow = readonly [fileName: string, name: string, parts: () => readonly [definition: string, text: string]];

/** `summariesText` has all summaries as JSON, because a caller that needs one needs all. */
export function bundledFrom(rows: readonly BundledRow[], summariesText: () => string): readonly BundledTool[] {
  let summaries: readonly DefinitionSummary[] | undefined;
  // The text has a summary for each row.
  const summaryOf = (row: number): DefinitionSummary =>
    (summaries ??= JSON.parse(summariesText()) as readonly DefinitionSummary[])[row] as DefinitionSummary;
  return rows.map((row, index) => new Bundled(row, () => summaryOf(index)));
}

/** A class, because an object would get new getters each time. */
class Bundled implements BundledTool {
  readonly name: string;
  readonly scope = "builtin";
  readonly errorCount = 0;
  readonly warningCount = 0;
  readonly fileName: string;
  readonly #row: BundledRow;
  readonly #summary: () => DefinitionSummary;

  constructor(row: BundledRow, summary: () => DefinitionSummary) {
    this.fileName = row[0];
    this.name = row[1];
    this.#row = row;
    this.#summary = summary;
  }

  get summary(): DefinitionSummary {
    return this.#summary();
  }

  get definition(): string {
    return this.#row[2]()[0];
  }

  get text(): string {
    return this.#row[2]()[1];
  }
}

/** The prefix of the file name where people see it. */
export const BUNDLED_PREFIX = "builtin:";
