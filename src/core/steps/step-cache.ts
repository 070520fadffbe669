// Caches the output of a step for later runs with the same values: `[cache=1h]`. It is for this user alone, and is
// dropped silently.
import { join } from "node:path";
import type { JsonObject } from "../schema/json.ts";
import { readCheckedFile, withChecksum } from "../store/checked-file.ts";
import type { Outcome } from "../tool/call.ts";
import type { Host } from "../tool/host.ts";
import type { Step } from "../tool/step.ts";

const KEPT_BYTES_MAX = 16 * 1024 * 1024;
const FILES_MAX = 500;
/** The longest time that `cache` accepts. */
const AGE_MS_MAX = 25 * 24 * 60 * 60 * 1000;

const FORMAT = { name: "step", version: 1 };

interface Kept {
  readonly key: string;
  readonly keptMs: number;
  readonly outcome: Outcome & { readonly status: "ok" };
}

interface CachedStep {
  /** The identity of the tool: see `StepsPlan`. */
  readonly identity: string;
  readonly step: Step;
  /** The values that the step reads. */
  readonly values: JsonObject;
  readonly cwd: string;
  /** The provider that answers prompts, whatever their texts. */
  readonly provider: string | undefined;
}

/** Returns the cache key: what a step does, and with which values. */
export function cacheKey({ identity, step, values, cwd, provider }: CachedStep, host: Host): string {
  return host.sha256(JSON.stringify([identity, step.name.value, values, cwd, provider ?? null]));
}

export function keptOutcome(key: string, cacheMs: number, host: Host): Outcome | undefined {
  try {
    const read = readCheckedFile(fileOf(key, host), { host, format: FORMAT, bytesMax: KEPT_BYTES_MAX });
    if (read.kind !== "content") return undefined;
    const kept = JSON.parse(new TextDecoder().decode(read.bytes)) as Kept;
    // An undamaged file may have the name of another.
    if (kept.key !== key) return undefined;
    const ageMs = Date.parse(host.timestamp()) - kept.keptMs;
    return ageMs >= 0 && ageMs <= cacheMs ? kept.outcome : undefined;
  } catch {
    return undefined;
  }
}

export function keepOutcome(key: string, outcome: Outcome, host: Host): void {
  if (outcome.status === "failed") return;
  try {
    const text = JSON.stringify({ key, keptMs: Date.parse(host.timestamp()), outcome } satisfies Kept);
    if (text.length > KEPT_BYTES_MAX) return;
    host.instant.replace(fileOf(key, host), withChecksum(FORMAT, text));
    // A later run removes what this one could not.
    void removeOld(host).catch(() => undefined);
  } catch {
    // On a full disk, only the next run takes longer.
  }
}

function folderOf(host: Host): string {
  return join(host.folders.cache, "steps");
}

function fileOf(key: string, host: Host): string {
  return join(folderOf(host), `${key}.json`);
}

async function removeOld(host: Host): Promise<void> {
  const names = host.instant.list(folderOf(host)).filter(({ kind, name }) => kind === "file" && name.endsWith(".json"));
  if (names.length <= FILES_MAX) return;
  const nowMs = Date.parse(host.timestamp());
  const files = names
    .map(({ name }) => ({
      path: join(folderOf(host), name),
      mtimeMs: host.instant.stat(join(folderOf(host), name))?.mtimeMs ?? 0,
    }))
    .sort((one, other) => one.mtimeMs - other.mtimeMs);
  const surplus = files.length - FILES_MAX;
  for (const [index, { path, mtimeMs }] of files.entries())
    if (index < surplus || nowMs - mtimeMs > AGE_MS_MAX) await host.files.remove(path).catch(() => undefined);
}
