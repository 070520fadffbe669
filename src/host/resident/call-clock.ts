// The clock of one call, which stands while its caller is stopped at a terminal.
import { sleepBy } from "../node-host.ts";
import { nowMs } from "../monotonic-clock.ts";

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

  sleep(delayMs: number, signal: AbortSignal): Promise<void> {
    return sleepBy(() => this.nowMs(), delayMs, signal);
  }
}
