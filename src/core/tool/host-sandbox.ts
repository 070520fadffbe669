// Runs untrusted JavaScript apart from the program: a fresh machine for every run, in a thread that can be ended at any
// time. Nothing but text crosses, and nothing exists inside but the language itself and what the driver puts there.

export interface HostSandbox {
  /**
   * Runs a program. At most 8 run at each depth, plus one of each other client, up to 8; 1,000 may wait. It ends within
   * milliseconds of an abort. The first run loads the machine.
   */
  run(run: SandboxRun): Promise<SandboxEnd>;
  /**
   * Replaces TypeScript's types by blanks, so that every other character keeps its line and column. Two run at once,
   * and 1,000 may wait. It runs apart, and ends in time for any text.
   */
  eraseTypes(code: string, signal: AbortSignal): Promise<ErasedTypes>;
}

export interface SandboxRun {
  /**
   * Trusted code: an expression for `(log, call, done) => (program, input) => …`, which ends the run with `done(mark,
   * text)`. It is evaluated before the program, so that the program cannot have changed it.
   */
  readonly driver: string;
  /** Untrusted code: an expression for what the driver takes as `program`. */
  readonly program: string;
  readonly input: string;
  /** Set if the program is only read and does not run: `answered` means that it can be read. */
  readonly isOnlyRead?: true;
  readonly limits: SandboxLimits;
  readonly signal: AbortSignal;
  /** The client of the call, if there are several. */
  readonly client?: string;
  /** Greater than that of every run that waits for this one. */
  readonly depth: number;
  /**
   * Answers `call(name, text)` of the driver. If it throws, the promise in the driver rejects with the message alone.
   * `signal` aborts when the run is over.
   */
  call(name: string, text: string, signal: AbortSignal): Promise<string>;
}

export interface SandboxLimits {
  /** Processor time that the machine computes, in milliseconds. */
  readonly cpuMsMax: number;
  /** The limit from when the machine is ready to the end, including time in `call`. */
  readonly wallMsMax: number;
  /** The limit for the program's values. The thread takes some 25 MiB more. */
  readonly memoryBytesMax: number;
  readonly hostCallsMax: number;
  /** The limit of each text that leaves the machine: the answer, and texts for `call`. */
  readonly resultBytesMax: number;
  /** The length at which the log is cut. */
  readonly logCharactersMax: number;
}

/** `log` is what the driver logged, a line each, also of a run that failed. */
export type SandboxEnd = { readonly log: string } & (
  | SandboxAnswer
  /** `line` and `column` count from 1 in `program`. */
  | { readonly kind: "syntax"; readonly message: string; readonly line: number; readonly column: number }
  /** The program waits for a promise that never settles. */
  | { readonly kind: "unsettled" }
  | { readonly kind: "limit"; readonly limit: Exclude<keyof SandboxLimits, "wallMsMax" | "logCharactersMax"> }
  /** The stack of the thread itself ran over, before the machine's own could. */
  | { readonly kind: "overflow" }
  | { readonly kind: "timeout" }
  | { readonly kind: "cancelled" }
  | { readonly kind: "busy"; readonly waiting: number }
  /** A bug: the driver or the machine itself broke. */
  | { readonly kind: "crashed"; readonly error: Error }
);

/** What the driver passed to `done`. The program may have tampered with it. */
export interface SandboxAnswer {
  readonly kind: "answered";
  readonly mark: string;
  readonly text: string;
}

export type ErasedTypes =
  | { readonly kind: "erased"; readonly code: string }
  /** `isUnsupported` says that the TypeScript is more than types, such as an enum. */
  | {
      readonly kind: "syntax";
      readonly message: string;
      readonly line: number;
      readonly column: number;
      readonly isUnsupported: boolean;
    }
  /** `broken`: it is nested too deep for the compiler, or takes more memory than allowed. */
  | { readonly kind: "unerased"; readonly because: "too-long" | "broken" | "cancelled" }
  | { readonly kind: "busy"; readonly waiting: number };
