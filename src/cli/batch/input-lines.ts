// Standard input line by line, no faster than the lines are taken.
import type { Terminal } from "../../tool/terminal.ts";

export interface InputLine {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
}

/** Yields the lines that are not blank. Ends early when the program is to end. */
export async function* inputLines({ input, signal }: Pick<Terminal, "input" | "signal">): AsyncGenerator<InputLine> {
  let rest = "";
  let number = 0;
  for await (const text of pieces(input, signal)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield* shown({ number: ++number, text: line });
  }
  yield* shown({ number: number + 1, text: rest });
}

function shown({ number, text }: InputLine): readonly InputLine[] {
  const plain = (number === 1 ? text.replace(/^\uFEFF/, "") : text).replace(/\r$/, "");
  return plain.trim() === "" ? [] : [{ number, text: plain }];
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
