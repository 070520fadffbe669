// Why a package is not installed: thrown where it is found, worded for the person who asked for the package.

/**
 * `definitions`: the package is not sound. `missing`: there is no such package or file. `denied`: it is not what is
 * locked, or it may not be installed. `failed`: a server or another program failed.
 */
export type RefusalKind = "definitions" | "missing" | "denied" | "failed";

export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly help: readonly string[];

  constructor(kind: RefusalKind, message: string, help: readonly string[] = []) {
    super(message);
    this.kind = kind;
    this.help = help;
  }
}
