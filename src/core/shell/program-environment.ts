// The variables that a command's programs need to find their account, their server or their libraries, by the rows of
// grammar/programs.yaml.
import { environmentRows } from "../../generated/program-data.ts";
import { literalText, type SimpleCommand } from "./pieces.ts";
import { programName, rulesOf } from "./programs.ts";
import { withoutPrefixes } from "./settings.ts";

/** Words after which the program of a wrapper may stand: `timeout 5 aws …`. */
const WORDS_MAX = 8;

export function programEnvironment(commands: readonly SimpleCommand[]): readonly string[] {
  const names = new Set(
    commands.flatMap(({ words }) => {
      const [first = "", ...others] = withoutPrefixes(words).map((word) => programName(literalText(word) ?? ""));
      return rulesOf(first).some(({ runs }) => runs) ? [first, ...others.slice(0, WORDS_MAX)] : [first];
    }),
  );
  return [
    ...new Set(
      environmentRows.flatMap((row) =>
        row.names.split(" ").some((name) => names.has(name)) ? row.variables.split(" ") : [],
      ),
    ),
  ].sort();
}
