// Scripts that are a word of another command, as in `sh -c 'eval "$1"' sh {p}`, made ready to be read like any other.
import type { CommandWord, ReadScript, SimpleCommand } from "./command-pieces.ts";
import { scanScript } from "./command-scan.ts";

/** `words`: those whose values the script can get at, as `$1` or by the names that they are assigned to. */
export function innerScript(text: string, words: readonly CommandWord[]): ReadScript {
  // `{name}` is only text there: the outer script has its own placeholders.
  const script = scanScript(text.replaceAll(/(?<!\$)\{(?=[A-Za-z_][\w-]*\})/g, "%"), { knowsTests: true });
  const given: SimpleCommand = { words, redirections: [], isList: true };
  return { ...script, commands: [given, ...script.commands] };
}
