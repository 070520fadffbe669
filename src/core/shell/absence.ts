// Words that may not be there when the command runs.
import type { Parameter } from "../schema/parameter.ts";
import type { CommandWord } from "./pieces.ts";
import { placeholderParameter, type Placeholders } from "./placeholders.ts";

/** Whether a word may become no word or several: a value may be absent, a variable empty. */
export function vanishingIn(source: Placeholders): (word: CommandWord) => boolean {
  return ({ pieces }) => {
    // Even in quotes, `"$@"` can be zero or many words. Other quotes leave an empty word.
    if (pieces.some((piece) => piece.kind === "expansion" && piece.text.includes("@"))) return true;
    const [only, ...others] = pieces;
    if (only?.kind === "placeholder" && others.length === 0)
      return only.quoting === "bare" && mayBeAbsent(placeholderParameter(source, only.name));
    return pieces.every((piece) => piece.kind === "expansion" && !hasDefault(piece.text));
  };
}

/** Whether a variable has a word of its own where it is empty: `${EDITOR:-vi}`. */
function hasDefault(expansion: string): boolean {
  return /^\$\{[A-Za-z_]\w*:-[\w./]+\}$/.test(expansion);
}

function mayBeAbsent(parameter: Parameter | undefined): boolean {
  return (
    parameter !== undefined &&
    (parameter.schema.type === "array" ||
      parameter.flag !== undefined ||
      (!parameter.required && parameter.default === undefined))
  );
}
