// The choice of the lines that `read_file` returns, and their form.
import type { TextBlock } from "./text-blocks.ts";

export interface LineChoice {
  /** Counted from 1; both are included. */
  readonly first: number;
  readonly last: number;
  /** If there are any, only lines that contain one of these are returned. */
  readonly words: readonly string[];
  readonly isNumbered: boolean;
  readonly linesMax: number;
  readonly charactersMax: number;
}

export interface Excerpt {
  readonly text: string;
  readonly linesShown: number;
  /** The last examined line, shown or not. Absent if there was none. */
  readonly lastLine?: number;
  /** Why no more lines follow. */
  readonly end: "file" | "range" | "lines" | "characters";
  /** A line of which only the beginning is shown. */
  readonly cutLine?: number;
}

export async function collectLines(blocks: AsyncIterable<TextBlock>, choice: LineChoice): Promise<Excerpt> {
  const shown: string[] = [];
  let room = choice.charactersMax;
  let lastLine: number | undefined;
  let cutLine: number | undefined;
  const excerpt = (end: Excerpt["end"]): Excerpt => ({
    text: shown.join(""),
    linesShown: shown.length,
    end,
    ...(lastLine === undefined ? {} : { lastLine }),
    ...(cutLine === undefined ? {} : { cutLine }),
  });
  for await (const block of blocks) {
    let number = block.firstLine;
    for (const line of linesOf(block.text)) {
      if (number > choice.last) return excerpt("range");
      if (isChosen(line, choice)) {
        if (shown.length === choice.linesMax) return excerpt("lines");
        const look = choice.isNumbered ? `${number}\t${line.replace(/\r?\n?$/, "\n")}` : line;
        if (look.length > room && shown.length > 0) return excerpt("characters");
        if (look.length > room) cutLine = number;
        shown.push(look.slice(0, room));
        room -= look.length;
      }
      lastLine = number++;
    }
  }
  return excerpt("file");
}

/** Returns the lines with their line ends, without an empty line after the last. */
function* linesOf(text: string): Generator<string, void, undefined> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at);
    const next = end === -1 ? text.length : end + 1;
    yield text.slice(at, next);
    at = next;
  }
}

function isChosen(line: string, choice: LineChoice): boolean {
  return choice.words.length === 0 || choice.words.some((word) => line.includes(word));
}
