// What the engine adds to the processes of its steps. Measured in a process of its own, see in-process-steps.mjs.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const STEP_ADDED_MS_MAX = 1;
/**
 * The limit of the cost in a long row of steps relative to a short one, and of the heap after it relative to the one
 * before. More means that something grows with the number of steps.
 */
const GROWTH_MAX = 1.25;

export function benchSteps() {
  const script = fileURLToPath(new URL("./in-process-steps.mjs", import.meta.url));
  const of = JSON.parse(
    execFileSync(process.execPath, ["--expose-gc", script], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }),
  );
  return [
    {
      name: "one of 50 steps in a row",
      value: of.step,
      unit: "ms",
      reference: of.stepBare,
      of: "bare spawn",
      target: of.stepBare + STEP_ADDED_MS_MAX,
    },
    {
      name: "one of 1,000 steps in a row",
      value: of.longStep,
      unit: "ms",
      reference: of.shortStep,
      of: "one of 50",
      target: of.shortStep * GROWTH_MAX,
    },
    {
      name: "live heap after 1,000 steps",
      value: of.heapAfter,
      unit: "MB",
      reference: of.heapBefore,
      of: "before",
      target: of.heapBefore * GROWTH_MAX,
    },
    { name: "100 steps, 16 at once", value: of.beside, unit: "ms", reference: of.besideBare, of: "bare spawns" },
    { name: "100 steps, 16 at once", value: of.beside, unit: "ms", reference: of.xargs, of: "xargs -P 16" },
  ];
}
