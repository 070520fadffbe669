// What the processes of a call may reach: as the definition says, as the user's settings ask at least, and never more
// than the call above it may. Loaded only for calls that are confined.
import type { SandboxSettings } from "../../core/base/sandbox-settings.ts";
import { declaredHosts, pathsOfCall, writtenReads, writtenWrites } from "../../core/policy/declared-paths.ts";
import { type Confinement, PROCESSES_MAX, type SandboxLevel, sandboxLevels } from "../../core/tool/confinement.ts";
import type { DeclaredSecurity, Effect } from "../../core/tool/definition.ts";
import { languageOf } from "../../core/text/source-language.ts";
import { type CallLimits, isUnapproved, type PreparedCall, type Tool } from "../../core/tool/tool.ts";
import { ceilingOf, underCeiling, whyGuarded, within } from "../../core/run/ceiling.ts";
import { placeOptions } from "../../core/run/permit.ts";
import type { CallSandbox } from "../../core/run/call-tool.ts";
import type { Session } from "../../core/run/session.ts";

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
  // No call gets another sandbox than the one above it: `custom` may be weaker. Only what nobody approved always gets
  // `strict`, the one whose limits are ours.
  const level = isHeld ? declared : (parent?.level ?? highest([declared, askedLevel(settings, tool.effects)]));
  if (level === "none") return { level, limits };
  const guarded = isHeld ? whyGuarded(placeOptions(session)) : undefined;
  if (guarded !== undefined)
    return {
      level,
      limits,
      failure: {
        kind: "unavailable",
        tool: call.tool,
        reasons: [`no person has approved it, and the working folder ${guarded}`],
        help: ["call it in another folder, or approve its package"],
      },
    };
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
  const place = { cwd: session.cwd, host: session.host };
  const writes = writtenWrites(security);
  const mayWrite = effects.includes("write") || (!isDeclared && !onlyReads(effects));
  const hosts = declaredHosts(security);
  const isImplied =
    !isDeclared || (mayWrite && writes.length === 0) || (hosts.length === 0 && effects.includes("network"));
  const widenedBy = whereWidened(tool.definition, parent, isHeld);
  const asked: Confinement = {
    level,
    folder: session.cwd,
    // Where no path is declared, a tool that may write may write in the working folder.
    writes: writes.length > 0 ? pathsOfCall(writes, args, place) : mayWrite ? [session.cwd] : [],
    reads: [...(settings?.reads ?? []), ...pathsOfCall(writtenReads(security), args, place)],
    hosts: hosts.length > 0 ? hosts : effects.includes("network") ? ["*"] : [],
    ...(settings?.isBestEffort && !isHeld ? { isBestEffort: true as const } : {}),
    ...(level === "custom" && settings?.prefix ? { prefix: settings.prefix } : {}),
    ...(isImplied ? { isImplied: true as const } : {}),
    ...(widenedBy ? { widenedBy } : {}),
  };
  const own = isHeld ? underCeiling(asked, ceilingOf(session.cwd, settings), placeOptions(session)) : asked;
  return { level, limits, confinement: parent ? within(own, parent) : own };
}

/** A command of a step is as wide as the definition with the step; in the sandbox of another tool, both count. */
function whereWidened(
  { origin, security }: Tool["definition"],
  parent: Confinement | undefined,
  isHeld: boolean,
): Confinement["widenedBy"] {
  if (isHeld || (parent && security)) return undefined;
  if (parent) return parent.widenedBy;
  if (origin.kind !== "file") return undefined;
  return languageOf(origin.source) === "yaml" ? "keys" : "annotations";
}

function highest(all: readonly SandboxLevel[]): SandboxLevel {
  return sandboxLevels.findLast((one) => all.includes(one)) ?? "none";
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
