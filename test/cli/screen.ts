// A terminal with rows and columns, as far as the program and the tested commands use it: text, line ends, moves up or
// to a column, clearing a line, and clearing everything after it.
export class Screen {
  readonly rows: number;
  readonly columns: number;
  readonly #lines: string[] = [""];
  #row = 0;
  #column = 0;

  constructor(rows: number, columns: number) {
    this.rows = rows;
    this.columns = columns;
  }

  write(text: string): void {
    for (const [part] of text.matchAll(/\u001b\[\d*[A-Za-z]|[\s\S]/gu)) this.#take(part);
  }

  /** Returns all lines, including those that have scrolled out at the top, at least down to the cursor. */
  get text(): string {
    const last = this.#lines.findLastIndex((line) => line.trimEnd() !== "");
    return this.#lines
      .slice(0, Math.max(last, this.#row) + 1)
      .map((line) => line.trimEnd())
      .join("\n");
  }

  #take(part: string): void {
    const [, count = "", action] = /^\u001b\[(\d*)([A-Za-z])$/.exec(part) ?? [];
    if (action === "A") this.#row = Math.max(this.#lines.length - this.rows, 0, this.#row - Number(count));
    else if (action === "J" && this.#row === Math.max(0, this.#lines.length - this.rows) && this.#column === 0)
      throw new Error("the whole screen is cleared, of which some terminals keep a copy");
    else if (action === "J") this.#clear();
    else if (action === "K")
      this.#lines[this.#row] = count === "2" ? "" : (this.#lines[this.#row] ?? "").slice(0, this.#column);
    else if (action === "G") this.#column = Math.max(0, Number(count) - 1);
    else if (action === "m") return;
    else if (action !== undefined) throw new Error(`the screen knows no ${JSON.stringify(part)}`);
    else if (part === "\n") this.#newLine();
    else if (part === "\r") this.#column = 0;
    else this.#put(part);
  }

  #clear(): void {
    this.#lines[this.#row] = (this.#lines[this.#row] ?? "").slice(0, this.#column);
    this.#lines.length = this.#row + 1;
  }

  #newLine(): void {
    this.#row++;
    this.#column = 0;
    this.#lines[this.#row] ??= "";
  }

  #put(character: string): void {
    if (this.#column >= this.columns) this.#newLine();
    const line = (this.#lines[this.#row] ?? "").padEnd(this.#column);
    this.#lines[this.#row] = line.slice(0, this.#column) + character + line.slice(this.#column + 1);
    this.#column++;
  }
}
