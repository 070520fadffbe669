// Why a request for a tool is refused: a class that a program can read, what is true, and what would be accepted.

const refusalClasses = [
  "shape",
  "schema",
  "syntax",
  "unknown_tool",
  "test_failed",
  "nondeterministic",
  "unsafe",
  "judge_failed",
  "quota",
  "duplicate",
  "storage",
] as const;

/**
 * `shape`: the request lacks a part. `schema`: a JSON Schema says what no parameter can. `syntax`: the code or a
 * reference cannot be read. `unsafe`: it would do more than it may, or a judge refuses it.
 * `judge_failed`: a judge gave no verdict. `storage`: it cannot be stored.
 */
type RefusalClass = (typeof refusalClasses)[number];

export interface Refusal {
  readonly class: RefusalClass;
  /** A fact that names its subject. */
  readonly message: string;
  /** What would be accepted. */
  readonly help: readonly string[];
}

/** Ends the work on a request. It never leaves forge/. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusalClass: RefusalClass, message: string, help: readonly string[] = []) {
    super(message);
    this.refusal = { class: refusalClass, message, help };
  }
}
