// Definitions that a format cannot express. They are not written at all, so that nothing is lost.

export class CannotWrite extends Error {
  /** A noun phrase: "a description whose third line begins like an annotation". */
  readonly what: string;

  constructor(what: string) {
    super(`cannot write ${what}`);
    this.what = what;
  }
}
