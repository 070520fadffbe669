// JSON for people and programs: the same data, and nothing in it that a terminal acts on.

/**
 * Without a final line end. C0 controls are escaped by JSON itself; C1 controls and marks of reading direction are not,
 * and may be.
 */
export function jsonText(value: unknown): string {
  return withoutMarks(JSON.stringify(value, null, 2));
}

/** Returns JSON in one line, without invisible characters. */
export function jsonLine(value: unknown): string {
  return withoutMarks(JSON.stringify(value));
}

function withoutMarks(json: string): string {
  return json.replaceAll(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
