// Programs that are not written out but are still known: `GREP="grep -n"; $GREP {p}`, `cmd=(grep -n); "${cmd[@]}" {p}`,
// `"$HOME/bin/sh" {p}` and `$(command -v gsed) {p}`.
import type { Danger, HazardContext } from "./danger.ts";
import { type CommandWord, literalText, type ReadScript, textWord } from "./pieces.ts";
import { isPersonal } from "./variables.ts";

/**
 * Returns the command with the words of its program, once for each program that it may be. `index` is that of the
 * command in its script.
 */
export function resolvedCommands(
  words: readonly CommandWord[],
  index: number,
  context: HazardContext,
): readonly (readonly CommandWord[])[] {
  const [program, ...args] = words;
  if (!program) return [words];
  const literal = literalText(program);
  const meant = literal === undefined ? undefined : context.aliases.get(literal);
  if (meant) return [words, [...meant, ...args]];
  if (literal !== undefined) return [words];
  const known = knownName(program);
  if (known !== undefined && context.flow.unknownIn([program]).length === 0) return [[textWord(known), ...args]];
  const only = onlyPiece(program);
  const name = only?.kind === "expansion" ? /^\$\{?([A-Za-z_]\w*)(?:\[@\])?\}?$/.exec(only.text)?.[1] : undefined;
  const literals = name === undefined ? undefined : context.flow.variables.literalsOf(name);
  if (!literals) return [words];
  const made = literals.choices.map((texts) => [...texts, ...args]);
  // If the variable has no value yet, the next word is the program.
  return context.mayVanish(program) && !literals.isSureAt(index) ? [...made, args] : made;
}

/** Returns every value among the arguments of a program that is only known at run time and may be `eval`. */
export function unknownProgramDangers(
  [program, ...args]: readonly CommandWord[],
  { flow, shell }: HazardContext,
): readonly Danger[] {
  if (!program || literalText(program) !== undefined || flow.unknownIn([program]).length > 0) return [];
  const own = /^\$(?:(\w+)|\{(\w+)(?::?-[\w ./-]*)?\})$/.exec(expansionText(program) ?? "");
  const name = own?.[1] ?? own?.[2] ?? "";
  if (isPersonal(name) && !flow.variables.isGiven(name)) return [];
  const others = shell === "pwsh" ? "`iex`" : shell === "cmd" ? "`cmd /c`" : "`eval` or `sh -c`";
  const example = shell === "pwsh" ? "$tool = 'git'" : shell === "cmd" ? 'set "tool=git"' : "tool=grep";
  const help = [`write out the program's name, or assign it to a variable as it is: \`${example}\``];
  return [...flow.carriedBy(args, "deep"), ...flow.unknownIn(args)].map((carried) => ({
    ...carried,
    note: `an argument of a program that is only known when it runs, and may be ${others}`,
    help,
  }));
}

/** Returns the aliases that consist of words, such as `alias run='sh -c'`. */
export function aliasesOf(script: ReadScript): ReadonlyMap<string, readonly CommandWord[]> {
  return new Map(
    [...aliasTextsOf(script, literalText)].map(([name, text]) => [name, text.trim().split(/\s+/).map(textWord)]),
  );
}

export function aliasTextsOf(
  { commands }: ReadScript,
  textOf: (word: CommandWord) => string | undefined,
): ReadonlyMap<string, string> {
  return new Map(
    commands
      .filter(({ words }) => literalText(words[0]) === "alias")
      .flatMap(({ words }) =>
        words.slice(1).flatMap((word) => {
          const [, name, text] = /^([^-=][^=]*)=(.+)$/s.exec(textOf(word) ?? "") ?? [];
          return name === undefined || text === undefined ? [] : [[name, text] as const];
        }),
      ),
  );
}

function onlyPiece({ pieces }: CommandWord): CommandWord["pieces"][number] | undefined {
  const [only, ...others] = pieces.filter((piece) => piece.kind !== "text" || piece.text !== "");
  return others.length === 0 ? only : undefined;
}

function expansionText(program: CommandWord): string | undefined {
  const only = onlyPiece(program);
  return only?.kind === "expansion" ? only.text : undefined;
}

function knownName(program: CommandWord): string | undefined {
  const last = program.pieces.at(-1);
  if (last?.kind === "text" && /[\\/]/.test(last.text))
    return last.text.slice(Math.max(last.text.lastIndexOf("/"), last.text.lastIndexOf("\\")));
  const only = onlyPiece(program);
  const [looks, ...found] = (only?.kind === "expansion" ? only.printer?.words : undefined)?.map(literalText) ?? [];
  const name =
    looks === "which" || looks?.toLowerCase() === "get-command"
      ? found[0]
      : looks === "command" && found[0] === "-v"
        ? found[1]
        : undefined;
  return name;
}

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
