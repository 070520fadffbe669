// The versions of programs that a definition requires. To ask for one starts the program, so it is asked after the call
// is permitted, in what the call itself runs in, and only of programs of the system. Loaded only for such definitions.
import semver from "semver";
import { dirname } from "node:path";
import type { Outcome } from "../tool/call.ts";
import type { Confinement } from "../tool/confinement.ts";
import type { Requirement, ToolDefinition } from "../tool/definition.ts";
import type { Failure } from "../tool/failure.ts";
import { isUnapproved, type Tool } from "../tool/tool.ts";
import type { Session } from "./session.ts";

const VERSION_QUESTION_MS_MAX = 5_000;
const VERSION_BYTES_MAX = 64 * 1024;

/** Where systems and their package managers have programs. A project or a person may have any other folder on PATH. */
const SYSTEM_FOLDERS: ReadonlySet<string> = new Set([
  "/usr/bin",
  "/bin",
  "/usr/sbin",
  "/sbin",
  "/usr/local/bin",
  "/usr/local/sbin",
  "/opt/homebrew/bin",
  "/opt/local/bin",
  "/snap/bin",
  "/run/current-system/sw/bin",
]);
const WINDOWS_SYSTEM_FOLDER = /^C:\\(?:Windows|Program Files(?: \(x86\))?)(?:\\|$)/i;

interface VersionPlace {
  readonly session: Session;
  readonly signal: AbortSignal;
  /** What the call runs in. Absent: no sandbox. */
  readonly confinement: Confinement | undefined;
}

interface Versions {
  /** Returns a failure if a program has another version; what may not be asked counts as right. */
  wrong(): Promise<Failure | undefined>;
  /** Adds to a failure the versions that were not checked, which may be its reason. */
  noted(outcome: Outcome): Outcome;
}

export function versionsFor(tool: Tool, place: VersionPlace): Versions {
  return {
    wrong: () => wrongVersions(tool, place),
    noted: (outcome) =>
      outcome.status === "failed" && outcome.failure.kind === "exit"
        ? {
            ...outcome,
            failure: { ...outcome.failure, help: [...(outcome.failure.help ?? []), ...unasked(tool, place)] },
          }
        : outcome,
  };
}

async function wrongVersions(tool: Tool, place: VersionPlace): Promise<Failure | undefined> {
  const found: { readonly reason: string; readonly help: string }[] = [];
  for (const { program, range } of tool.definition.requires) {
    const path = askablePath(program, tool, place);
    const version = range === undefined || path === undefined ? undefined : await programVersion(path, place);
    if (range === undefined || version === undefined) continue;
    const parsed = semver.coerce(version);
    if (parsed !== null && semver.satisfies(parsed, range)) continue;
    const reason =
      parsed === null
        ? `it needs \`${program}\` ${range}, but \`${program} --version\` prints no version`
        : `it needs \`${program}\` ${range}; \`${path}\` is ${parsed.version}`;
    found.push({ reason, help: `install \`${program}\` ${range}` });
  }
  return found.length === 0
    ? undefined
    : {
        kind: "unavailable",
        tool: tool.definition.name.value,
        reasons: found.map(({ reason }) => reason),
        help: found.map(({ help }) => help),
      };
}

function unasked(tool: Tool, place: VersionPlace): readonly string[] {
  return tool.definition.requires
    .filter(({ program, range }) => range !== undefined && askablePath(program, tool, place) === undefined)
    .map(uncheckedText);
}

/** Returns notes on version ranges of installed programs, none of which is checked. */
export function unaskedVersions({ requires }: ToolDefinition, { host }: Session): readonly string[] {
  const path = host.environment("PATH") ?? "";
  return requires
    .filter(({ program, range }) => range !== undefined && host.processes.find(program, path) !== undefined)
    .map(uncheckedText);
}

function uncheckedText({ program, range }: Requirement): string {
  return `\`${program}\` must be ${range}; its version was not checked`;
}

/** Returns the path of a program that may be asked: one of the system, for a definition that a person has reviewed. */
function askablePath(program: string, tool: Tool, { session, confinement }: VersionPlace): string | undefined {
  const { host } = session;
  const isHeld = session.confinement !== undefined || isUnapproved(tool) || tool.definition.origin.kind === "forged";
  // In a container of the user's, other programs are installed.
  if (isHeld || confinement?.level === "custom") return undefined;
  const path = host.processes.find(program, host.environment("PATH") ?? "");
  if (path === undefined) return undefined;
  const isOfSystem = host.platform === "windows" ? WINDOWS_SYSTEM_FOLDER.test(path) : SYSTEM_FOLDERS.has(dirname(path));
  return isOfSystem && !/[/\\]/.test(program) ? path : undefined;
}

/**
 * Asks the program once for each session. Some read settings of the folder where they run, so without a sandbox that is
 * the home folder. Returns undefined if it cannot be started; then the call says why.
 */
async function programVersion(
  path: string,
  { session, signal, confinement }: VersionPlace,
): Promise<string | undefined> {
  const key = `version of ${path}`;
  const known = session.memory.get(key);
  if (typeof known === "string") return known;
  const chunks: Uint8Array[] = [];
  const stop = new AbortController();
  const late = session.host.sleep(VERSION_QUESTION_MS_MAX, stop.signal).then(
    () => stop.abort(),
    () => undefined,
  );
  const result = await session.host.processes.run({
    argv: [path, "--version"],
    cwd: confinement?.folder ?? session.host.folders.home,
    environment: { PATH: session.host.environment("PATH") ?? "" },
    signal: AbortSignal.any([stop.signal, signal]),
    outputBytesMax: VERSION_BYTES_MAX,
    onOutput: (_stream, bytes) => void chunks.push(bytes),
    confinement: confinement ? { ...confinement, writes: [], hosts: [] } : { unconfined: "trusted" },
  });
  stop.abort();
  await late;
  if (result.kind !== "exited") return undefined;
  const text = chunks.map((chunk) => new TextDecoder().decode(chunk)).join("");
  session.memory.set(key, text);
  return text;
}
