// What `doctor` finds, as data.

export interface Finding {
  readonly group: string;
  readonly name: string;
  /** With `unasked`, only running a program could tell. */
  readonly works: boolean | "unasked";
  readonly fact: string;
  /** Set if no tool of one's own needs it, so that it is no problem here. */
  readonly isUnneeded?: true;
  /** How to fix the problem. */
  readonly help?: string;
}
