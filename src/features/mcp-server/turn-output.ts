// What a turn of the event loop causes is written at its end: first the log of calls, then the answers. So many answers
// cost one write, and no client has an answer to a call that is not logged.
import type { AuditLog } from "../../core/policy/audit-log.ts";
import type { Lines } from "./line-transport.ts";

export interface TurnOutput extends Pick<Lines, "write"> {
  /** Writes the lines of this log at the end of turns. */
  hold(log: AuditLog): void;
  /** Writes all now. */
  flush(): void;
}

/** `afterTurn` calls its argument at the end of the turn. */
export function openTurnOutput(write: Lines["write"], afterTurn: (work: () => void) => void): TurnOutput {
  const logged = new Map<AuditLog, string>();
  let text = "";
  let isDue = false;
  /** Set while the reader is slow. A promise for each turn would keep all of its calls in memory until its end. */
  let slow: Promise<void> | undefined;
  const flush = (): void => {
    isDue = false;
    for (const [log, lines] of logged) log.append(lines);
    logged.clear();
    const whole = text;
    text = "";
    const wait = whole === "" ? undefined : write(whole);
    if (!wait) return;
    const goOn = (): void => void (slow = undefined);
    slow = wait.then(goOn, goOn);
  };
  const flushAtEnd = (): void => {
    if (isDue) return;
    isDue = true;
    afterTurn(flush);
  };
  return {
    hold: (log) => {
      log.later ??= (line) => {
        logged.set(log, (logged.get(log) ?? "") + line);
        flushAtEnd();
      };
    },
    write: (more) => {
      text += more;
      flushAtEnd();
      return slow;
    },
    flush,
  };
}
