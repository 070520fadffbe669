export function lines(...rows: readonly string[]): string {
  return `${rows.join("\n")}\n`;
}
