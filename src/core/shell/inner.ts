// Program text that is a word of a command and the same in every call, as in `sh -c 'eval "$1"' sh {p}`: which values
// can reach it, and whether it may run them.
import type { HazardContext } from "./danger.ts";
import type { CommandWord, PlaceholderPiece, ReadScript, SimpleCommand } from "./pieces.ts";
import { scanScript } from "./scan.ts";

/**
 * Checks a script within a script. `words` are those whose values it can reach, as `$1` or by the names that they are
 * assigned to.
 */
export function innerScript(text: string, words: readonly CommandWord[], isZsh: boolean): ReadScript {
  const script = scannedInner(text, isZsh);
  const given: SimpleCommand = { words, redirections: [], isList: true };
  return { ...script, commands: [given, ...script.commands] };
}

export function scannedInner(text: string, isZsh: boolean): ReadScript {
  // `{name}` is plain text there, since the outer script has its own placeholders. The outer script gives `$0` as it
  // gives `$1`.
  const read = text.replaceAll(/(?<!\$)\{(?=[A-Za-z_][\w-]*\})/g, "%").replaceAll(/\$(\{?)0/g, "$$$11");
  return { ...scanScript(read, { knowsTests: true, knowsSubscripts: isZsh }), shell: isZsh ? "zsh" : "bash" };
}

/** Returns the program text with a number for each value; other values are refused elsewhere. */
export function programText({ pieces }: CommandWord): string {
  return pieces.map((piece) => (piece.kind === "text" ? piece.text : "1")).join("");
}

/**
 * Returns the values that a program text can reach: in the words around it, in variables that it names, and in its
 * input.
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

/** Replaces `$x`, which is expanded when the text is computed, by its name, which is computed. `$1` is not known. */
export function namesIn(text: string): string {
  return text.replaceAll(/\$\{?[0-9@*]/g, "_").replaceAll(/[${}]/g, "");
}

/** The limit of a program text that is searched. A longer one counts as able to run anything. */
const READ_CHARACTERS_MAX = 10_000;

/** Whether a program text may run a value. `runs` says what does so in its language. */
export function runsWhatItIsGiven(text: string, runs: "awk" | RegExp): boolean {
  if (text.length > READ_CHARACTERS_MAX) return true;
  return runs === "awk" ? awkRuns.test(withoutAwkTexts(text)) : runs.test(text);
}

/** Matches `system(…)`, `… | getline`, `print | …`, `@load` and calls of functions by name. */
const awkRuns = /\bsystem\b|(?<!\|)\|(?!\|)|@/;

/** Removes strings, comments and patterns: `"a|b"` is not a pipe. A slash after a name or a number divides. */
function withoutAwkTexts(program: string): string {
  return program.replaceAll(
    /"(?:[^"\\]|\\.)*"|#[^\n]*|(?<=(?:^|[(,;!&|~{}\n])\s*)\/(?:[^/\\\n[]|\\.|\[\^?\]?[^\]\n]*\])*\//g,
    " ",
  );
}
