// File names as people and models may see them: a name stays on one line, and cannot move the cursor or reorder text.

const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Returns the name as it is, or as a JSON string if some characters would not be visible. */
export function shownName(name: string): string {
  if (name.search(unprintable) === -1) return name;
  return JSON.stringify(name).replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
