// Removes runs that have ended, so that the store does not grow without end.
import { join } from "node:path";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host } from "../../core/tool/host.ts";
import { isLockHeld } from "../../core/store/lock-file.ts";
import { runFile, runIds, runsFolder } from "./run-record.ts";

const RUNS_MAX = 200;
const AGE_MS_MAX = 30 * 24 * 60 * 60 * 1000;
/** Clients are promised that the results of their calls stay that long. */
export const KEPT_MS_MIN = 60 * 60 * 1000;
const BYTES_MAX = 1024 * 1024 * 1024;

/** Removes the oldest ended runs beyond the limits of number, age and size. */
export async function pruneByDefault(host: Host): Promise<void> {
  const nowMs = Date.parse(host.timestamp());
  let bytes = 0;
  for (const [index, id] of runIds(host).entries()) {
    bytes += sizeOf(id, host);
    const ageMs = nowMs - startMsOf(id);
    if (ageMs > AGE_MS_MAX || (ageMs > KEPT_MS_MIN && (index >= RUNS_MAX || bytes > BYTES_MAX)))
      await removeRun(id, host);
  }
}

/** Removes a run unless it is running. Returns whether it is gone. Throws the errors of the file system. */
export async function removeRun(id: string, host: Host): Promise<boolean> {
  if (isLockHeld(runFile(id, "lock", host), host)) return false;
  await host.files.remove(join(runsFolder(host), id));
  return true;
}

/** Returns when the run was started, in milliseconds since 1970, as its id says. */
export function startMsOf(id: string): number {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)/.exec(id) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

function sizeOf(id: string, host: Host): number {
  try {
    return host.instant
      .names(join(runsFolder(host), id))
      .reduce((sum, name) => sum + (host.instant.stat(join(runsFolder(host), id, name))?.sizeBytes ?? 0), 0);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return 0;
  }
}
