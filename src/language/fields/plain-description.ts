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
  const [, heading, below] = /^#+[ \t]+(.+?)[ \t#]*\n\s*([^#\s][^]*)$/.exec(text) ?? [];
  if (heading !== undefined && below !== undefined) return { text: below, heading };
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
