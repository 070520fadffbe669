// Guesses which words of a command line are values that change from call to call, and what they are. A guess is safe:
// each becomes a parameter whose default is the word itself, so a call without arguments runs the same line.
import { rowOf } from "../../core/text/row-of.ts";
import { commonOptions, type GuessRow, guessRows, nameTexts, pathNames, valueless } from "./guess-rows.ts";

export interface GuessedParameter {
  readonly name: string;
  readonly type: "string" | "path" | "url" | "integer";
  readonly value: string | number;
  readonly description: string;
  /** The index of the word in the line. */
  readonly word: number;
}

export interface LineWord {
  readonly text: string;
  readonly isQuoted: boolean;
}

export class ParameterGuesses {
  readonly #parameters: GuessedParameter[];
  readonly #words: readonly LineWord[];
  readonly #row: GuessRow;
  readonly #isKnown: boolean;
  readonly #options: ReadonlyMap<string, string>;
  readonly #names: readonly string[];
  /** The index of the first word behind the subcommand. */
  readonly #start: number;
  readonly #offset: number;
  /** How many words that belong to no option came before. */
  #count = 0;

  /** `earlier` are the parameters of the commands before it in a pipe, and `offset` is the index of its first word. */
  constructor(words: readonly LineWord[], earlier: readonly GuessedParameter[] = [], offset = 0) {
    this.#words = words;
    this.#parameters = [...earlier];
    this.#offset = offset;
    const { row, start } = guessRowOf(words);
    this.#row = row ?? {};
    this.#isKnown = row !== undefined;
    this.#start = start;
    this.#options = new Map(listOf(this.#row.options).map((pair) => pair.split(" ") as [string, string]));
    this.#names = listOf(this.#row.words);
  }

  get parameters(): readonly GuessedParameter[] {
    return this.#parameters;
  }

  /** Returns the placeholder for the word in the template; undefined if the word stays. Asked in the line's order. */
  placeholderFor(index: number): string | undefined {
    const { text: word, isQuoted } = this.#words[index] ?? { text: "", isQuoted: false };
    if (index < this.#start || word === "" || word === "--" || this.#isRunByFind(index)) return undefined;
    const tied = /^(--?[A-Za-z][\w-]*)=(.+)$/s.exec(word);
    if (tied?.[1] !== undefined && tied[2] !== undefined) {
      const added = this.#add(tied[2], index, {
        name: this.#ofOption(tied[1], tied[2]) ?? wordsName(tied[1]),
        option: tied[1],
      });
      return `${tied[1]}={${added}}`;
    }
    if (word.startsWith("-") || /^\+[a-z]+$/.test(word)) return undefined;
    const before = this.#words[index - 1]?.text ?? "";
    const option = index > this.#start && takesValue(before, this.#row) ? before : undefined;
    const named = option === undefined ? undefined : this.#ofOption(option, word);
    const isLong = option !== undefined && (option.startsWith("--") || this.#row.hasLongDash === true);
    if (option !== undefined && (named !== undefined || isLong)) {
      return `{${this.#add(word, index, { name: named ?? wordsName(option), option })}}`;
    }
    const isBehindDashes = this.#words.slice(0, index).some(({ text }) => text === "--");
    const ownPlace = this.#names[Math.min(this.#count, this.#names.length - 1)];
    const place = isBehindDashes && ownPlace === "revision" ? "path" : ownPlace;
    const hasPlace = place !== undefined;
    this.#count++;
    if (place === "-")
      return isPlain(word) || this.#count <= this.#names.length ? undefined : this.#byShape(word, index);
    // A plain word is more often a part of the command than a value.
    if (!hasPlace && isPlain(word) && !isQuoted) return undefined;
    return hasPlace && fits(word, place) ? `{${this.#add(word, index, { name: place })}}` : this.#byShape(word, index);
  }

  /** Returns whether it is a word of `-exec COMMAND {} +`. */
  #isRunByFind(index: number): boolean {
    const last = this.#words.slice(0, index).findLast(({ text }) => /^(?:-(?:exec|ok)(?:dir)?|[;+])$/.test(text));
    return last?.text.startsWith("-") ?? false;
  }

  #byShape(word: string, index: number): string {
    return `{${this.#add(word, index, {})}}`;
  }

  /** Returns what the value of an option is, by the row of its program or by what most programs mean with it. */
  #ofOption(option: string, value: string): string | undefined {
    const own = this.#options.get(option);
    if (own !== undefined || option.startsWith("--") || this.#row.hasLongDash) return own;
    // The last letter of a cluster, such as `-czf`, takes the value.
    const found = this.#options.get(`-${option.at(-1) ?? ""}`);
    if (found !== undefined || this.#isKnown) return found;
    const common = rowOf(commonOptions, option);
    return common !== undefined && (common === "count") === (shapeOf(value).type === "integer") && !isPlain(value)
      ? common
      : undefined;
  }

  #add(
    value: string,
    index: number,
    { name: wanted, option }: { readonly name?: string | undefined; readonly option?: string },
  ): string {
    const shape = shapeOf(value);
    const name = this.#freeName(wanted ?? shape.name);
    const type = typeOf(value, wanted, shape);
    this.#parameters.push({
      name,
      type,
      value: type === "integer" ? Number(value) : value,
      description:
        rowOf(nameTexts, wanted ?? shape.name) ??
        (option === undefined ? `The ${wanted ?? "value"}` : `Value of \`${option}\``),
      word: this.#offset + index,
    });
    return name;
  }

  #freeName(base: string): string {
    const taken = new Set(this.#parameters.map((parameter) => parameter.name));
    if (!taken.has(base)) return base;
    let number = 2;
    while (taken.has(`${base}${number}`)) number++;
    return `${base}${number}`;
  }
}

