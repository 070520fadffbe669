// The program as seen from the command line: its streams and signals, and what it runs on. An interface; real in
// ../host/terminal.ts.

export interface Terminal {
  /** `Node.js 24.21.0 on linux x64`. */
  readonly runtime: string;
  /** Absolute: where the program was started. Throws `{code: "ENOENT"}` when that folder is gone. */
  workingFolder(): string;
  /** Results. */
  readonly output: TerminalPort;
  /** Everything else. */
  readonly errors: TerminalPort;
  readonly input: TerminalInput;
  /**
   * Aborts on Ctrl-C and its kind, and when the output cannot be written any more. Signals end the program at once
   * until this is first asked for.
   */
  readonly signal: AbortSignal;
  /** Why `signal` aborted. The exit code follows from it, whatever the program sets. */
  readonly ending: TerminalEnding | undefined;
  /**
   * From now on a signal is no interruption, but the way to end what would go on for ever: a server ends with 0. Absent
   * where there are none.
   */
  expectSignal?(): void;
  /**
   * From now on an error that nothing waited for is given to `tell` instead of ending the program. Absent where there
   * are none.
   */
  outliveErrors?(tell: (error: unknown) => void): void;
  /**
   * Ends the program after so long, even if nobody has read what was written. What is done earlier ends earlier. Absent
   * where somebody else ends it.
   */
  endWithin?(ms: number): void;
}

/** `output-closed`: the reader has had enough, which is no failure. `output-failed`: the disk is full and the like. */
export type TerminalEnding = "interrupted" | "output-closed" | "output-failed";

export interface TerminalPort {
  readonly isTerminal: boolean;
  readonly hasColor: boolean;
  /** A terminal that can draw over what stands on it. */
  readonly movesCursor: boolean;
  /** Of a terminal; 80 elsewhere. */
  readonly columns: number;
  /** Of a terminal; 24 elsewhere. */
  readonly rows: number;
  /**
   * Never throws: what nobody reads is dropped. A promise settles when the reader has caught up; nobody has to wait for
   * it.
   */
  write(content: string | Uint8Array): void | Promise<void>;
}

export interface TerminalInput {
  readonly isTerminal: boolean;
  /** All of it; undefined when there is more than `bytesMax`. */
  readBytes(bytesMax: number): Promise<Uint8Array | undefined>;
  /** One line of a person's answer, without its line end; undefined when the input ends or the program does. */
  ask(question: string): Promise<string | undefined>;
  /** What comes in, as it comes, until the signal aborts; undefined when there is no more. */
  listen(signal: AbortSignal, onText: (text: string | undefined) => void | Promise<void>): void;
}
