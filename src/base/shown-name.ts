// File names as people and models may see them: one name stays one line, and cannot move the cursor or turn the text
// around.

const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The name as it is; as a JSON string where it has characters that would not show as themselves. */
export function shownName(name: string): string {
  if (name.search(unprintable) === -1) return name;
  return JSON.stringify(name).replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
