// A parameter with choices is checked as if each choice were written out: what the author writes is the author's.
import type { Parameter } from "../schema/parameter.ts";
import type { CommandPiece, CommandWord, ReadScript } from "./command-pieces.ts";
import { type CommandSource, declarationOf } from "./command-problems.ts";

/** Every combination is tried up to this number; of more, each choice of a parameter with each of every other one. */
const COMBINATIONS_MAX = 256;

/** The text of each parameter with choices. */
type Written = ReadonlyMap<string, string>;

/** Returns the scripts that an author without parameters would have written instead. */
export function writtenOut(source: Pick<CommandSource, "declarations">, script: ReadScript): readonly ReadScript[] {
  const words = [
    ...script.commands.flatMap(({ words, redirections }) => [...words, ...redirections.map(({ word }) => word)]),
    ...script.regions.flatMap(({ inside }) => inside ?? []),
  ];
  const names = new Set(words.flatMap(({ pieces }) => pieces.flatMap((piece) => choosable(piece, source) ?? [])));
  if (names.size === 0) return [script];
  const choices = [...names].map((name) => [name, textsOf(declarationOf(source, name)?.parameter)] as const);
  return combinations(choices).map((written) => withTexts(script, written));
}

function choosable(piece: CommandPiece, source: Pick<CommandSource, "declarations">): readonly string[] | undefined {
  if (piece.kind === "text") return undefined;
  const inside = piece.kind === "placeholder" ? [piece] : piece.placeholders;
  return inside.flatMap(({ name }) => (textsOf(declarationOf(source, name)?.parameter).length > 0 ? [name] : []));
}

/** Returns the choices of a parameter that always has one. */
export function textsOf(parameter: Parameter | undefined): readonly string[] {
  if (parameter?.schema.type !== "string" || !parameter.schema.choices || parameter.flag !== undefined) return [];
  return parameter.required || parameter.default !== undefined ? parameter.schema.choices : [];
}

function combinations(choices: readonly (readonly [string, readonly string[]])[]): readonly Written[] {
  const count = choices.reduce((product, [, texts]) => product * texts.length, 1);
  if (count > COMBINATIONS_MAX) {
    // With a prime number of rows and steps, any two parameters meet in every pair of their choices.
    const steps = primeFrom(Math.max(choices.length, ...choices.map(([, texts]) => texts.length)));
    return Array.from(
      { length: steps * steps },
      (_none, row) =>
        new Map(
          choices.map(([name, texts], index) => {
            const at = (Math.floor(row / steps) + index * (row % steps)) % steps;
            return [name, texts[at % texts.length] ?? ""];
          }),
        ),
    );
  }
  return choices.reduce<readonly Written[]>(
    (made, [name, texts]) => made.flatMap((one) => texts.map((text) => new Map([...one, [name, text]]))),
    [new Map()],
  );
}

function primeFrom(least: number): number {
  const isPrime = Array.from({ length: Math.floor(Math.sqrt(least)) }, (_none, index) => index + 2).every(
    (divisor) => divisor >= least || least % divisor !== 0,
  );
  return isPrime ? least : primeFrom(least + 1);
}

function withTexts(script: ReadScript, written: Written): ReadScript {
  const word = (one: CommandWord): CommandWord => ({
    ...one,
    pieces: one.pieces.map((piece): CommandPiece => {
      const text = piece.kind === "placeholder" ? written.get(piece.name) : undefined;
      return text === undefined ? piece : { kind: "text", text };
    }),
  });
  return {
    ...script,
    commands: script.commands.map((command) => ({
      ...command,
      words: command.words.map(word),
      redirections: command.redirections.map((redirection) => ({ ...redirection, word: word(redirection.word) })),
    })),
    regions: script.regions.map((region) => (region.inside ? { ...region, inside: word(region.inside) } : region)),
  };
}
