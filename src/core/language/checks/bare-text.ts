// The text of a command or a script without what stands in quotes and comments.

/** Returns a text of the same length, with blanks in their place. Each is one line, or a closed pair of quotes. */
export function bareText(text: string): string {
  return text.replaceAll(/\\.|'[^']*'|"(?:\\.|[^"\\])*"|(?<=^|\s)#.*/gm, (found) =>
    found.startsWith("\\") ? found : found.replaceAll(/[^\n]/g, " "),
  );
}
