// Program text that is a word of a command and the same in every call, as in `sh -c 'eval "$1"' sh {p}`: what can reach
// it, and whether it may run that.
import type { HazardContext } from "./command-hazards.ts";
import type { CommandWord, PlaceholderPiece, ReadScript, SimpleCommand } from "./command-pieces.ts";
import { scanScript } from "./command-scan.ts";

/** `words`: those whose values the script can get at, as `$1` or by the names that they are assigned to. */
export function innerScript(text: string, words: readonly CommandWord[], isZsh: boolean): ReadScript {
  const script = scannedInner(text, isZsh);
  const given: SimpleCommand = { words, redirections: [], isList: true };
  return { ...script, commands: [given, ...script.commands] };
}

export function scannedInner(text: string, isZsh: boolean): ReadScript {
  // `{name}` is only text there: the outer script has its own placeholders.
  // Its `$0` is given by the outer one, like `$1`.
  const read = text.replaceAll(/(?<!\$)\{(?=[A-Za-z_][\w-]*\})/g, "%").replaceAll(/\$(\{?)0/g, "$$$11");
  return { ...scanScript(read, { knowsTests: true, knowsSubscripts: isZsh }), shell: isZsh ? "zsh" : "bash" };
}

/** Returns the program text with a number for each value; other values are refused elsewhere. */
export function programText({ pieces }: CommandWord): string {
  return pieces.map((piece) => (piece.kind === "text" ? piece.text : "1")).join("");
}

/**
 * The values that a program text can get at: in the words around it, in variables that it names, and in what comes in.
 */
export function reachedBy(
  text: string,
  words: readonly CommandWord[],
  { flow, fed }: HazardContext,
): readonly CommandWord[] {
  const given = [...flow.carriedBy(words, "deep"), ...flow.unknownIn(words)].map(({ piece }) => wordOf("", piece));
  const variables = [...new Set(text.match(/[A-Za-z_][A-Za-z0-9_]*/g))].flatMap((name) => {
    const piece = flow.mayHold(name);
    return piece ? [wordOf(`${name}=`, piece)] : [];
  });
  return [...given, ...variables, ...(fed ? [wordOf("", fed)] : [])];
}

function wordOf(start: string, piece: PlaceholderPiece): CommandWord {
  return { pieces: [{ kind: "text", text: start }, piece] };
}

/** `$x` that is expanded when the text is computed, as a name that is computed; `$1` is not known. */
export function namesIn(text: string): string {
  return text.replaceAll(/\$\{?[0-9@*]/g, "_").replaceAll(/[${}]/g, "");
}

/** The limit of a program text that is searched; a longer one counts as able to run anything. */
const READ_CHARACTERS_MAX = 10_000;

/** `runs`: what in a program of its language may run text. */
export function runsWhatItIsGiven(text: string, runs: "awk" | RegExp): boolean {
  if (text.length > READ_CHARACTERS_MAX) return true;
  return runs === "awk" ? awkRuns.test(withoutAwkTexts(text)) : runs.test(text);
}

/** `system(…)`, `… | getline`, `print | …`, `@load` and calls of functions by name. */
const awkRuns = /\bsystem\b|(?<!\|)\|(?!\|)|@/;

/** Removes strings, comments and patterns: `"a|b"` is not a pipe. A slash after a name or a number divides. */
function withoutAwkTexts(program: string): string {
  return program.replaceAll(
    /"(?:[^"\\]|\\.)*"|#[^\n]*|(?<=(?:^|[(,;!&|~{}\n])\s*)\/(?:[^/\\\n[]|\\.|\[\^?\]?[^\]\n]*\])*\//g,
    " ",
  );
}
