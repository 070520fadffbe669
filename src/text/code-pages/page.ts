// One page about one diagnostic code.

export interface CodePage {
  /** The problem in a few words. */
  readonly title: string;
  /** Why it matters and what to do. */
  readonly explanation: string;
  /** A file that has it. For codes that a file cannot have alone, what leads to it. */
  readonly bad: string;
  /** The repair. */
  readonly good: string;
}

export function lines(...rows: readonly string[]): string {
  return `${rows.join("\n")}\n`;
}

/** Returns a whole wrap; `rows` are what the page is about. */
export function wrap(...rows: readonly string[]): string {
  return lines("Find lines in files.", "", "@title Find Lines", "@name find_lines", "@wrapped run_command", ...rows);
}
