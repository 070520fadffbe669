// What variables of PowerShell and cmd.exe have been given so far: a command is judged with the words that they stand
// for, too.
import type { CommandWord } from "./command-pieces.ts";

/** The limit for one variable; a variable with more is only known when the script runs. */
const ASSIGNMENTS_MAX = 8;
/** The limit for one list; a longer list is only known when the script runs. */
const ITEMS_MAX = 64;

export class VariableValues {
  /** Without any, the variable is not known for good. */
  readonly #given = new Map<string, readonly (readonly CommandWord[])[]>();

  /** `appends`: to all that it may hold. */
  give(name: string, words: readonly CommandWord[], appends: boolean): void {
    const before = this.#given.get(name);
    if (before?.length === 0) return;
    const made = appends ? (before ?? [[]]).map((list) => [...list, ...words]) : [...(before ?? []), words];
    const isKnown = made.length <= ASSIGNMENTS_MAX && made.every(({ length }) => length <= ITEMS_MAX);
    this.#given.set(name, isKnown ? made : []);
  }

  /** The words, once for each assignment of a variable among them; `nameOf`: of the variable that one stands for. */
  variants<Word>(words: readonly Word[], { nameOf, toWord }: Substitution<Word>): readonly (readonly Word[])[] {
    const values = words.map((word) => this.#given.get(nameOf(word) ?? "") ?? []);
    const count = Math.max(0, ...values.map(({ length }) => length));
    return Array.from({ length: count }, (_value, index) =>
      words.flatMap(
        (word, at) => values[at]?.[Math.min(index, values[at].length - 1)]?.map((one) => toWord(one, word)) ?? [word],
      ),
    );
  }
}

interface Substitution<Word> {
  nameOf(word: Word): string | undefined;
  /** `instead` is the word that it replaces. */
  toWord(value: CommandWord, instead: Word): Word;
}
