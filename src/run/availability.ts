// Why a sound definition cannot run here: another platform, a missing executable, a missing tool.
import type { Dependency, Requirement, ToolDefinition } from "../tool/definition.ts";
import type { Session } from "./session.ts";

const VERSION_QUESTION_MS_MAX = 5_000;
const VERSION_BYTES_MAX = 64 * 1024;

export interface Obstacle {
  readonly reason: string;
  /** What to do, if the reason does not say it. */
  readonly help?: string;
}

interface ObstacleOptions {
  /** Whether programs may be asked for their versions. That runs them, which only a caller has agreed to. */
  readonly asksVersions: boolean;
}

/** Returns the obstacles. Empty if it is available, as far as that was checked. */
export async function unavailableReasons(definition: ToolDefinition, session: Session): Promise<readonly string[]> {
  return (await obstaclesTo(definition, session, { asksVersions: true })).map(({ reason }) => reason);
}

export async function obstaclesTo(
  definition: ToolDefinition,
  session: Session,
  options: ObstacleOptions,
): Promise<readonly Obstacle[]> {
  const { platforms, requires, depends } = definition;
  const found: (Obstacle | undefined)[] = [];
  if (platforms && !platforms.includes(session.host.platform))
    found.push({ reason: `it only runs on ${platforms.join(", ")}; this is ${session.host.platform}` });
  for (const requirement of requires) found.push(await missingProgram(requirement, session, options));
  for (const dependency of depends) found.push(await toolObstacle(dependency, definition, session));
  if (
    definition.security ||
    definition.cycodVersion !== undefined ||
    (definition.kind === "steps" && definition.steps.some(({ forEach }) => forEach?.isQueued))
  )
    found.push(...(await (await import("./declared-needs.ts")).unmetNeeds(definition, session)));
  return found.filter((obstacle) => obstacle !== undefined);
}

/** Returns notes on version ranges of installed programs that were not checked. */
export function unaskedVersions({ requires }: ToolDefinition, { host }: Session): readonly string[] {
  const path = host.environment("PATH") ?? "";
  return requires.flatMap(({ program, range }) =>
    range === undefined || host.processes.find(program, path) === undefined
      ? []
      : [`\`${program}\` must be ${range}; its version was not checked`],
  );
}

async function missingProgram(
  { program, range }: Requirement,
  session: Session,
  { asksVersions }: ObstacleOptions,
): Promise<Obstacle | undefined> {
  const found = session.host.processes.find(program, session.host.environment("PATH") ?? "");
  if (found === undefined)
    return {
      reason: `it needs the program \`${program}\`, which is not on PATH`,
      help: `\`dottool doctor\` says how to get \`${program}\``,
    };
  if (range === undefined || !asksVersions) return undefined;
  const version = await programVersion(found, session);
  const { default: semver } = await import("semver");
  const parsed = semver.coerce(version ?? "");
  const help = `install \`${program}\` ${range}`;
  if (parsed === null)
    return { reason: `it needs \`${program}\` ${range}, but \`${program} --version\` prints no version`, help };
  return semver.satisfies(parsed, range)
    ? undefined
    : { reason: `it needs \`${program}\` ${range}; \`${found}\` is ${parsed.version}`, help };
}

/** Asks the program once for each session. */
async function programVersion(path: string, session: Session): Promise<string | undefined> {
  const key = `version of ${path}`;
  const known = session.memory.get(key);
  if (typeof known === "string") return known;
  const chunks: Uint8Array[] = [];
  const stop = new AbortController();
  const late = session.host.sleep(VERSION_QUESTION_MS_MAX, stop.signal).then(
    () => stop.abort(),
    () => undefined,
  );
  await session.host.processes.run({
    argv: [path, "--version"],
    cwd: session.cwd,
    environment: { PATH: session.host.environment("PATH") ?? "" },
    signal: stop.signal,
    outputBytesMax: VERSION_BYTES_MAX,
    onOutput: (_stream, bytes) => void chunks.push(bytes),
  });
  stop.abort();
  await late;
  const text = chunks.map((chunk) => new TextDecoder().decode(chunk)).join("");
  session.memory.set(key, text);
  return text;
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
