// Where a run goes on: which steps run again, and which count as done. It says what stands in the way.
import { orderSteps, type StepOrder } from "../../core/language/kinds/step-order.ts";
import { type StoredSteps, stepOf } from "./journal-file.ts";
import { didYouMean } from "../../core/text/suggest.ts";
import type { StepsDefinition } from "../../core/tool/definition.ts";

export interface ResumePlan {
  /** The names of steps that run again although they ended. */
  readonly again: readonly string[];
  /** The places of steps that count as done although that is not known. */
  readonly passed: readonly string[];
}

/** `fact` is what is true, `help` what would be accepted. */
export interface ResumeObstacle {
  readonly fact: string;
  readonly help: readonly string[];
}

type Stored = Pick<StoredSteps, "unknown" | "hasCleanedUp">;

/** `from` is the name of the step to go on with; absent: with the first that has not ended. */
export function planResume(
  definition: StepsDefinition,
  stored: Stored,
  from: string | undefined,
): ResumePlan | ResumeObstacle {
  const order = orderSteps(definition).value ?? [];
  const names = order.map(({ step }) => step.name.value);
  if (from !== undefined && !names.includes(from))
    return {
      fact: `there is no step \`${from}\`${didYouMean(from, names)}`,
      help: [`the steps are ${names.join(", ")}`],
    };
  if (from === undefined && stored.hasCleanedUp)
    return {
      fact: `the cleanup of \`${definition.name.value}\` has run, so what its finished steps made may be gone`,
      help: [`say where to go on: \`--from ${names[0] ?? ""}\` runs every step again`],
    };
  const again = from === undefined ? [] : [from, ...after(from, order)];
  const before = new Set(from === undefined ? [] : needed(from, order));
  const passed = [...stored.unknown].filter((place) => before.has(stepOf(place)));
  // The queue knows more about its own items, and is asked when they are next.
  const queued = new Set(order.flatMap(({ step }) => (step.forEach?.isQueued ? [step.name.value] : [])));
  const open = [...stored.unknown].filter(
    (place) => ![again, [...before], [...queued]].some((names) => names.includes(stepOf(place))),
  );
  return open.length === 0 ? { again, passed } : unknownSteps(open, order);
}

function unknownSteps(places: readonly string[], order: StepOrder): ResumeObstacle {
  const [first = ""] = places;
  const step = stepOf(first);
  const next = order.find(({ after: waits }) => waits.includes(step))?.step.name.value;
  const they = places.length === 1 ? "it" : "they";
  return {
    fact: `\`${places.join("`, `")}\` must not run twice, and may have run: ${they} began, and no success is stored`,
    help: [
      "find out whether that was done",
      ...(next === undefined ? [] : [`if it was, \`--from ${next}\` goes on behind \`${step}\``]),
      `if it was not, \`--from ${step}\` runs it again`,
    ],
  };
}

/** Returns the steps that wait for a step, however far behind it. */
function after(name: string, order: StepOrder): readonly string[] {
  const found = new Set([name]);
  for (let count = 0; count < found.size; ) {
    count = found.size;
    for (const { step, after: waits } of order) if (waits.some((one) => found.has(one))) found.add(step.name.value);
  }
  return [...found].slice(1);
}

/** Returns the steps that a step waits for, however far before it. */
function needed(name: string, order: StepOrder): readonly string[] {
  const found = new Set([name]);
  for (const one of found)
    for (const { step, after: waits } of order) if (step.name.value === one) for (const wait of waits) found.add(wait);
  return [...found].slice(1);
}
