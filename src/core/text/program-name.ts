// The name of the program in what it says of itself. A team's executable has its own; where the text names a command to
// type, as in "`dottool list --all` shows all tools", that name is put in when the text is written out.

import { version } from "../../generated/version.ts";

export const DOTTOOL = "dottool";

let own: string = DOTTOOL;
let ownVersion: string = version;

/** Called once, before anything is written. A team's tools may have no version. */
export function nameProgram(program: { readonly name: string; readonly version?: string }): void {
  own = program.name;
  ownVersion = program.version ?? version;
}

export function ownProgramVersion(): string {
  return ownVersion;
}

export function ownProgramName(): string {
  return own;
}

/** A command line or the program by its name, and not a path, a package or a variable that contains it. */
const NAMED = /(?<![\w./~@-])dottool(?= \D|[`']|$)/gm;

/** Returns a text of our own with the name of the program. */
export function inOwnName(text: string): string {
  return own === DOTTOOL ? text : text.replaceAll(NAMED, own);
}
