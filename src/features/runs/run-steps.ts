// The steps of a stored run, as far as the store tells: a step runs if it is its turn and it has not ended.
import type { Host } from "../../core/tool/host.ts";
import { readSteps, stepOf } from "./journal-file.ts";
import type { Run, RunState } from "./run-record.ts";

export interface RunStep {
  readonly name: string;
  /** Names of the steps that it waits for. */
  readonly after: readonly string[];
  /** `unknown`: it must not run twice, and it is not known whether it ran. */
  readonly state: "waiting" | "running" | "done" | "skipped" | "failed" | "stopped" | "unknown";
  /** ISO 8601. Absent: it has not ended. */
  readonly endedAt?: string;
  /** The number of items that have ended, of a step that runs for each item of a list. */
  readonly items?: number;
}

/** Returns no steps if the run has none, or what is stored of them is damaged. */
export function stepsOfRun({ record, state, end }: Run, host: Host): readonly RunStep[] {
  const stored = readSteps(record.id, host);
  const { steps = [] } = record;
  if ("brokenLine" in stored) return [];
  const places = [...stored.endedAt.keys()];
  const itemsOf = (name: string): number => places.filter((place) => place !== name && stepOf(place) === name).length;
  const hasEnded = (name: string): boolean => stored.endedAt.has(name);
  const begun = steps.filter(({ name }) => hasEnded(name) || itemsOf(name) > 0);
  // What another step has waited for has ended, or was skipped.
  const waitedFor = new Set(state === "done" ? steps.map(({ name }) => name) : begun.flatMap(({ after }) => after));
  // Another step's failure has stopped it.
  const atTurn = end?.failedStep === undefined ? stateAtTurn[state] : "stopped";
  const stateOf = (name: string, after: readonly string[]): RunStep["state"] => {
    if ([...stored.unknown].some((place) => stepOf(place) === name)) return state === "running" ? "running" : "unknown";
    if (name === end?.failedStep || stored.outcomes.get(name)?.status === "failed") return "failed";
    if (hasEnded(name)) return "done";
    if (waitedFor.has(name)) return itemsOf(name) > 0 ? "done" : "skipped";
    return after.every((one) => hasEnded(one) || waitedFor.has(one)) ? atTurn : "waiting";
  };
  return steps.map(({ name, after }) => {
    const [endedAt, items] = [stored.endedAt.get(name), itemsOf(name)];
    return {
      name,
      after,
      state: stateOf(name, after),
      ...(endedAt === undefined ? {} : { endedAt }),
      ...(items === 0 ? {} : { items }),
    };
  });
}

const stateAtTurn: Readonly<Record<RunState, RunStep["state"]>> = {
  running: "running",
  failed: "failed",
  cancelled: "stopped",
  lost: "stopped",
  done: "skipped",
};
