// What a client sends while it does not read its answers is held as text, and so much of it, so that no answers pile
// up. The end of its input is seen all the same, until there is too much.

export interface HeldText {
  /** A promise asks for nothing more until it settles. */
  hear(text: string): void | Promise<void>;
  /** `wait`: until the client has read what was written. */
  wrote(wait: void | Promise<void>): void;
  /** Something has been answered. */
  goOn(): void;
  readonly pieces: number;
}

export interface HeldTextOptions {
  readonly charactersMax: number;
  read(text: string): void;
  /** Requests that are not answered yet. */
  waiting(): number;
}

/** Held messages wait while so many requests are waiting for their answers, which may be large. */
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
      // A client that accepts no more answers has disconnected; the end of its input follows.
      behind ??= wait.then(readAgain, readAgain);
    },
    goOn,
  };
}
