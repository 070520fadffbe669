// Why a sound definition cannot run here: another platform, a missing executable, a missing tool. Versions of programs
// are asked later: see program-versions.ts.
import type { Obstacle } from "./declared-needs.ts";
import type { Dependency, Requirement, ToolDefinition } from "../tool/definition.ts";
import type { Session } from "./session.ts";

/** Returns the obstacles as far as they are known without starting a program. */
export async function obstaclesTo(definition: ToolDefinition, session: Session): Promise<readonly Obstacle[]> {
  const { platforms, requires, depends } = definition;
  const found: (Obstacle | undefined)[] = [];
  if (platforms && !platforms.includes(session.host.platform))
    found.push({ reason: `it only runs on ${platforms.join(", ")}; this is ${session.host.platform}` });
  for (const requirement of requires) found.push(missingProgram(requirement, session));
  for (const dependency of depends) found.push(await toolObstacle(dependency, definition, session));
  if (
    definition.security ||
    definition.cycodVersion !== undefined ||
    (definition.kind === "steps" && definition.steps.some(({ forEach }) => forEach?.isQueued))
  )
    found.push(...(await (await import("./declared-needs.ts")).unmetNeeds(definition, session)));
  return found.filter((obstacle) => obstacle !== undefined);
}

function missingProgram({ program }: Requirement, { host }: Session): Obstacle | undefined {
  if (host.processes.find(program, host.environment("PATH") ?? "") !== undefined) return undefined;
  return {
    reason: `it needs the program \`${program}\`, which is not on PATH`,
    help: `\`dottool doctor\` says how to get \`${program}\``,
  };
}

/** Returns what is missing, or undefined if the tool exists in an accepted version. */
export async function toolObstacle(
  { tool, range }: Dependency,
  user: Pick<ToolDefinition, "name">,
  session: Session,
): Promise<Obstacle | undefined> {
  const { registry } = session;
  const found = await registry.resolve(tool);
  if (!found)
    return {
      reason: `it depends on the tool \`${tool}\`, which does not exist`,
      help: `add a definition of \`${tool}\` to a tool folder; \`dottool install --deps ${user.name.value}\` looks for a package that has it`,
    };
  if (range === undefined) return undefined;
  const { version } = found.definition;
  const help = `get a definition of \`${tool}\` that is ${range}`;
  if (version === undefined)
    return { reason: `it depends on \`${tool}\` ${range}; the installed \`${tool}\` has no \`@version\``, help };
  const { default: semver } = await import("semver");
  return semver.satisfies(version, range)
    ? undefined
    : { reason: `it depends on \`${tool}\` ${range}; the installed \`${tool}\` is ${version}`, help };
}
