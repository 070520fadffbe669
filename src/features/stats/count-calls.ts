// Counts logged calls in bounded memory, however many there are.
import type { Ending, LoggedCall } from "./read-log.ts";

/** Names that models make up are logged, too. Calls beyond so many names are counted together. */
const NAMES_MAX = 1_000;
/** The ratio of a duration to the next longer one that is told apart. */
const STEP = 1.05;

export class CallCount {
  calls = 0;
  readonly endings: Record<Ending, number> = { ok: 0, failed: 0, repair: 0, refused: 0, judged: 0 };
  /** The number of calls that ran, by the logarithm of their duration. */
  readonly #durations = new Map<number, number>();

  add({ ending, durationMs }: LoggedCall): void {
    this.calls++;
    this.endings[ending]++;
    if (ending !== "ok" && ending !== "failed") return;
    const step = Math.round(Math.log(Math.max(0.001, durationMs)) / Math.log(STEP));
    this.#durations.set(step, (this.#durations.get(step) ?? 0) + 1);
  }

  /** Returns the time that this share of the calls took at most, to within 3 %. Undefined: no call ran. */
  msAt(share: number): number | undefined {
    let left = share * (this.endings.ok + this.endings.failed);
    const steps = [...this.#durations].sort(([one], [other]) => one - other);
    const found = steps.find(([, count]) => (left -= count) <= 0);
    return found && Number((STEP ** found[0]).toPrecision(3));
  }
}

export type CountsByName = Map<string, CallCount>;

export function addTo(counts: CountsByName, wanted: string, call: LoggedCall): void {
  const name = counts.has(wanted) || counts.size < NAMES_MAX ? wanted : "(others)";
  const count = counts.get(name) ?? new CallCount();
  counts.set(name, count);
  count.add(call);
}
