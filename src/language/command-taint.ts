// Where values go inside a script: variables that are given a value, in the order written, and the words that use them.
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
  /** As `direct`, where names without `$` are variables too: in arithmetic. */
  computedBy(words: readonly CommandWord[]): readonly Carried[];
  /** The script makes a list of it somewhere. */
  isList(variable: string): boolean;
  /** The value that a variable has been given. */
  valueOf(variable: string): PlaceholderPiece | undefined;
}

/** `NAME=`, `NAME+=`, `NAME[…]=`. */
export const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)(?:\[[^\]]*\])?\+?=/;
export const USED = /\$\{?[#!~=^]*([A-Za-z_][A-Za-z0-9_]*|[0-9@*])/g;

/** `isRisky`: the value could be any text. */
export function flowOf(commands: readonly SimpleCommand[], isRisky: (piece: PlaceholderPiece) => boolean): Flow {
  const given = new Map<string, PlaceholderPiece>();
  // The script's own positional parameters are the values.
  const written = commands.flatMap((command) => [...command.words, ...command.redirections.map((redirection) => redirection.word)]);
  const first = written.flatMap((word) => word.pieces.flatMap(placeholdersOf)).find(isRisky);
  const valueOf = (variable: string): PlaceholderPiece | undefined => (/^[0-9@*]$/.test(variable) ? first : given.get(variable));
  const carriedBy: Flow["carriedBy"] = (words, reach) =>
    words.flatMap((word) =>
      word.pieces.flatMap((piece): readonly Carried[] => {
        if (piece.kind === "text") return [];
        if (piece.kind === "placeholder") return isRisky(piece) ? [{ piece }] : [];
        const inside = reach === "deep" ? piece.placeholders.filter(isRisky).map((one) => ({ piece: one })) : [];
        return [...inside, ...throughVariables(piece, { valueOf, reach })];
      }),
    );
  const give = (name: string, words: readonly CommandWord[]): void => {
    const piece = carriedBy(words, "deep")[0]?.piece;
    if (piece && !given.has(name)) given.set(name, piece);
  };
  const lists = new Set<string>();
  for (const { words } of commands) {
    for (const name of listNames(words)) lists.add(name);
    for (const word of words) {
      const name = ASSIGNMENT.exec(literalStart(word))?.[1];
      if (name !== undefined) give(name, [word]);
    }
    const [program, variable] = [literalText(words[0]) ?? "", literalText(words[1]) ?? ""];
    if (program === "for" || program === "select") give(variable, words.length > 2 ? words.slice(2) : written);
    // What they read may be a value that another command prints.
    if (/^(?:read|mapfile|readarray|getopts)$/.test(program)) for (const name of [...words.map((word) => literalText(word) ?? ""), "REPLY", "MAPFILE", "OPTARG"]) give(name, written);
    if (program === "printf" && variable === "-v") give(literalText(words[2]) ?? "", words);
  }
  const computedBy: Flow["computedBy"] = (words) => [...carriedBy(words, "direct"), ...words.flatMap((word) => word.pieces.flatMap((piece) => (piece.kind === "text" ? named(piece.text, valueOf) : [])))];
  return { valueOf, carriedBy, computedBy, isList: (variable) => lists.has(variable) };
}

function named(text: string, valueOf: Flow["valueOf"]): readonly Carried[] {
  return [...text.matchAll(/[A-Za-z_][A-Za-z0-9_]*/g)].flatMap((match) => {
    const piece = valueOf(match[0]);
    return piece ? [{ piece }] : [];
  });
}

/** `x=(…)`, `x[1]=…`, `declare -a x`, `read -a x`, `mapfile x`. */
function listNames(words: readonly CommandWord[]): readonly string[] {
  const literals = words.map((word) => literalText(word) ?? "");
  const isListCommand = /^(?:mapfile|readarray)$/.test(literals[0] ?? "") || literals.some((literal) => /^-[A-Za-z]*[aA]/.test(literal));
  return words.flatMap((word) => {
    const start = literalStart(word);
    const [, next] = word.pieces;
    const assigned = ASSIGNMENT.exec(start)?.[1];
    const isList = start.includes("[") || (next?.kind === "expansion" && next.text.startsWith("("));
    if (assigned !== undefined) return isList || isListCommand ? [assigned] : [];
    return isListCommand && /^[A-Za-z_]\w*$/.test(start) ? [start] : [];
  });
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
