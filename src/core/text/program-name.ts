// The name of the program in what it says of itself. A team's executable has its own; where the text names a command to
// type, as in "`dottool list --all` shows all tools", that name is put in when the text is written out.

export const DOTTOOL = "dottool";

let own: string = DOTTOOL;

/** Called once, before anything is written. */
export function nameProgram(name: string): void {
  own = name;
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
