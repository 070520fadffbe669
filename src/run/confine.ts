// What the processes of a call may reach: as the definition says, as the user's settings ask at least, and never more
// than the call above it may. Loaded only for calls that are confined.
import { resolve } from "node:path";
import type { SandboxSettings } from "../base/sandbox-settings.ts";
import type { JsonObject } from "../schema/json.ts";
import { type Confinement, PROCESSES_MAX, type SandboxLevel } from "../tool/confinement.ts";
import type { DeclaredSecurity, Effect } from "../tool/definition.ts";
import type { Failure } from "../tool/failure.ts";
import type { CallLimits, PreparedCall } from "../tool/tool.ts";
import { isUnapproved } from "../tool/unapproved.ts";
import type { Session } from "./session.ts";

export interface CallSandbox {
  /** Absent for the levels `none` and `limits`. */
  readonly confinement?: Confinement;
  readonly limits: CallLimits;
  readonly failure?: Failure;
}

interface Confined extends CallSandbox {
  readonly level: SandboxLevel;
}

/** What a command gets at the level `limits` if nothing else is declared. */
const MEMORY_BYTES_MAX = 2 * 1024 * 1024 * 1024;
const CPU_MS_MAX = 60_000;

export async function confine(
  { tool, arguments: args, call }: PreparedCall,
  limits: CallLimits,
  { session, parent }: { readonly session: Session; readonly parent: Confinement | undefined },
): Promise<Confined> {
  const settings = await session.sandboxSettings?.();
  const { security } = tool.definition;
  const isHeld = isUnapproved(tool);
  const declared = isHeld ? "strict" : declaredLevel(security);
  // No call gets another sandbox than the one above it: `custom` may be weaker.
  const level = parent?.level ?? (isHeld ? declared : highest([declared, askedLevel(settings, tool.effects)]));
  if (level === "none") return { level, limits };
  if (level === "limits")
    return {
      level,
      limits: { memoryBytesMax: MEMORY_BYTES_MAX, cpuMsMax: CPU_MS_MAX, processesMax: PROCESSES_MAX, ...limits },
    };
  if (level === "custom" && !settings?.prefix)
    return {
      level,
      limits,
      failure: {
        kind: "unavailable",
        tool: call.tool,
        reasons: ["it asks for a container or a sandbox of yours, and none is configured"],
        help: [
          'set the words before the command in your `config.yaml`, such as `sandbox: {custom: [docker, run, --rm, -i, --network, none, -v, "{folder}:{folder}:ro", -w, "{cwd}", IMAGE]}`',
        ],
      },
    };
  // An author who asks for the sandbox says what it lets through; a tool that the user puts there gets what it is known
  // to need.
  const isDeclared = declared === "strict" || declared === "custom";
  const effects = isDeclared ? tool.definition.declaredEffects : tool.effects;
  const own: Confinement = {
    level,
    folder: session.cwd,
    writes: writesOf(security, {
      args,
      cwd: session.cwd,
      mayWrite: effects.includes("write") || (!isDeclared && !onlyReads(effects)),
    }),
    reads: [
      ...(settings?.reads ?? []),
      ...permitted(security, "filesystem:read").map((path) => resolve(session.cwd, path)),
    ],
    hosts: hostsOf(security, effects),
    ...(settings?.isBestEffort ? { isBestEffort: true as const } : {}),
    ...(level === "custom" && settings?.prefix ? { prefix: settings.prefix } : {}),
  };
  return { level, limits, confinement: parent ? within(own, parent) : own };
}

const levels: readonly SandboxLevel[] = ["none", "limits", "strict", "custom"];

function highest(all: readonly SandboxLevel[]): SandboxLevel {
  return levels.findLast((one) => all.includes(one)) ?? "none";
}

function declaredLevel(security: DeclaredSecurity | undefined): SandboxLevel {
  return highest([
    security?.sandbox ?? "none",
    security?.privilege === "reduced" ? "strict" : "none",
    security?.isolation === "container" ? "custom" : "none",
  ]);
}

/** A tool that only reads may be held to it by the user's settings. */
function askedLevel(settings: SandboxSettings | undefined, effects: readonly Effect[]): SandboxLevel {
  if (!settings) return "none";
  return highest([settings.level, onlyReads(effects) ? settings.readTools : "none"]);
}

function onlyReads(effects: readonly Effect[]): boolean {
  return effects.length > 0 && effects.every((effect) => effect === "read" || effect === "network");
}

interface Writing {
  readonly args: JsonObject;
  readonly cwd: string;
  /** Whether the working folder may be written where no path is declared. */
  readonly mayWrite: boolean;
}

/** Returns what may be written: the declared paths, else the working folder if the tool may write. */
function writesOf(security: DeclaredSecurity | undefined, { args, cwd, mayWrite }: Writing): readonly string[] {
  const paths = [...(security?.writes ?? []), ...permitted(security, "filesystem:write")];
  if (paths.length > 0) return paths.flatMap((path) => filled(path, args)).map((path) => absolute(path, cwd));
  return mayWrite ? [cwd] : [];
}

/** Keeps the `/` that ends a folder which may be made. */
function absolute(path: string, cwd: string): string {
  const full = resolve(cwd, path);
  return path.endsWith("/") && full !== "/" ? `${full}/` : full;
}

/** Returns the path for each value; none if a value is missing. */
function filled(path: string, args: JsonObject): readonly string[] {
  const match = /\{([^{}]*)\}/.exec(path);
  if (!match) return [path];
  const value = args[match[1] ?? ""];
  const texts = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string");
  return texts.flatMap((text) => {
    const [before, after] = [path.slice(0, match.index), path.slice(match.index + match[0].length)];
    return filled(after, args).map((rest) => before + text + rest);
  });
}

function hostsOf(security: DeclaredSecurity | undefined, effects: readonly Effect[]): readonly string[] {
  const named = [...(security?.hosts ?? []), ...permitted(security, "network:external")];
  return named.length > 0 ? named : effects.includes("network") ? ["*"] : [];
}

/** Returns the paths or hosts of permissions such as `filesystem:write:PATH`. */
function permitted(security: DeclaredSecurity | undefined, kind: string): readonly string[] {
  return (security?.permissions ?? []).flatMap((permission) =>
    permission.startsWith(`${kind}:`) ? [permission.slice(kind.length + 1)] : [],
  );
}

/** Returns the sandbox of a call within another one. */
function within(own: Confinement, parent: Confinement): Confinement {
  const isBelow = (path: string): boolean => parent.writes.some((one) => isIn(path, one));
  const allows = (host: string): boolean => parent.hosts.includes("*") || parent.hosts.includes(host);
  const { isBestEffort: _isBestEffort, ...rest } = own;
  return {
    ...rest,
    folder: parent.folder,
    writes: [
      ...own.writes.filter(isBelow),
      ...parent.writes.filter((path) => own.writes.some((one) => isIn(path, one))),
    ],
    reads: own.reads.filter((path) => parent.reads.includes(path)),
    hosts: own.hosts.includes("*") ? parent.hosts : own.hosts.filter(allows),
    ...(own.isBestEffort && parent.isBestEffort ? { isBestEffort: true as const } : {}),
  };
}

function isIn(path: string, folder: string): boolean {
  const base = folder.replace(/(.)\/$/, "$1");
  return path === folder || path === base || path.startsWith(`${base}/`);
}
