// Settings whose value is a command, by their keys as git writes them: `section.name`, or `section.any text.name`.
import { literalText, type CommandWord } from "./pieces.ts";

/** Whether the word is one of the keys, or may be: a part that is not literal can be anything. */
export function mayBeKey(keys: string, word: CommandWord): boolean {
  const written = word.pieces
    .map((piece) => (piece.kind === "text" ? piece.text : ANYTHING))
    .join("")
    .toLowerCase();
  const { section, name } = partsOf(written);
  const isLike = (known: string | undefined, part: string | undefined): boolean =>
    known === "*" || known === part || (part?.includes(ANYTHING) ?? false);
  return (
    (literalText(word) === undefined && section === undefined) ||
    keys.split(" ").some((key) => {
      const known = partsOf(key.toLowerCase());
      return isLike(known.section, section) && isLike(known.name, name);
    })
  );
}

/** Stands for a part that is not literal. */
const ANYTHING = "\u{e000}";

/** Splits a key. A value before the first dot or after the last one may itself contain dots. */
function partsOf(key: string): { readonly section: string | undefined; readonly name: string } {
  const first = key.indexOf(".");
  return { section: first === -1 ? undefined : key.slice(0, first), name: key.slice(key.lastIndexOf(".") + 1) };
}
