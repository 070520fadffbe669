// Why a package is not installed: thrown where it is found, worded for the person who asked for the package.
import { withoutCredentials } from "../../core/text/without-credentials.ts";

/**
 * `definitions`: the package is not sound. `missing`: there is no such package or file. `denied`: it is not what is
 * locked, or it may not be installed. `failed`: a server or another program failed.
 */
export type RefusalKind = "definitions" | "missing" | "denied" | "failed";

export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly help: readonly string[];

  constructor(kind: RefusalKind, message: string, help: readonly string[] = []) {
    // Addresses of packages may have a login.
    super(withoutCredentials(message));
    this.kind = kind;
    this.help = help.map(withoutCredentials);
  }
}