/** Returns the row of the program, or of the longest subcommand that has one. */
function guessRowOf(words: readonly LineWord[]): { readonly row?: GuessRow; readonly start: number } {
  const plain = words.findIndex(
    ({ text, isQuoted }, index) => index > 0 && (isQuoted || !/^[a-z][a-z0-9-]*$/.test(text)),
  );
  const end = plain === -1 ? words.length : plain;
  const program = words[0]?.text.split("/").at(-1) ?? "";
  for (let length = Math.min(words.length, 3); length > 1; length--) {
    const row = rowOf(guessRows, [program, ...words.slice(1, length).map(({ text }) => text)].join(" "));
    if (row) return { row, start: length };
  }
  const rows = rowOf(guessRows, program);
  // Words other than the subcommands of a known program may be values.
  if (!rows) return { start: end };
  if (rows.words !== "-") return { row: rows, start: 1 };
  const { words: _literal, ...row } = rows;
  return { row, start: end };
}

function listOf(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.split(", ");
}

function takesValue(option: string, row: GuessRow): boolean {
  return (
    /^--?[A-Za-z]/.test(option) &&
    !option.includes("=") &&
    !valueless.has(option) &&
    (row.hasLongDash || !/^--no-/.test(option))
  );
}

/** `--max-depth` → `max_depth`, `-c:v` → `c_v`. */
function wordsName(option: string): string {
  const name = option
    .replace(/^-+/, "")
    .replaceAll(/[^A-Za-z0-9_]/g, "_")
    .slice(0, 60);
  return /^[A-Za-z_]\w*$/.test(name) ? name : "value";
}

function isPlain(word: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_-]*$/.test(word);
}

/** Whether the word can be what its place says: an address or a number is not a folder. */
function fits(word: string, place: string | undefined): place is string {
  if (place === undefined) return false;
  const { name } = shapeOf(word);
  if (place === "url") return name === "url" || name === "host" || name === "path" || /^[\w.@:-]+$/.test(word);
  if (place === "port" || place === "pid" || place === "seconds") return name === "number";
  return !(pathNames.has(place) && place !== "source" && place !== "target" && name === "url");
}

function typeOf(value: string, name: string | undefined, { type }: Shape): GuessedParameter["type"] {
  if (name === undefined || type === "integer" || type === "url") return type;
  if (value.includes(":")) return "string";
  if (pathNames.has(name)) return "path";
  return Object.hasOwn(nameTexts, name) && name !== "database" ? "string" : type;
}

interface Shape {
  readonly name: string;
  readonly type: GuessedParameter["type"];
}

const FILE_END =
  /\.(?:txt|md|csv|tsv|json|jsonl|ya?ml|toml|xml|html?|css|[jt]sx?|mjs|py|rb|rs|go|java|[ch]|cpp|sh|sql|db|sqlite3?|log|ini|conf|cfg|env|lock|pdf|docx?|png|jpe?g|gif|webp|svg|avif|mp[34]|m4[av]|mov|mkv|webm|wav|flac|ogg|zip|gz|tgz|tar|bz2|xz|zst|pem|crt|key|tfvars|wasm|bin|out|diff|patch)$/i;

/** Returns what a value looks like. */
export function shapeOf(value: string): Shape {
  if (/^https?:\/\//i.test(value) && URL.canParse(value)) return { name: "url", type: "url" };
  // `007` is a text: as a number it would lose its zeros.
  if (/^(0|[1-9]\d{0,14})$/.test(value)) return { name: "number", type: "integer" };
  if (/^\.{1,2}$/.test(value) || /^[\w./-]*\/$/.test(value)) return { name: "folder", type: "path" };
  if (/^[\w./-]+$/.test(value) && FILE_END.test(value)) return { name: "file", type: "path" };
  if (/^\.{0,2}\//.test(value) || /^[\w.-]+(\/[\w.-]+)+$/.test(value)) return { name: "path", type: "path" };
  if (/^(?:[\w-]+@)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/i.test(value)) return { name: "host", type: "string" };
  return { name: "text", type: "string" };
}
