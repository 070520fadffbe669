// Guesses which words of a command line are values that change from call to call. A guess is safe: each becomes a
// parameter whose default is the word itself, so a call without arguments runs the same line.

export interface GuessedParameter {
  readonly name: string;
  readonly type: "string" | "path" | "url" | "integer";
  readonly value: string | number;
  readonly description: string;
  /** The index of the word in the line. */
  readonly word: number;
}

export interface WordPlace {
  readonly index: number;
  /** The word before it. */
  readonly before: string;
  readonly isQuoted: boolean;
}

export class ParameterGuesses {
  readonly #parameters: GuessedParameter[] = [];

  get parameters(): readonly GuessedParameter[] {
    return this.#parameters;
  }

  /** Returns the placeholder for the word in the template; undefined if the word stays. */
  placeholderFor(word: string, place: WordPlace): string | undefined {
    const tied = /^(--?[A-Za-z][\w-]*=)(.+)$/s.exec(word);
    if (tied?.[1] !== undefined && tied[2] !== undefined) {
      const added = this.#add(tied[2], place, tied[1].slice(0, -1));
      return added === undefined ? undefined : `${tied[1]}{${added}}`;
    }
    if (word.startsWith("-") || word === "") return undefined;
    const added = this.#add(word, place, /^--?[A-Za-z]/.test(place.before) ? place.before : undefined);
    return added === undefined ? undefined : `{${added}}`;
  }

  #add(value: string, { index, isQuoted }: WordPlace, option: string | undefined): string | undefined {
    const type = typeOf(value);
    // A plain word is more often a part of the command, such as `log` of `git log`.
    if (type === "string" && !isQuoted && /^[A-Za-z][A-Za-z-]*$/.test(value)) return undefined;
    // One or two letters after one dash are not a useful name.
    const wanted = option?.replace(/^-[^-]{1,2}$|^-+/, "").replaceAll(/[^A-Za-z0-9_]/g, "_") ?? "";
    const base = /^[A-Za-z_]\w+$/.test(wanted) ? wanted.slice(0, 60) : nameFor(type);
    const name = this.#freeName(base);
    this.#parameters.push({
      name,
      type,
      value: type === "integer" ? Number(value) : value,
      description: option === undefined ? descriptions[type] : `Value of \`${option}\``,
      word: index,
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

const descriptions = {
  string: "The text",
  path: "The file or folder",
  url: "The address",
  integer: "The number",
} as const;

function nameFor(type: GuessedParameter["type"]): string {
  return type === "string" ? "text" : type === "integer" ? "number" : type;
}

function typeOf(value: string): GuessedParameter["type"] {
  if (/^https?:\/\//i.test(value) && URL.canParse(value)) return "url";
  // `007` is a text: as a number it would lose its zeros.
  if (/^(0|[1-9]\d{0,14})$/.test(value)) return "integer";
  return /^\.{0,2}\//.test(value) || /^\.{1,2}$/.test(value) || /^[\w.-]+(\/[\w.-]+)+\/?$/.test(value)
    ? "path"
    : "string";
}
