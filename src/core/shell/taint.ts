// Where values go inside a script: variables that are given a value, in the order written, and the words that use them.
import { assignmentOf } from "./assignments.ts";
import type { CommandPiece, CommandWord, ExpansionPiece, PlaceholderPiece, ReadScript } from "./pieces.ts";
import { literalStart, literalText } from "./pieces.ts";
import { computedTargets, USED, type ValueKind, type Variables, variablesOf } from "./variables.ts";

/** A value that reaches a word, perhaps through a variable. */
export interface Carried {
  readonly piece: PlaceholderPiece;
  readonly through?: ExpansionPiece;
}

export interface Flow {
  /** Returns the values in the words. With `deep`, also those given to substitutions in a word. */
  carriedBy(words: readonly CommandWord[], reach: "direct" | "deep"): readonly Carried[];
  /**
   * Returns what is computed as arithmetic and could be something else than a number. Names without `$` are variables
   * there.
   */
  computedBy(words: readonly CommandWord[], place?: VariablePlace): readonly Carried[];
  /** Returns what could hold a value, as seen by a place that needs program text. */
  unknownIn(words: readonly CommandWord[], place?: VariablePlace): readonly Carried[];
  /** Returns the value that the variable was given, or any value if it may have got one unseen. */
  mayHold(variable: string): PlaceholderPiece | undefined;
  /** Whether the script uses the variable as a list. */
  isList(variable: string): boolean;
  valueOf(variable: string): PlaceholderPiece | undefined;
  /** Whether the word is a value and nothing else, or text without a value. */
  isWhole(word: CommandWord): boolean;
  readonly variables: Variables;
}

/** A place in the script where a variable is used. */
export interface VariablePlace {
  readonly start: number;
  readonly end: number;
}

interface FlowOptions {
  isRisky(piece: PlaceholderPiece): boolean;
  kindOf(piece: PlaceholderPiece): ValueKind;
  /** A value of the tool that may be any text; its own place is not known. */
  readonly free?: PlaceholderPiece;
  /** Whether offsets in the script are offsets in the file. */
  readonly isOuter: boolean;
}

export function flowOf(script: ReadScript, options: FlowOptions): Flow {
  const { isRisky } = options;
  const { commands } = script;
  const given = new Map<string, PlaceholderPiece>();
  // The values are the script's own positional parameters, and perhaps what a test has found in them.
  const written = commands.flatMap((command) => [
    ...command.words,
    ...command.redirections.map((redirection) => redirection.word),
  ]);
  const first = written.flatMap((word) => word.pieces.flatMap(placeholdersOf)).find(isRisky);
  const valueOf = (variable: string): PlaceholderPiece | undefined =>
    /^(?:[1-9@*_]|BASH_REMATCH|MATCH|match)$/.test(variable) ? first : given.get(variable);
  const carriedBy: Flow["carriedBy"] = (words, reach) =>
    words.flatMap((word) =>
      word.pieces.flatMap((piece): readonly Carried[] => {
        if (piece.kind === "text") return [];
        if (piece.kind === "placeholder") return isRisky(piece) ? [{ piece }] : [];
        const inside = reach === "deep" ? piece.placeholders.filter(isRisky).map((one) => ({ piece: one })) : [];
        return [...inside, ...throughVariables(piece, { valueOf, reach })];
      }),
    );
  let looked = -1;
  let writtenPiece: PlaceholderPiece | undefined;
  // A variable is looked up again only if it has got a value since.
  const giveWritten = (name: string): void => {
    if (writtenPiece === undefined && looked !== given.size) {
      looked = given.size;
      writtenPiece = carriedBy(written, "deep")[0]?.piece;
    }
    if (writtenPiece && !given.has(name)) given.set(name, writtenPiece);
  };
  const give = (name: string, words: readonly CommandWord[]): void => {
    const piece = given.has(name) ? undefined : carriedBy(words, "deep")[0]?.piece;
    if (piece) given.set(name, piece);
  };
  // Variables in which a value may stand within other text.
  const mixed = new Set<string>();
  const isWhole: Flow["isWhole"] = ({ pieces }) => {
    const [only, ...others] = pieces.filter((piece) => piece.kind !== "text" || piece.text !== "");
    if (others.length > 0) return carriedBy([{ pieces }], "deep").length === 0;
    if (only?.kind !== "expansion") return true;
    return only.placeholders.length === 0 && [...only.text.matchAll(USED)].every(([, name = ""]) => !mixed.has(name));
  };
  const lists = new Set<string>();
  for (const { words } of commands) {
    for (const name of listNames(words)) lists.add(name);
    for (const word of words) {
      const assigned = assignmentOf(word);
      if (!assigned) continue;
      give(assigned.name, [word]);
      if (assigned.appends || !isWhole(assigned.value)) mixed.add(assigned.name);
    }
    if (literalText(words[0]) === "printf" && literalText(words[1]) === "-v") mixed.add(literalText(words[2]) ?? "");
    giveOthers(words.slice(words.findIndex((word) => !assignmentOf(word))), { give, giveWritten });
  }
  const variables = variablesOf(script, options.kindOf);
  return {
    valueOf,
    carriedBy,
    isWhole,
    isList: (variable) => lists.has(variable),
    variables,
    ...suspicions({ variables, valueOf, carriedBy, first }, options),
  };
}

