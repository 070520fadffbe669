// Durations and sizes in an author's notation, without rounding, and text below an annotation.

export function durationText(ms: number): string {
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000}h`;
  if (ms % 60_000 === 0) return `${ms / 60_000}m`;
  return ms % 1_000 === 0 ? `${ms / 1_000}s` : `${ms}ms`;
}

export function sizeQuantity(bytes: number): string {
  for (const [unit, size] of sizes) if (bytes % size === 0) return `${bytes / size}${unit}`;
  return `${bytes}B`;
}

const sizes = [
  ["GiB", 1_073_741_824],
  ["GB", 1e9],
  ["MiB", 1_048_576],
  ["MB", 1e6],
  ["KiB", 1_024],
  ["KB", 1e3],
] as const;

export function indented(text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : `    ${line}`))
    .join("\n");
}
