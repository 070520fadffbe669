// A parameter with choices is checked as if each choice were written out: what the author writes is the author's.
import type { Parameter } from "../schema/parameter.ts";
import type { CommandPiece, CommandWord, ReadScript } from "./pieces.ts";
import { placeholderParameter, type Placeholders } from "./placeholders.ts";

/** More combinations would take seconds of a check; the choices are checked as any value then. */
const COMBINATIONS_MAX = 64;

/** The text of each parameter with choices. */
type Written = ReadonlyMap<string, string>;

/** Returns the scripts that an author without parameters would have written instead. */
export function writtenOut(source: Placeholders, script: ReadScript): readonly ReadScript[] {
  const words = [
    ...script.commands.flatMap(({ words, redirections }) => [...words, ...redirections.map(({ word }) => word)]),
    ...script.regions.flatMap(({ inside }) => inside ?? []),
  ];
  const names = new Set(words.flatMap(({ pieces }) => pieces.flatMap((piece) => choosable(piece, source) ?? [])));
  const choices = [...names].map((name) => [name, textsOf(placeholderParameter(source, name))] as const);
  const count = choices.reduce((product, [, texts]) => product * texts.length, 1);
  if (names.size === 0 || count > COMBINATIONS_MAX) return [script];
  return combinations(choices).map((written) => withTexts(script, written));
}

function choosable(piece: CommandPiece, source: Placeholders): readonly string[] | undefined {
  if (piece.kind === "text") return undefined;
  const inside = piece.kind === "placeholder" ? [piece] : piece.placeholders;
  return inside.flatMap(({ name }) => (textsOf(placeholderParameter(source, name)).length > 0 ? [name] : []));
}

/** Returns the choices of a parameter that always has one. */
export function textsOf(parameter: Parameter | undefined): readonly string[] {
  if (!parameter || !("choices" in parameter.schema) || parameter.flag !== undefined) return [];
  const texts = parameter.schema.choices?.map(String) ?? [];
  return parameter.required || parameter.default !== undefined ? texts : [];
}

function combinations(choices: readonly (readonly [string, readonly string[]])[]): readonly Written[] {
  return choices.reduce<readonly Written[]>(
    (made, [name, texts]) => made.flatMap((one) => texts.map((text) => new Map([...one, [name, text]]))),
    [new Map()],
  );
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
