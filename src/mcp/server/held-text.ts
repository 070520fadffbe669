// Input from a client that does not read its answers. It is held as text up to a limit, so that no answers pile up, and
// the end of the input is still seen.

export interface HeldText {
  /** Takes text. A returned promise pauses the input until it settles. */
  hear(text: string): void | Promise<void>;
  /** Waits until the client has read what was written. */
  wrote(wait: void | Promise<void>): void;
  /** Continues after an answer. */
  goOn(): void;
  readonly pieces: number;
}

export interface HeldTextOptions {
  readonly charactersMax: number;
  read(text: string): void;
  /** Returns the number of requests without an answer. */
  waiting(): number;
}

/** The limit of requests without an answer, which may be large. Beyond it, held messages wait. */
const WAITING_MAX = 1_000;

export function holdText({ charactersMax, read, waiting }: HeldTextOptions): HeldText {
  const pieces: string[] = [];
  let characters = 0;
  let behind: Promise<void> | undefined;
  const goOn = (): void => {
    while (pieces.length > 0 && !behind && waiting() < WAITING_MAX) {
      const text = pieces.shift() ?? "";
      characters -= text.length;
      read(text);
    }
  };
  return {
    get pieces(): number {
      return pieces.length;
    },
    hear: (text) => {
      if (!behind && pieces.length === 0) return read(text);
      pieces.push(text);
      characters += text.length;
      return characters > charactersMax ? behind : undefined;
    },
    wrote: (wait) => {
      if (!wait) return;
      const readAgain = (): void => {
        behind = undefined;
        goOn();
      };
      // A client that accepts no more answers has disconnected. The end of its input follows.
      behind ??= wait.then(readAgain, readAgain);
    },
    goOn,
  };
}
