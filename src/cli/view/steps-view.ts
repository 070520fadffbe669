// The steps of a run on a terminal: rows that are redrawn in place. A caller that writes something else hides them
// first.
import type { Host } from "../../core/tool/host.ts";
import type { TerminalPort } from "../../core/tool/terminal.ts";
import type { StepEvent, StepState } from "../../core/tool/tool.ts";
import { cut, padEnd, printableLines } from "./layout.ts";
import type { Paint } from "./paint.ts";

/** Runs shorter than this are not shown. */
const QUIET_MS = 300;
const TICK_MS = 200;
const NAME_COLUMNS_MAX = 40;
/** The width of the symbol and the words after the name. */
const STATE_COLUMNS = 18;
/** A smaller terminal has no room for a name and its state. */
const ROWS_MIN = 3;
const COLUMNS_MIN = 24;

interface Row {
  readonly event: StepEvent;
  /** The time when it began to run. */
  readonly startedMs: number;
}

interface StepsViewOptions {
  /** The tool's name. */
  readonly name: string;
  /** The terminal, whose cursor is moved. */
  readonly port: TerminalPort;
  readonly paint: Paint;
  readonly host: Host;
}

export class StepsView {
  readonly #options: StepsViewOptions;
  readonly #startedMs: number;
  /** The rows by the path of the step; what runs within a step follows it. */
  #rows = new Map<string, Row>();
  readonly #ended = new AbortController();
  #note = "";
  #isHidden = false;
  #drawnLines = 0;
  #wasDrawn = false;

  constructor(options: StepsViewOptions) {
    this.#options = options;
    this.#startedMs = options.host.nowMs();
    // If the terminal cannot be written to, no rows are drawn, and the run continues.
    void this.#tick(QUIET_MS).catch(() => undefined);
  }

  take(event: StepEvent): void {
    const path = [...event.within.map(withoutIndex), event.step];
    if (event.state !== "waiting") this.#removeEndedWithin(path, event.state === "running");
    const key = [...event.within, event.step].join(SEPARATOR);
    const known = this.#rows.get(key);
    const row: Row = { event, startedMs: known?.event.state === "running" ? known.startedMs : event.atMs };
    if (known || event.within.length === 0) this.#rows.set(key, row);
    else this.#insert(key, row, path.slice(0, -1));
    if (event.state !== "running" && event.state !== "waiting") this.#note = "";
  }

  /** Shows a tool's progress text until a step ends. */
  note(text: string): void {
    this.#note = printableLines(text.replaceAll(/\s+/g, " ")).trim();
  }

