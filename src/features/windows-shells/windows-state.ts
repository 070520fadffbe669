// How far a script for PowerShell or cmd.exe has been read, and what was found in it. Both readers share this state.
import type { Shell } from "../../core/tool/command.ts";
import { ScriptParts } from "../../core/shell/parts.ts";
import type { CommandPiece, CommandWord, PlaceholderPiece, SimpleCommand } from "../../core/shell/pieces.ts";
import {
  type SingleQuoted,
  type WindowsPlace,
  type WindowsScript,
  type WindowsTrouble,
  inText,
} from "./windows-place.ts";

export class WindowsState {
  readonly text: string;
  readonly parts: ScriptParts;
  readonly commands: SimpleCommand[] = [];
  readonly places = new Map<PlaceholderPiece, WindowsPlace>();
  readonly placeholders: PlaceholderPiece[] = [];
  /** What has been read, in order: `$name` for a variable, `$(` for a command. */
  readonly tokens: string[] = [];
  readonly values = new VariableValues();
  readonly singles: SingleQuoted[] = [];
  trouble: WindowsTrouble | undefined;
  feedsInput = false;
  at = 0;

  constructor(text: string) {
    this.text = text;
    this.parts = new ScriptParts(text);
  }

  get character(): string {
    return this.text[this.at] ?? "";
  }

  /** Takes the text that the sticky pattern matches here. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return undefined;
    this.at += found[0].length;
    return found;
  }

  /** Records the trouble; the text after it is not read. */
  fail(kind: WindowsTrouble["kind"], opener: string, start = this.at): void {
    this.trouble ??= { kind, start, opener };
    this.at = this.text.length;
  }

  /** Takes a placeholder, or a doubled one as text. */
  takePlaceholder(quoting: PlaceholderPiece["quoting"], place: WindowsPlace = inText): CommandPiece | undefined {
    const found = this.parts.take(this.at, quoting);
    if (!found) return undefined;
    this.at = found.end;
    if (typeof found.taken === "string") return { kind: "text", text: found.taken };
    this.placeholders.push(found.taken);
    this.places.set(found.taken, place);
    return found.taken;
  }

  /** Returns all that was found. */
  script(shell: Extract<Shell, "cmd" | "pwsh">): WindowsScript {
    const { commands, places, feedsInput, trouble } = this;
    const singles = [...new Map(this.singles.map((one) => [one.start, one])).values()].sort(
      (a, b) => a.start - b.start,
    );
    const found = { parts: this.parts.all(), commands, places, feedsInput, singles, regions: [], shell };
    return trouble ? { ...found, trouble } : found;
  }
}

/** The limit of assignments for one variable. A variable with more counts as unknown until the script runs. */
const ASSIGNMENTS_MAX = 8;
/** The limit of items for one list. A longer list counts as unknown until the script runs. */
const ITEMS_MAX = 64;

/** The values that variables have been given so far. A command is also judged with these in place of its variables. */
class VariableValues {
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
