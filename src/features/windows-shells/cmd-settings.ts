// The values that cmd.exe's `set` gives to variables: `set "x=…"`, `set /p x=`, `set /a x=1`.
import { type CommandPiece, type CommandWord, type ExpansionPiece, literalText } from "../../core/shell/pieces.ts";
import { add, type CmdState, type CmdWord } from "./cmd-words.ts";
import { environmentName } from "./pwsh-names.ts";

/** Stores an assignment. `words` are those after `set`. */
export function assignFrom(state: CmdState, words: readonly CmdWord[]): void {
  const option = literalText(words[0]?.word)?.toLowerCase();
  const pieces: CommandPiece[] = [];
  for (const [index, { word }] of words.slice(option === "/p" || option === "/a" ? 1 : 0).entries()) {
    if (index > 0) add(pieces, { kind: "text", text: " " });
    for (const piece of word.pieces) add(pieces, piece);
  }
  const [first, ...others] = pieces;
  const [, name, rest = ""] =
    (first?.kind === "text" ? /^([^=]+?)[-+*/%&|^]?=([^]*)$/.exec(first.text) : undefined) ?? [];
  if (name === undefined) {
    if (others.length > 0 || first?.kind !== "text")
      state.commands.push({
        words: [{ pieces: [{ kind: "text", text: SETTING_BY_NAME }] }, { pieces }],
        redirections: [],
      });
    return;
  }
  const read: ExpansionPiece = { kind: "expansion", text: "$_", start: 0, placeholders: [] };
  const value: readonly CommandPiece[] =
    option === "/p"
      ? [read]
      : option === "/a"
        ? [{ kind: "text", text: "1" }]
        : [{ kind: "text", text: rest }, ...others];
  assign(state, environmentName(name.trim()), { pieces: value });
}

/** An assignment to an environment variable is judged as the .NET method that does the same. */
const SETTING_BY_NAME = "[environment]::setenvironmentvariable";

export function assign(state: CmdState, name: string, value: CommandWord): void {
  state.values.give(name, wordsOf(value), false);
  state.commands.push({
    words: [{ pieces: [{ kind: "text", text: `${name}=` }, ...value.pieces] }],
    redirections: [],
    isSure: true,
  });
}

/** Splits a value as cmd.exe does where the variable is used. */
function wordsOf({ pieces }: CommandWord): readonly CommandWord[] {
  const words: CommandPiece[][] = [[]];
  for (const piece of pieces) {
    if (piece.kind !== "text") words.at(-1)?.push(piece);
    else
      for (const [index, text] of piece.text.split(/\s+/).entries()) {
        if (index > 0) words.push([]);
        if (text !== "") words.at(-1)?.push({ kind: "text", text });
      }
  }
  return words.filter((word) => word.length > 0).map((word) => ({ pieces: word }));
}
