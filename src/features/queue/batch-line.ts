// The line on a terminal that says how a batch goes. It is there while nothing else is written: what other parts of the
// program write there takes its place, and a second later it stands below.
import type { Host } from "../../core/tool/host.ts";
import type { Terminal, TerminalPort } from "../../core/tool/terminal.ts";
import type { BatchCounts } from "./run-batch.ts";

const LOOK_MS = 1_000;
/** Erases to the end of the line, where the terminal may have shown `^C`. */
const ERASE = "\u001b[K";

export interface Watched {
  /** How many calls have no result. */
  open(): number;
  /** Where they are, behind their number. */
  readonly where: string;
  /** Called once a second. */
  look?(): Promise<void>;
}

export class BatchLine {
  readonly #terminal: Terminal;
  readonly #ended = new AbortController();
  #counts: BatchCounts | undefined;
  #isShown = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Used instead of the given terminal, so that what is written there does not stand behind the line. */
  get terminal(): Terminal {
    const { errors } = this.#terminal;
    const write: TerminalPort["write"] = (content) => {
      this.#hide();
      return errors.write(content);
    };
    // Not a copy: it would read the signal, which starts listening to signals, and would freeze the size.
    return Object.create(this.#terminal, {
      errors: { value: Object.create(errors, { write: { value: write } }) },
    }) as Terminal;
  }

  count(counts: BatchCounts): void {
    this.#counts = { ...counts };
  }

  /** Shows it until the end. Where the results go to the terminal, they are what a person sees. */
  async watch({ open, where, look }: Watched, host: Host): Promise<void> {
    const { errors, output, signal } = this.#terminal;
    const stopped = AbortSignal.any([this.#ended.signal, signal]);
    const isVisible = errors.isTerminal && errors.movesCursor && !output.isTerminal;
    for (;;) {
      await host.sleep(LOOK_MS, stopped);
      if (stopped.aborted) return;
      await look?.();
      if (!isVisible || this.#ended.signal.aborted) continue;
      const { ok = 0, failed = 0 } = this.#counts ?? {};
      const parts = [number(ok, "ok"), ...(failed > 0 ? [number(failed, "failed")] : []), number(open(), where)];
      errors.write(`\r${`batch: ${parts.join(", ")}`.slice(0, errors.columns - 1)}${ERASE}`);
      this.#isShown = true;
    }
  }

  end(): void {
    this.#ended.abort();
    this.#hide();
  }

  #hide(): void {
    if (this.#isShown) this.#terminal.errors.write(`\r${ERASE}`);
    this.#isShown = false;
  }
}

function number(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}`;
}
