// What a format cannot express: such a definition is not written at all, so that nothing is lost.

export class CannotWrite extends Error {
  /** As a noun: "a description whose third line begins like an annotation". */
  readonly what: string;

  constructor(what: string) {
    super(`cannot write ${what}`);
    this.what = what;
  }
}
