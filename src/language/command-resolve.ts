// `GREP="grep -n"; $GREP {p}` and `cmd=(grep -n); "${cmd[@]}" {p}`: a program that a variable names, where only the author's words can be in it.
import type { HazardContext } from "./command-hazards.ts";
import type { CommandWord } from "./command-pieces.ts";

/** The command with the words that the variable stands for, once for each assignment; `index`: of the command in its script. */
export function resolved(words: readonly CommandWord[], index: number, context: HazardContext): readonly (readonly CommandWord[])[] {
  const [program, ...args] = words;
  const solid = program?.pieces.filter((piece) => piece.kind !== "text" || piece.text !== "") ?? [];
  const [only] = solid;
  const name = solid.length === 1 && only?.kind === "expansion" ? /^\$\{?([A-Za-z_]\w*)(?:\[@\])?\}?$/.exec(only.text)?.[1] : undefined;
  const literals = name === undefined ? undefined : context.flow.variables.literalsOf(name);
  if (!program || !literals) return [words];
  const made = literals.choices.map((texts) => [...texts, ...args]);
  // Where it was given nothing yet, the next word is the program.
  return context.mayVanish(program) && !literals.isSureAt(index) ? [...made, args] : made;
}
