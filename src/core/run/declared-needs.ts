// The requirements of a definition besides programs and tools: rights, isolation, a newer reader. One that cannot be
// met is reported, never ignored.
import type { ToolDefinition } from "../tool/definition.ts";
import type { Step } from "../tool/step.ts";
import type { Session } from "./session.ts";

/** The version of CYCOD whose custom-tools YAML is read. */
const CYCOD_VERSION = "1.0.0";

export async function unmetNeeds(
  definition: ToolDefinition,
  { setting }: Pick<Session, "setting">,
): Promise<readonly Obstacle[]> {
  const { security, cycodVersion } = definition;
  const found: Obstacle[] = [];
  const [queued] = queuedSteps(definition);
  if (queued && ((await setting("queue.address")) ?? "") === "") found.push(noQueue(queued));
  if (security?.privilege === "elevated")
    found.push({
      reason: "it asks for elevated rights, and a tool gets no more rights than its caller has",
      help: "run dottool itself with those rights, and write `same-as-user` in the definition",
    });
  if (cycodVersion !== undefined && (await isNewer(cycodVersion)))
    found.push({
      reason: `it is written for CYCOD ${cycodVersion}; dottool reads the format of ${CYCOD_VERSION}`,
      help: "lower `min-cycod-version` if it needs nothing newer",
    });
  return found;
}

export function queuedSteps(definition: ToolDefinition): readonly Step[] {
  return definition.kind === "steps" ? definition.steps.filter(({ forEach }) => forEach?.isQueued) : [];
}

export function noQueue({ name }: Step): Obstacle {
  return {
    reason: `the step \`${name.value}\` needs a queue, and none is set`,
    help: "set DOTTOOL_QUEUE to its address, such as `redis://HOST`, or write `queue: {address: redis://HOST}` in your `config.yaml`",
  };
}

async function isNewer(version: string): Promise<boolean> {
  const { default: semver } = await import("semver");
  return semver.gt(version, CYCOD_VERSION);
}

export interface Obstacle {
  readonly reason: string;
  /** What to do, if the reason does not say it. */
  readonly help?: string;
}
