export function lines(...rows: readonly string[]): string {
  return `${rows.join("\n")}\n`;
}

/** The words of a text, which may have several lines. */
export function wordList(text: string): string[] {
  return text.trim().split(/\s+/);
}
