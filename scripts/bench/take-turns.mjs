// Functions that are timed in one process take turns, so that other work of the machine affects all of them.
import { median } from "./table.mjs";

/**
 * Times functions, given by name. Returns medians in ms by name. The first tenth of the rounds is extra and not
 * counted.
 */
export async function takeTurns(rounds, works) {
  const timesMs = Object.fromEntries(Object.keys(works).map((name) => [name, []]));
  for (let round = -Math.ceil(rounds / 10); round < rounds; round++) {
    for (const [name, work] of Object.entries(works)) {
      const startMs = performance.now();
      await work();
      if (round >= 0) timesMs[name].push(performance.now() - startMs);
    }
  }
  return Object.fromEntries(Object.entries(timesMs).map(([name, times]) => [name, median(times)]));
}
