// The table of a benchmark. A row is `{name, value, unit, reference?, of?, target?}`: `reference` is measured in the
// same run, `of` names it, and `target` is the limit of `value`. Rows without a target are for comparison.

const HEAD = ["", "value", "reference", "ratio", "target", ""];

export function printRows(rows) {
  if (rows.length === 0) return;
  const lines = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((cells) => cells[column].length)));
  for (const cells of lines)
    console.log(
      cells
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
        .join("  ")
        .trimEnd(),
    );
}

function cellsOf({ name, value, unit, reference, of, target }) {
  return [
    name,
    show(value, unit),
    reference === undefined ? "" : `${of} ${show(reference, unit)}`,
    reference === undefined ? "" : (value / reference).toFixed(2),
    target === undefined ? "" : `≤ ${show(target, unit)}`,
    target === undefined ? "" : value <= target ? "met" : "MISSED",
  ];
}

function show(value, unit) {
  return `${value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toFixed(3)} ${unit}`;
}

/**
 * Returns the lower quartile. It is steadier than the median, because other work of the machine only makes a program
 * slower.
 */
export function lowerQuartile(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 2];
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
