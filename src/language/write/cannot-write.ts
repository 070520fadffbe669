// What a format has no words for: a definition that holds it is not written at all, so that nothing is lost.

export class CannotWrite extends Error {
  /** As a noun: "a description whose third line begins like an annotation". */
  readonly what: string;

  constructor(what: string) {
    super(`cannot write ${what}`);
    this.what = what;
  }
}
