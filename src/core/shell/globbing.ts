// Places where zsh takes the value of a variable as a pattern. In the brackets after a pattern, zsh computes numbers
// and runs the text after an `e`.
import type { Danger, HazardContext } from "./danger.ts";
import { type CommandWord, literalStart, literalText, type PlaceholderPiece, type SimpleCommand } from "./pieces.ts";
import { programName } from "./programs.ts";

/** `free` is a value that may be any text. */
export function globDangers(
  command: SimpleCommand,
  free: PlaceholderPiece | undefined,
  context: HazardContext,
): readonly Danger[] {
  const { words, redirections } = command;
  // A test compares with patterns and expands none to file names, except with `(#q…)`.
  const qualifiers = words.filter((word) => literalStart(word).startsWith("#q"));
  const isTest = literalText(words[0]) === "[[" && qualifiers.length === 0;
  const files = redirections.filter(({ operator }) => !operator.startsWith("<<")).map(({ word }) => word);
  const patterns =
    context.shell === "zsh"
      ? words.flatMap((word) => [...qualifierDangers(word, context), ...modifierDangers(word, context)])
      : [];
  const tested =
    context.shell === "zsh" && literalText(words[0]) === "[["
      ? context.flow.unknownIn(qualifiers).map((carried) => ({ ...carried, ...qualifierReason }))
      : [];
  return [
    ...patterns,
    ...tested,
    ...(isTest ? files : [...words, ...files]).flatMap((word) => namedDangers(word, context)),
    ...(free ? optionDangers(words, free, context) : []),
  ];
}

const help = ["match names with a `case` or `[[ … ]]`, or declare the parameter as `{integer}`"];

const qualifierReason = { note: "in brackets after a pattern, where zsh evaluates or runs it", help };

/** Checks qualifiers with a subscript: `*(om[1,{p}])`. */
function qualifierDangers({ pieces }: CommandWord, { flow }: HazardContext): readonly Danger[] {
  return pieces.flatMap((piece, index) => {
    const before = pieces[index - 1];
    if (piece.kind !== "expansion" || !piece.items || (before?.kind === "text" && before.text.endsWith("="))) return [];
    const { text, start, placeholders } = piece;
    return flow
      .unknownIn([{ pieces: [{ kind: "expansion", text, start, placeholders }] }])
      .map((carried) => ({ ...carried, ...qualifierReason }));
  });
}

/** Checks modifiers: zsh expands the result of `$x:s/a/$y/` once more. */
function modifierDangers({ pieces }: CommandWord, { flow }: HazardContext): readonly Danger[] {
  const at = pieces.findIndex(
    (piece, index) =>
      piece.kind === "text" && pieces[index - 1]?.kind === "expansion" && /^(?::\w+)*:g?s\W/.test(piece.text),
  );
  const isReplaced = at !== -1 && pieces.slice(at).some(({ kind }) => kind !== "text");
  return flow.unknownIn([{ pieces: isReplaced ? pieces.slice(at - 1) : [] }]).map((carried) => ({
    ...carried,
    note: "zsh expands the result of the modifier `:s` here, and runs commands in it",
    help: ["write `${x/a/$y}`"],
  }));
}

/** Matches `${~x}` and `$~x`; two such marks cancel each other. */
const TAKES_PATTERN = /\$\{?(?:\([^)]*\))?[=^+#]*~(?!~)/;

function namedDangers({ pieces }: CommandWord, { flow, shell }: HazardContext): readonly Danger[] {
  if (shell !== "zsh") return [];
  const found = pieces.filter((piece) => piece.kind === "expansion" && TAKES_PATTERN.test(piece.text));
  return [...flow.carriedBy([{ pieces: found }], "deep"), ...flow.unknownIn([{ pieces: found }])].map((carried) => ({
    ...carried,
    note: "zsh reads this as a pattern, and may run what is in its brackets",
    help: ["remove the `~`", ...help],
  }));
}

/** Checks `setopt globsubst` and similar options, with which every variable is a pattern. */
function optionDangers(
  words: readonly CommandWord[],
  free: PlaceholderPiece,
  { shell }: HazardContext,
): readonly Danger[] {
  const names = words.map(literalText);
  const isForZsh = shell === "zsh" || names.some((name) => name !== undefined && programName(name) === "zsh");
  if (!isForZsh) return [];
  const setter = names.findIndex((name) => /^(?:setopt|unsetopt|emulate)$/.test(name ?? ""));
  const set = setter === -1 ? [] : names.slice(setter + 1);
  const isOther = names[setter] === "emulate" && set.some((name) => /^(?:sh|ksh|csh|bash)$/.test(name ?? ""));
  const isUnknown = names[setter] !== "emulate" && set.some((name) => name === undefined);
  if (
    !isOther &&
    !isUnknown &&
    !names.some((name) => /^\+?o?(?:no)?globsubst$/.test(name?.toLowerCase().replaceAll(/[_-]/g, "") ?? ""))
  )
    return [];
  return [
    {
      piece: free,
      note: "with these options, zsh reads the values of variables as patterns, and may run what is in their brackets",
      help: ["remove the option, or declare the parameter as `{integer}` or with choices"],
    },
  ];
}
