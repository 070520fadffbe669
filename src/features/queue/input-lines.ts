// Standard input line by line, no faster than the lines are taken.
import { lineReader } from "../../core/text/line-reader.ts";
import type { Terminal } from "../../core/tool/terminal.ts";

export interface InputLine {
  /** Counted from 1. */
  readonly number: number;
  /** Empty if the line is too long. */
  readonly text: string;
  readonly isTooLong: boolean;
}

/** The limit of a line. What is longer is passed over, so that it cannot fill the memory. */
export const LINE_CHARACTERS_MAX = 16 * 1024 * 1024;

/** Yields the lines that are not blank. Ends early when the program is to end. */
export async function* inputLines({ input, signal }: Pick<Terminal, "input" | "signal">): AsyncGenerator<InputLine> {
  const read: InputLine[] = [];
  let number = 0;
  const take = lineReader({
    charactersMax: LINE_CHARACTERS_MAX,
    onLine: (line) => {
      const text = (++number === 1 ? line.replace(/^\uFEFF/, "") : line).replace(/\r$/, "");
      if (text.trim() !== "") read.push({ number, text, isTooLong: false });
    },
    onTooLong: () => void read.push({ number: ++number, text: "", isTooLong: true }),
  });
  for await (const text of pieces(input, signal)) {
    take(text);
    yield* read.splice(0);
  }
  take("\n");
  yield* read;
}

async function* pieces(input: Terminal["input"], signal: AbortSignal): AsyncGenerator<string> {
  const ended = new AbortController();
  const waiting: { text: string | undefined; taken: () => void }[] = [];
  let wake = (): void => undefined;
  const add = (text: string | undefined): Promise<void> =>
    new Promise((taken) => {
      waiting.push({ text, taken });
      wake();
    });
  const stop = (): void => void add(undefined);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) return;
  input.listen(ended.signal, add);
  try {
    for (;;) {
      if (waiting.length === 0) await new Promise<void>((resolve) => void (wake = resolve));
      const next = waiting.shift();
      if (next?.text === undefined) return;
      yield next.text;
      next.taken();
    }
  } finally {
    signal.removeEventListener("abort", stop);
    ended.abort();
  }
}
