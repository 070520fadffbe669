// Works that are timed in one process take turns, so that whatever else the machine does hits them all.
import { median } from "./table.mjs";

/**
 * `works`: from a name to what is timed. Gives from each name to the median in ms; the first tenth of the rounds more
 * is not counted.
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
