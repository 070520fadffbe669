// What `doctor` finds, as data.

export interface Finding {
  readonly group: string;
  readonly name: string;
  /** With `unasked`, only running a program could tell. */
  readonly works: boolean | "unasked";
  readonly fact: string;
  /** How to fix the problem. */
  readonly help?: string;
}