  /** Hides the rows before something else is written. */
  hide(): void {
    this.#isHidden = true;
    // The cursor's own line too: the terminal shows `^C` there.
    if (this.#drawnLines > 0) this.#options.port.write(`\u001b[2K${"\u001b[1A\u001b[2K".repeat(this.#drawnLines)}\r`);
    this.#drawnLines = 0;
  }

  /**
   * Shows the rows again; the cursor is at the beginning of a line. They come back with the next tick, so that they are
   * not redrawn at every piece of a stream.
   */
  show(): void {
    this.#isHidden = false;
  }

  /**
   * Removes the rows. Returns what stays: one line after success, otherwise the rows; nothing if nothing was ever
   * drawn.
   */
  end(isOk: boolean): string {
    this.#ended.abort();
    this.hide();
    const { host, name, paint } = this.#options;
    if (!this.#wasDrawn) return "";
    const own = [...this.#rows.values()].filter(({ event }) => event.within.length === 0);
    if (!isOk) {
      this.#note = "";
      this.#rows = new Map(own.map((row) => [row.event.step, row]));
      return this.#lines()
        .map((line) => `${line}\n`)
        .join("");
    }
    const skipped = own.filter(({ event }) => event.state === "skipped").length;
    const count = own.filter(({ event }) => !event.isCleanup).length;
    const words = [
      `${count} ${count === 1 ? "step" : "steps"}`,
      ...(skipped > 0 ? [`${skipped} skipped`] : []),
      durationText(host.nowMs() - this.#startedMs),
    ];
    return `${paint.green(symbols.done)} ${printableLines(name)}: ${words.join(", ")}\n`;
  }

  async #tick(delayMs: number): Promise<void> {
    await this.#options.host.sleep(delayMs, this.#ended.signal);
    if (this.#ended.signal.aborted) return;
    if (!this.#isHidden) this.#draw();
    return this.#tick(TICK_MS);
  }

  /** Removes what ran within a step that has ended; if it runs for another item, only what has ended. */
  #removeEndedWithin(path: readonly string[], isRunning: boolean): void {
    for (const [key, { event }] of this.#rows) {
      const isWithin =
        event.within.length >= path.length &&
        path.every((name, index) => withoutIndex(event.within[index] ?? "") === name);
      if (isWithin && (!isRunning || (event.state !== "running" && !this.#isBegun(event.within))))
        this.#rows.delete(key);
    }
  }

  #isBegun(within: readonly string[]): boolean {
    return [...this.#rows.values()].some(
      ({ event }) => event.state === "running" && event.within.join(SEPARATOR) === within.join(SEPARATOR),
    );
  }

  #insert(key: string, row: Row, parent: readonly string[]): void {
    const entries = [...this.#rows];
    const last = entries.findLastIndex(([, { event }]) =>
      parent.every((name, index) => withoutIndex([...event.within, event.step][index] ?? "") === name),
    );
    entries.splice(last === -1 ? entries.length : last + 1, 0, [key, row]);
    this.#rows = new Map(entries);
  }

  /**
   * Moves up by the drawn lines and overwrites them. A terminal that was made narrower may have wrapped them into more,
   * which then stay: moving up further could erase other output. It clears line by line, because some terminals keep a
   * copy of a screen that is cleared as a whole.
   */
  #draw(): void {
    const lines = this.#lines();
    const up = this.#drawnLines === 0 ? "" : `\u001b[${this.#drawnLines}A\r`;
    this.#options.port.write(
      `${up}${lines.map((line) => `${line}\u001b[0K\n`).join("")}${up === "" ? "" : "\u001b[0J"}`,
    );
    this.#drawnLines = lines.length;
    this.#wasDrawn ||= lines.length > 0;
  }

  #lines(): readonly string[] {
    const { port, paint } = this.#options;
    if (port.rows < ROWS_MIN || port.columns < COLUMNS_MIN || this.#rows.size === 0) return [];
    // The last row is the cursor's.
    const linesMax = port.rows - 1;
    const note = this.#note === "" || linesMax < ROWS_MIN ? [] : [paint.dim(cut(this.#note, port.columns - 1))];
    const { shown, rest } = fitting([...this.#rows.values()], linesMax - note.length);
    const names = shown.map(nameOf);
    const nameColumns = Math.min(
      NAME_COLUMNS_MAX,
      Math.max(...names.map((name) => displayedColumns(name))),
      port.columns - STATE_COLUMNS,
    );
    const rows = shown.map((row, index) => this.#line(row, padEnd(cut(names[index] ?? "", nameColumns), nameColumns)));
    return [...rows, ...(rest === "" ? [] : [paint.dim(cut(rest, port.columns - 1))]), ...note];
  }

  #line({ event, startedMs }: Row, name: string): string {
    const { port, paint, host } = this.#options;
    const { state, items, atMs } = event;
    const time =
      state === "running"
        ? durationText(host.nowMs() - startedMs)
        : state === "waiting" || state === "skipped"
          ? ""
          : durationText(atMs - startedMs);
    const words = [
      ...(state === "running" || state === "done" ? [] : [state]),
      ...(items && state === "running" ? [`${items.done}/${items.all}`] : []),
      ...(time === "" ? [] : [time]),
    ];
    const text = cut(`${name}  ${words.join("  ")}`, port.columns - 3);
    return paintOf(state, paint)(`${symbols[state]} ${text}`);
  }
}

const SEPARATOR = "\u0000";

const symbols: Readonly<Record<StepState, string>> = {
  waiting: "·",
  running: "▸",
  done: "✓",
  failed: "✗",
  skipped: "-",
  stopped: "-",
};

function paintOf(state: StepState, paint: Paint): Paint["dim"] {
  switch (state) {
    case "done":
      return paint.green;
    case "failed":
      return paint.red;
    case "running":
      return paint.cyan;
    case "waiting":
    case "skipped":
    case "stopped":
      return paint.dim;
  }
}

/** `each[3]` is the fourth item of `each`. */
function withoutIndex(name: string): string {
  return name.replace(/\[\d+\]$/, "");
}

function nameOf({ event }: Row): string {
  return [...event.within, event.step].map((name) => printableLines(name)).join(" > ");
}

function displayedColumns(text: string): number {
  let columns = text.length;
  while (columns > 0 && cut(text, columns - 1) === text) columns--;
  return columns;
}

/** Picks the rows that fit: running and failed steps first, then the next, then the last ended; counts the others. */
function fitting(rows: readonly Row[], linesMax: number): { readonly shown: readonly Row[]; readonly rest: string } {
  if (rows.length <= linesMax) return { shown: rows, rest: "" };
  const ranks: Readonly<Record<StepState, number>> = {
    failed: 0,
    running: 1,
    waiting: 2,
    done: 3,
    stopped: 3,
    skipped: 3,
  };
  const ranked = rows
    .map((row, index) => ({ row, index }))
    .sort(
      (one, other) =>
        ranks[one.row.event.state] - ranks[other.row.event.state] ||
        (ranks[one.row.event.state] === 3 ? other.index - one.index : one.index - other.index),
    );
  const kept = new Set(ranked.slice(0, linesMax - 1).map(({ row }) => row));
  const counts = new Map<StepState, number>();
  for (const row of rows) if (!kept.has(row)) counts.set(row.event.state, (counts.get(row.event.state) ?? 0) + 1);
  return {
    shown: rows.filter((row) => kept.has(row)),
    rest: `… ${[...counts].map(([state, count]) => `${count} ${state}`).join(", ")}`,
  };
}

/** `1.2 s`, `2 min 5 s`. */
function durationText(durationMs: number): string {
  const seconds = durationMs / 1000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}
