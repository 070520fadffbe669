// The description as it is meant: people write it as a comment, below a heading, or below the line that starts a script.

interface PlainDescription {
  readonly text: string;
  /** The text of a Markdown heading above other text. */
  readonly heading?: string;
}

/** Whether a text is read as something else than its words. */
export function hasMarks(text: string): boolean {
  return /^(?:#|\/\/)/.test(text);
}

export function plainDescription(written: string): PlainDescription {
  if (!hasMarks(written)) return { text: written };
  const text = written.replace(/^#!.*\n?/, "").trimStart();
  const lines = text.split("\n");
  const heading = /^#+[ \t]/.test(text) ? headingOf(lines[0] ?? "") : "";
  const below = lines.slice(1).join("\n").trimStart();
  if (heading !== "" && below !== "" && !below.startsWith("#")) return { text: below, heading };
  const isComment = lines.every((line) => line.trim() === "" || /^[ \t]*(?:#+|\/\/+)(?:[ \t]|$)/.test(line));
  return {
    text: isComment
      ? lines
          .map((line) => line.replace(/^[ \t]*(?:#+|\/\/+)[ \t]?/, ""))
          .join("\n")
          .trim()
      : text,
  };
}

/** Returns the words between the signs; a loop, because an expression would look again at each of them. */
function headingOf(line: string): string {
  let start = 0;
  let end = line.length;
  while (/[# \t]/.test(line[start] ?? "")) start++;
  while (end > start && /[# \t]/.test(line[end - 1] ?? "")) end--;
  return line.slice(start, end);
}
