// Commands that set variables without an assignment: `read x`, `for x in …`, `printf -v x …`.
import { assignmentOf } from "./assignments.ts";
import { type CommandWord, literalText } from "./pieces.ts";

/** A variable that is set. Without `value`, it may get anything. */
export interface Setting {
  readonly name: string;
  readonly value?: CommandWord;
}

const NAME = /^([A-Za-z_]\w*)(?:\[.*\])?$/;
/** Commands in which any word may be the name of a variable. */
const NAMES_VARIABLES =
  /^(?:read|mapfile|readarray|getopts|getln|vared|zparseopts|sysread|strftime|zstat|zformat|zselect)$/;

/** Returns the words of the command without assignments and prefixes such as `command`. */
export function withoutPrefixes(words: readonly CommandWord[]): readonly CommandWord[] {
  const start = words.findIndex(
    (word) => !assignmentOf(word) && !/^(?:builtin|command|-|noglob|time|-p)$/.test(literalText(word) ?? ""),
  );
  return start === -1 ? [] : words.slice(start);
}

/** Returns what a command sets. `words` have no prefixes. */
export function settingsOf(words: readonly CommandWord[]): readonly Setting[] {
  const [program = "", ...args] = words.map((word) => literalText(word) ?? "");
  if (/^(?:for|select|foreach)$/.test(program)) return loopSettings(program, args, words);
  if (NAMES_VARIABLES.test(program)) return args.flatMap((arg) => namedBy(arg));
  if (program !== "printf" && program !== "print") return [];
  return args.flatMap((arg, index) => {
    const [, glued] = /^-[a-zA-Z]*?v(.*)$/.exec(arg) ?? [];
    return glued === undefined ? [] : namedBy(glued === "" ? (args[index + 1] ?? "") : glued);
  });
}

/** Returns what a loop sets. Only `for` takes its words as they are. */
function loopSettings(program: string, args: readonly string[], words: readonly CommandWord[]): readonly Setting[] {
  const from = args.indexOf("in");
  const names = args.slice(0, from === -1 ? 1 : from);
  const values = program === "for" && from > 0 ? words.slice(from + 2) : undefined;
  return names.flatMap((name) => (values ? values.map((value) => ({ name, value })) : [{ name }]));
}

function namedBy(text: string): readonly Setting[] {
  const name = NAME.exec(text)?.[1];
  return name === undefined ? [] : [{ name }];
}
