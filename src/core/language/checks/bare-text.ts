// The text of a command or a script without what stands in quotes and comments.

/** Matches what a shell takes as it is: a character behind a backslash, a text in quotes, and a comment. */
export const QUOTED = /\\.|'[^']*'|"(?:\\.|[^"\\])*"|(?<=^|\s)#.*/gm;

/** Returns a text of the same length, with blanks in their place. Each is one line, or a closed pair of quotes. */
export function bareText(text: string): string {
  return text.replaceAll(QUOTED, (found) => (found.startsWith("\\") ? found : found.replaceAll(/[^\n]/g, " ")));
}
