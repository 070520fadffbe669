// Patterns of zsh that run a text for each file: `*(e:'rm $REPLY':)`, `*(oe:…:)` and `*(+function)`. The shell of another
// agent may be zsh, whatever else is known of it. Source: zshexpn(1), Glob Qualifiers.
import { assignmentOf } from "../../core/shell/assignments.ts";
import type { CommandWord, SimpleCommand } from "../../core/shell/pieces.ts";

/** The text stands between two equal characters, or between brackets. */
const CODE = /^\([^]*?(?:e(?:([^\w\s,|()])[^]*\1|[[{<(]|\w?['"$`\\])|\+[A-Za-z_])/;
/** The characters may be letters, too. Before the brackets, these make a pattern of other shells: `!(package.json)`. */
const LETTER_CODE = /^\([^()]*?e(\w)[^]+\1/;
const OTHER_PATTERN = /[!?+@]$/;
const QUOTED = /'[^']*'|"[^"]*"|\\./g;

/** Whether a word of the command is such a pattern. */
export function hasZshCode({ words, redirections, isList }: SimpleCommand): boolean {
  const first = words.findIndex((word) => !assignmentOf(word));
  // The brackets of `name=(…)` hold words.
  const read = isList ? words : first === -1 ? [] : words.slice(first);
  return [...read, ...redirections.map(({ word }) => word)].some(isRun);
}

function isRun({ pieces }: CommandWord): boolean {
  // A `|` separates alternatives.
  const isCode = (text: string): boolean => CODE.test(text) && !text.replaceAll(QUOTED, "").includes("|");
  return pieces.some((piece, at) => {
    if (piece.kind !== "expansion" || piece.isQuoted) return false;
    const before = pieces[at - 1];
    const isOther = before?.kind !== "text" || OTHER_PATTERN.test(before.text);
    return isCode(piece.text) || (!isOther && LETTER_CODE.test(piece.text) && !piece.text.includes("|"));
  });
}
