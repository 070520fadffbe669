// The clock of one call, which stands while its caller is stopped at a terminal.
import type { Host } from "../../../core/tool/host.ts";
import { nowMs } from "../../../core/host/monotonic-clock.ts";

/** A timer of Node may fire this much too early. */
const TIMER_MS = 2;

export class CallClock {
  #leftOutMs = 0;
  #stoppedAtMs: number | undefined;

  nowMs(): number {
    return (this.#stoppedAtMs ?? nowMs()) - this.#leftOutMs;
  }

  stop(): void {
    this.#stoppedAtMs ??= nowMs();
  }

  goOn(): void {
    if (this.#stoppedAtMs !== undefined) this.#leftOutMs += nowMs() - this.#stoppedAtMs;
    this.#stoppedAtMs = undefined;
  }

  /** `sleep` does not know that the clock stands. */
  async sleep(delayMs: number, signal: AbortSignal, sleep: Host["sleep"]): Promise<void> {
    const endMs = this.nowMs() + delayMs;
    do await sleep(endMs - this.nowMs(), signal);
    while (!signal.aborted && endMs - this.nowMs() >= TIMER_MS);
  }
}