interface Giving {
  readonly give: (name: string, words: readonly CommandWord[]) => void;
  /** Gives the variable what the script assigns to it anywhere. */
  readonly giveWritten: (name: string) => void;
}

/** Handles commands that assign values which are not written next to the variable. */
function giveOthers(words: readonly CommandWord[], { give, giveWritten }: Giving): void {
  const [program, variable] = [literalText(words[0]) ?? "", literalText(words[1]) ?? ""];
  const isLoop = program === "for" || program === "select";
  if (isLoop && words.length > 2) give(variable, words.slice(2));
  else if (isLoop) giveWritten(variable);
  // A value that another command prints may be read here.
  const isReader = /^(?:read|mapfile|readarray|getopts)$/.test(program);
  for (const name of isReader ? [...words.map((word) => literalText(word) ?? ""), "REPLY", "MAPFILE", "OPTARG"] : [])
    giveWritten(name);
  if (program === "printf" && variable === "-v") give(literalText(words[2]) ?? "", words);
}

/** Reports an unknown value at the variable, unless it can be traced to a placeholder. */
function suspicions(
  flow: Pick<Flow, "variables" | "valueOf" | "carriedBy"> & { readonly first: PlaceholderPiece | undefined },
  options: FlowOptions,
): Pick<Flow, "computedBy" | "unknownIn" | "mayHold"> {
  const { variables } = flow;
  const free = flow.first ?? options.free;
  const inVariable = (name: string, place: VariablePlace | undefined): readonly Carried[] => {
    const piece = flow.valueOf(name) ?? (free && options.isOuter && place ? { ...free, ...place } : free);
    return piece ? [{ piece }] : [];
  };
  const inExpansion = (piece: ExpansionPiece, place?: VariablePlace): readonly Carried[] => {
    const traced = flow.carriedBy([{ pieces: [piece] }], "deep");
    return traced.length > 0
      ? traced.slice(0, 1)
      : inVariable("", place ?? { start: piece.start, end: piece.end ?? piece.start + piece.text.length });
  };
  const computedBy: Flow["computedBy"] = (words, place) =>
    words
      .flatMap((word) => (variables.isNumeric(word) ? [] : word.pieces))
      .flatMap((piece): readonly Carried[] => {
        if (piece.kind === "text")
          return computedNames(piece.text)
            .filter((name) => !variables.isNumber(name))
            .flatMap((name) => inVariable(name, place));
        if (variables.isNumeric({ pieces: [piece] })) return [];
        return piece.kind === "placeholder" ? [{ piece }] : inExpansion(piece);
      });
  const unknownIn: Flow["unknownIn"] = (words, place) =>
    words.flatMap((word) =>
      word.pieces.flatMap((piece): readonly Carried[] =>
        variables.isOwn(piece)
          ? []
          : piece.kind === "placeholder"
            ? [{ piece }]
            : piece.kind === "expansion"
              ? inExpansion(piece, place)
              : [],
      ),
    );
  return {
    computedBy,
    unknownIn,
    mayHold: (name) => flow.valueOf(name) ?? (variables.isGiven(name) && !variables.isOwnText(name) ? free : undefined),
  };
}

/**
 * Returns the variables that arithmetic reads. Targets of `=`, functions, and the digits of `0xff` and `16#ff` are not
 * among them.
 */
function computedNames(text: string): readonly string[] {
  const targets = new Set(computedTargets(text));
  return [...text.matchAll(/(?<![\w$#])[A-Za-z_]\w*(?![\w(])/g)]
    .map((match) => match[0])
    .filter((name) => !targets.has(name));
}

/** Returns the names of lists: `x=(…)`, `x[1]=…`, `declare -a x`, `read -a x`, `mapfile x`. */
function listNames(words: readonly CommandWord[]): readonly string[] {
  const literals = words.map((word) => literalText(word) ?? "");
  const isListCommand =
    /^(?:mapfile|readarray)$/.test(literals[0] ?? "") || literals.some((literal) => /^-[A-Za-z]*[aA]/.test(literal));
  return words.flatMap((word) => {
    const start = literalStart(word);
    const [, next] = word.pieces;
    const assigned = assignmentOf(word)?.name;
    const isList = start.includes("[") || (next?.kind === "expansion" && next.text.startsWith("("));
    if (assigned !== undefined) return isList || isListCommand ? [assigned] : [];
    return isListCommand && /^[A-Za-z_]\w*$/.test(start) ? [start] : [];
  });
}

function throughVariables(
  expansion: ExpansionPiece,
  options: { readonly valueOf: Flow["valueOf"]; readonly reach: "direct" | "deep" },
): readonly Carried[] {
  if (options.reach === "direct" && expansion.text.startsWith("$(")) return [];
  return [...expansion.text.matchAll(USED)].flatMap((match) => {
    const piece = options.valueOf(match[1] ?? "");
    return piece ? [{ piece, through: expansion }] : [];
  });
}

function placeholdersOf(piece: CommandPiece): readonly PlaceholderPiece[] {
  return piece.kind === "placeholder" ? [piece] : piece.kind === "expansion" ? piece.placeholders : [];
}
