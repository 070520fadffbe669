// The values that variables of PowerShell and cmd.exe have been given so far. A command is also judged with these in
// place of its variables.
import type { CommandWord } from "./pieces.ts";

/** The limit of assignments for one variable. A variable with more counts as unknown until the script runs. */
const ASSIGNMENTS_MAX = 8;
/** The limit of items for one list. A longer list counts as unknown until the script runs. */
const ITEMS_MAX = 64;

export class VariableValues {
  /** Assignments by variable. An empty list means that the variable stays unknown. */
  readonly #given = new Map<string, readonly (readonly CommandWord[])[]>();

  /** Records an assignment. With `appends`, the words are added to everything that the variable may hold. */
  give(name: string, words: readonly CommandWord[], appends: boolean): void {
    const before = this.#given.get(name);
    if (before?.length === 0) return;
    const made = appends ? (before ?? [[]]).map((list) => [...list, ...words]) : [...(before ?? []), words];
    const isKnown = made.length <= ASSIGNMENTS_MAX && made.every(({ length }) => length <= ITEMS_MAX);
    this.#given.set(name, isKnown ? made : []);
  }

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
  /** Makes a word of a value. `instead` is the word that it replaces. */
  toWord(value: CommandWord, instead: Word): Word;
}
