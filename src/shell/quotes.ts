// Adds quotes to variables in a script, for a fix.
import { splitsIn } from "./options.ts";
import { scanScript } from "./scan.ts";
import { withoutPrefixes } from "./settings.ts";
import { USED } from "./variables.ts";

/** Returns the script with quotes around these variables, so that a value with blanks stays one word. */
export function quotedVariables(script: string, names: ReadonlySet<string>): string {
  const commands = scanScript(script, { knowsTests: true }).commands.filter(({ isList }) => !isList);
  const found = commands
    .flatMap(({ words }) => splitsIn(withoutPrefixes(words), true))
    .filter(({ text, group }) => !group && [...text.matchAll(USED)].some((match) => names.has(match[1] ?? "")));
  const places = [...new Map(found.map((expansion) => [expansion.start, expansion])).values()];
  return places
    .sort((one, other) => other.start - one.start)
    .reduce(
      (text, { start, text: written }) => `${text.slice(0, start)}"${written}"${text.slice(start + written.length)}`,
      script,
    );
}
