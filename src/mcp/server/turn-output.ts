// What a turn of the event loop causes is written at its end: first the log of calls, then the answers. So many answers
// cost one write, and no client has an answer to a call that is not logged.
import type { AuditLog } from "../../policy/audit-log.ts";
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
  let turn: PromiseWithResolvers<void> | undefined;
  const flush = (): void => {
    for (const [log, lines] of logged) log.append(lines);
    logged.clear();
    const [whole, ended] = [text, turn];
    text = "";
    turn = undefined;
    const wait = whole === "" ? undefined : write(whole);
    if (wait) wait.then(ended?.resolve, ended?.resolve).catch(() => undefined);
    else ended?.resolve();
  };
  const atEnd = (): Promise<void> => {
    if (!turn) {
      turn = Promise.withResolvers<void>();
      afterTurn(flush);
    }
    return turn.promise;
  };
  return {
    hold: (log) => {
      log.later ??= (line) => {
        logged.set(log, (logged.get(log) ?? "") + line);
        atEnd().catch(() => undefined);
      };
    },
    write: (more) => {
      text += more;
      return atEnd();
    },
    flush,
  };
}
