// Values within the strings of a JSON text, as in `{"name": "{name}"}`: a quote in such a value would end the string, and
// the rest of it would become keys and values of the text.

/** Returns what stands in strings of a JSON text besides text; nothing if it is none. */
export function jsonPlaces<Other extends object>(pieces: readonly (string | Other)[]): ReadonlySet<Other> {
  const found = new Set<Other>();
  let json = "";
  let isInside = false;
  for (const piece of pieces) {
    if (typeof piece === "string") {
      for (const [mark] of piece.matchAll(/\\.|"/gs)) if (mark === '"') isInside = !isInside;
      json += piece;
    } else {
      if (isInside) found.add(piece);
      json += "1";
    }
  }
  if (found.size === 0) return found;
  // `-d{…}`, `--data={…}`, `field={…}`, and the last line of a here-document.
  const bare = json.replace(/^[\w@.-]*=?(?=[[{])/, "").replace(/\n[\t ]*\w+\n?$/, "");
  // `["{x}"]` alone is more often a pattern.
  if (!/^\s*(?:\{|\[.*[{,])/s.test(bare)) return new Set();
  try {
    JSON.parse(bare);
  } catch {
    return new Set();
  }
  return found;
}

/** Joins texts and values. A value within a string of a JSON text is written as JSON. */
export function filledParts<Other extends object>(
  parts: readonly (string | Other)[],
  textOf: (part: Other) => string,
): string {
  const places = jsonPlaces(parts);
  const filled = (part: Other): string => (places.has(part) ? JSON.stringify(textOf(part)).slice(1, -1) : textOf(part));
  return parts.map((part) => (typeof part === "string" ? part : filled(part))).join("");
}
