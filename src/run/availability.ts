// Why a sound definition cannot run here: another platform, a missing executable, a missing tool.
import type { Dependency, Requirement, ToolDefinition } from "../tool/definition.ts";
import { type Session } from "./session.ts";

const VERSION_QUESTION_MS_MAX = 5_000;
const VERSION_BYTES_MAX = 64 * 1024;

/** Empty: available. Ranges are compared only where the definition gives one, because asking a program for its version is a process. */
export async function unavailableReasons(definition: ToolDefinition, session: Session): Promise<readonly string[]> {
  const reasons: string[] = [];
  const { platforms, requires, depends } = definition;
  if (platforms && !platforms.includes(session.host.platform)) reasons.push(`it is for ${platforms.join(", ")}; this is ${session.host.platform}`);
  for (const requirement of requires) {
    const reason = await missingProgram(requirement, session);
    if (reason !== undefined) reasons.push(reason);
  }
  for (const dependency of depends) {
    const reason = await missingTool(dependency, session);
    if (reason !== undefined) reasons.push(reason);
  }
  return reasons;
}

async function missingProgram(requirement: Requirement, session: Session): Promise<string | undefined> {
  const { program, range } = requirement;
  const found = session.host.processes.find(program, session.host.environment("PATH") ?? "");
  if (found === undefined) return `it needs the program \`${program}\`, which is not on PATH`;
  if (range === undefined) return undefined;
  const version = await programVersion(found, session);
  const { default: semver } = await import("semver");
  const parsed = semver.coerce(version ?? "");
  if (parsed === null) return `it needs \`${program}\` ${range}, and \`${program} --version\` names no version`;
  return semver.satisfies(parsed, range) ? undefined : `it needs \`${program}\` ${range}; \`${found}\` is ${parsed.version}`;
}

/** Asked once a session. */
async function programVersion(path: string, session: Session): Promise<string | undefined> {
  const key = `version of ${path}`;
  const known = session.memory.get(key);
  if (typeof known === "string") return known;
  const chunks: Uint8Array[] = [];
  const stop = new AbortController();
  const late = session.host.sleep(VERSION_QUESTION_MS_MAX, stop.signal).then(() => stop.abort(), () => undefined);
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

async function missingTool(dependency: Dependency, session: Session): Promise<string | undefined> {
  const { tool, range } = dependency;
  const found = await session.registry.resolve(tool);
  if (!found) return `it depends on the tool \`${tool}\`, which is not there; add its definition to a tool folder`;
  if (range === undefined) return undefined;
  const { version } = found.definition;
  if (version === undefined) return `it depends on \`${tool}\` ${range}; the \`${tool}\` that is there has no \`@version\``;
  const { default: semver } = await import("semver");
  return semver.satisfies(version, range) ? undefined : `it depends on \`${tool}\` ${range}; the \`${tool}\` that is there is ${version}`;
}
