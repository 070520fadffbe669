// The text of a script, cut at its placeholders. `{{name}}` is the text `{name}`.
import type { PlaceholderPiece } from "./pieces.ts";

const NAME = "[A-Za-z_][A-Za-z0-9_-]*";
const PLACEHOLDER = new RegExp(`\\{(${NAME})\\}`, "y");
const DOUBLED = new RegExp(`\\{\\{${NAME}\\}\\}`, "y");

export class ScriptParts {
  /** May be replaced by one that differs only in what is not taken yet. */
  text: string;
  readonly #parts: (string | PlaceholderPiece)[] = [];
  /** The offset of the text that is not yet in the parts. */
  #kept = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Returns the placeholder at `at`, or the text of a doubled one; undefined if there is neither. */
  take(
    at: number,
    quoting: PlaceholderPiece["quoting"],
  ): { readonly taken: string | PlaceholderPiece; readonly end: number } | undefined {
    if (this.text[at] !== "{") return undefined;
    DOUBLED.lastIndex = at;
    const doubled = DOUBLED.exec(this.text)?.[0];
    if (doubled !== undefined) return this.#cut(at, at + doubled.length, doubled.slice(1, -1));
    PLACEHOLDER.lastIndex = at;
    const match = PLACEHOLDER.exec(this.text);
    if (!match) return undefined;
    const end = at + match[0].length;
    return this.#cut(at, end, { kind: "placeholder", name: match[1] ?? "", start: at, end, quoting });
  }

  #cut(
    start: number,
    end: number,
    taken: string | PlaceholderPiece,
  ): { readonly taken: string | PlaceholderPiece; readonly end: number } {
    if (start > this.#kept) this.#parts.push(this.text.slice(this.#kept, start));
    this.#parts.push(taken);
    this.#kept = end;
    return { taken, end };
  }

  /** Returns all parts, with the rest of the text. */
  all(): readonly (string | PlaceholderPiece)[] {
    return this.#kept < this.text.length ? [...this.#parts, this.text.slice(this.#kept)] : this.#parts;
  }
}
