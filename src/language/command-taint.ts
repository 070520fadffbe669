// Where values go inside a script, one step far: a variable that is given a value, and the words that use the variable.
import type { CommandPiece, CommandWord, ExpansionPiece, PlaceholderPiece, SimpleCommand } from "./command-pieces.ts";
import { literalStart, literalText } from "./command-pieces.ts";

/** A value that reaches a word, perhaps through a variable. */
export interface Carried {
  readonly piece: PlaceholderPiece;
  readonly through?: ExpansionPiece;
}

export interface Flow {
  /** `deep`: also what substitutions in the word were given. */
  carriedBy(words: readonly CommandWord[], reach: "direct" | "deep"): readonly Carried[];
  /** The value that a variable has been given. */
  valueOf(variable: string): PlaceholderPiece | undefined;
}

/** `NAME=`, `NAME+=`, `NAME[…]=`. */
export const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)(?:\[[^\]]*\])?\+?=/;
const USED = /\$\{?[#!~=^]*([A-Za-z_][A-Za-z0-9_]*|[0-9@*])/g;

/** `isRisky`: the value could be any text. */
export function flowOf(commands: readonly SimpleCommand[], isRisky: (piece: PlaceholderPiece) => boolean): Flow {
  const given = new Map<string, PlaceholderPiece>();
  const give = (name: string, words: readonly CommandWord[]): void => {
    const piece = words.flatMap((word) => word.pieces.flatMap(placeholdersOf)).find(isRisky);
    if (piece && !given.has(name)) given.set(name, piece);
  };
  for (const { words } of commands) {
    for (const word of words) {
      const name = ASSIGNMENT.exec(literalStart(word))?.[1];
      if (name !== undefined) give(name, [word]);
    }
    const loop = literalText(words[0]);
    const variable = literalText(words[1]);
    if ((loop === "for" || loop === "select") && variable !== undefined) give(variable, words.slice(2));
  }
  // The script's own positional parameters are the values.
  const first = commands.flatMap((command) => command.words.flatMap((word) => word.pieces.flatMap(placeholdersOf))).find(isRisky);
  const valueOf = (variable: string): PlaceholderPiece | undefined => (/^[0-9@*]$/.test(variable) ? first : given.get(variable));
  return {
    valueOf,
    carriedBy: (words, reach) => words.flatMap((word) => word.pieces.flatMap((piece): readonly Carried[] => {
      if (piece.kind === "text") return [];
      if (piece.kind === "placeholder") return isRisky(piece) ? [{ piece }] : [];
      const inside = reach === "deep" ? piece.placeholders.filter(isRisky).map((one) => ({ piece: one })) : [];
      return [...inside, ...throughVariables(piece, { valueOf, reach })];
    })),
  };
}

function throughVariables(expansion: ExpansionPiece, options: { readonly valueOf: Flow["valueOf"]; readonly reach: "direct" | "deep" }): readonly Carried[] {
  if (options.reach === "direct" && expansion.text.startsWith("$(")) return [];
  return [...expansion.text.matchAll(USED)].flatMap((match) => {
    const piece = options.valueOf(match[1] ?? "");
    return piece ? [{ piece, through: expansion }] : [];
  });
}

function placeholdersOf(piece: CommandPiece): readonly PlaceholderPiece[] {
  return piece.kind === "placeholder" ? [piece] : piece.kind === "expansion" ? piece.placeholders : [];
}
