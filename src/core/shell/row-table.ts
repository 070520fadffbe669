// A table of programs from grammar/programs.yaml or grammar/hook-policy.yaml, as two texts. A row is read when one of its names is looked up: a
// command needs a few of hundreds, and to make objects of all would take longer than to judge it.

/** Keys whose value is an expression if it begins with a slash. */
const PATTERN_KEYS = ["script", "skips", "when", "unless"];

export class RowTable<Row extends { readonly names: string }> {
  readonly #names: string;
  readonly #rows: string;
  readonly #read = new Map<number, Row>();
  #lines: readonly string[] | undefined;

  /**
   * `names` has a line for each row, ` a b.c ` for the program `a` and the subcommand `b c`; `rows` has its other keys
   * as JSON.
   */
  constructor(names: string, rows: string) {
    this.#names = names;
    this.#rows = rows;
  }

  /** Returns the rows of a program, or of a program with its subcommand, in their order. */
  named(name: string): readonly Row[] {
    if (name === "" || name.includes(".") || name.includes("\n")) return [];
    const found: Row[] = [];
    const wanted = ` ${name.replaceAll(" ", ".")} `;
    for (let at = this.#names.indexOf(wanted); at !== -1; at = this.#names.indexOf(wanted, at + 1))
      found.push(this.#row(this.#names.slice(0, at).split("\n").length - 1));
    return found;
  }

  all(): readonly Row[] {
    return this.#names.split("\n").map((_names, index) => this.#row(index));
  }

  names(): readonly string[] {
    return this.#names
      .replaceAll("\n", "")
      .trim()
      .split(/ +/)
      .map((name) => name.replaceAll(".", " "));
  }

  has(row: Row): boolean {
    return [...this.#read.values()].includes(row);
  }

  /** Each row is read once, so that rows can be compared. */
  #row(index: number): Row {
    const known = this.#read.get(index);
    if (known) return known;
    this.#lines ??= this.#rows.split("\n");
    const names = this.#names.split("\n")[index]?.trim() ?? "";
    const row = { names, ...(JSON.parse(this.#lines[index] ?? "{}", patternFrom) as object) } as Row;
    this.#read.set(index, row);
    return row;
  }
}

function patternFrom(key: string, value: unknown): unknown {
  if (typeof value !== "string" || !value.startsWith("/") || !PATTERN_KEYS.includes(key)) return value;
  const end = value.lastIndexOf("/");
  return new RegExp(value.slice(1, end), value.slice(end + 1));
}
