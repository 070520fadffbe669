// Runs untrusted JavaScript apart from the program: a fresh machine for every run, in a thread that can be ended at any
// time. Nothing but text crosses, and nothing exists inside but the language itself and what the driver puts there.

export interface HostSandbox {
  /**
   * At most 8 at once at each depth, and one of each other client, up to 8; 1,000 waiting. Ends within milliseconds of
   * an abort. Loads the machine with the first run.
   */
  run(run: SandboxRun): Promise<SandboxEnd>;
  /**
   * Two at once, 1,000 waiting. Blanks out TypeScript's types; every other character keeps its line and column. Runs
   * apart, and ends in time whatever the text is.
   */
  eraseTypes(code: string, signal: AbortSignal): Promise<ErasedTypes>;
}

export interface SandboxRun {
  /**
   * Trusted. An expression for `(log, call, done) => (program, input) => …`, which ends the run with `done(mark,
   * text)`; evaluated before the program, so that the program cannot have changed it.
   */
  readonly driver: string;
  /** Not trusted. An expression for whatever the driver takes as `program`. */
  readonly program: string;
  readonly input: string;
  /** The program is read and not run: `answered` means that it can be. */
  readonly isOnlyRead?: true;
  readonly limits: SandboxLimits;
  readonly signal: AbortSignal;
  /** Whose call it is, where there are several. */
  readonly client?: string;
  /** More than that of every run that waits for this one. */
  readonly depth: number;
  /**
   * What `call(name, text)` of the driver reaches. A throw rejects there, with its message alone. `signal` aborts when
   * the run is over.
   */
  call(name: string, text: string, signal: AbortSignal): Promise<string>;
}

export interface SandboxLimits {
  /** Time that the machine computes, in milliseconds. */
  readonly cpuMsMax: number;
  /** From start to end, with the time it waits for `call`; not the time in the queue. */
  readonly wallMsMax: number;
  /** What the program's values take. The thread around it takes some 25 MiB more. */
  readonly memoryBytesMax: number;
  readonly hostCallsMax: number;
  /** Each text that leaves the machine: the answer, and what goes to `call`. */
  readonly resultBytesMax: number;
  /** More is cut. */
  readonly logCharactersMax: number;
}

/** `log`: what the driver logged, a line each, also of a run that failed. */
export type SandboxEnd = { readonly log: string } & (
  | SandboxAnswer
  /** Both count from 1 in `program`. */
  | { readonly kind: "syntax"; readonly message: string; readonly line: number; readonly column: number }
  /** It waits for a promise that never settles. */
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

/** What the driver passed to `done`; the program may have tampered with it. */
export interface SandboxAnswer {
  readonly kind: "answered";
  readonly mark: string;
  readonly text: string;
}

export type ErasedTypes =
  | { readonly kind: "erased"; readonly code: string }
  /** `isUnsupported`: TypeScript that is more than types, such as an enum. */
  | {
      readonly kind: "syntax";
      readonly message: string;
      readonly line: number;
      readonly column: number;
      readonly isUnsupported: boolean;
    }
  /** `broken`: it is nested too deep for the compiler, or takes more memory than it may have. */
  | { readonly kind: "unerased"; readonly because: "too-long" | "broken" | "cancelled" }
  | { readonly kind: "busy"; readonly waiting: number };
