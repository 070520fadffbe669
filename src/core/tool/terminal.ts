// The program as seen from the command line: its streams, its signals and its runtime. An interface; real in
// core/host/terminal/terminal.ts.

export interface Terminal {
  /** `Node.js 24.21.0 on linux x64`. */
  readonly runtime: string;
  /**
   * Returns the absolute path where the program was started. Throws `{code: "ENOENT"}` if that folder no longer exists.
   */
  workingFolder(): string;
  /** Results. */
  readonly output: TerminalPort;
  /** The port for everything else. */
  readonly errors: TerminalPort;
  readonly input: TerminalInput;
  /**
   * Aborts on Ctrl-C and similar signals, and when the output cannot be written any more. Signals end the program at
   * once until this is first asked for.
   */
  readonly signal: AbortSignal;
  /**
   * Lends the terminal to a process of the group of this program: until the returned function is called, Ctrl-C is for
   * that process alone. `isForced` says that the process was killed, and may have left the terminal in any mode. Absent
   * where that is impossible.
   */
  lend?(): Promise<(isForced: boolean) => void>;
  /** Why `signal` aborted. It decides the exit code, whatever the program sets. */
  readonly ending: TerminalEnding | undefined;
  /**
   * Makes a signal the normal end of a server, with exit code 0, instead of an interruption. Absent where there are no
   * signals.
   */
  expectSignal?(): void;
  /**
   * Passes errors that nothing waited for to `tell` from now on, instead of ending the program. Absent where that is
   * impossible.
   */
  outliveErrors?(tell: (error: unknown) => void): void;
  /**
   * Ends the program after this time, even if its output has not been read, or earlier if it is done. Absent if other
   * code ends it.
   */
  endWithin?(ms: number): void;
  /** Calls `work` when all that is ready now has been handled. Absent in tests. */
  afterTurn?(work: () => void): void;
}

/**
 * `output-closed`: the reader stopped reading, which is not a failure. `output-failed`: the disk is full or similar.
 */
export type TerminalEnding = "interrupted" | "output-closed" | "output-failed";

export interface TerminalPort {
  readonly isTerminal: boolean;
  readonly hasColor: boolean;
  /** A terminal that can redraw its lines. */
  readonly movesCursor: boolean;
  /** The width of a terminal; 80 elsewhere. */
  readonly columns: number;
  /** The height of a terminal; 24 elsewhere. */
  readonly rows: number;
  /**
   * Writes. It never throws; unread output is dropped. A promise settles when the reader has caught up, and callers
   * need not wait for it.
   */
  write(content: string | Uint8Array): void | Promise<void>;
}

export interface TerminalInput {
  readonly isTerminal: boolean;
  /** Returns all of it, or undefined if there is more than `bytesMax`. */
  readBytes(bytesMax: number): Promise<Uint8Array | undefined>;
  /** Returns one line of a person's answer, without its line end, or undefined when the input or the program ends. */
  ask(question: string): Promise<string | undefined>;
  /** Passes on input as it comes until the signal aborts, and undefined at its end. */
  listen(signal: AbortSignal, onText: (text: string | undefined) => void | Promise<void>): void;
}

/** The start of a session that this program goes on with. */
export interface HandedOver {
  /** Lines that have been answered, and that whoever goes on must know. */
  readonly answered: string;
  /** Input that has not been answered; its last line may lack its end. */
  readonly waiting: string;
}
