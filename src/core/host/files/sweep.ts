// Removes the temporary files that killed writers have left in a folder: those of this system at once, those of other
// systems, containers and earlier starts when they are too old to belong to a write that goes on.
import fs from "node:fs";
import { join } from "node:path";
import { readTemporaryName, systemMark, temporaryName } from "../../tool/temporary-name.ts";
import { identity, isRunning } from "../processes/process-identity.ts";
import { randomId } from "../random-id.ts";

const AGE_MS_MAX = 60 * 60 * 1000;
/** How many folders are remembered as swept. */
const FOLDERS_MAX = 1_000;

const swept = new Set<string>();

/** Sweeps the folder unless this process has already done so. */
export function sweepOnce(folder: string): void {
  if (swept.has(folder)) return;
  if (swept.size >= FOLDERS_MAX) swept.clear();
  swept.add(folder);
  sweep(folder, undefined);
}

/** Removes leftovers; old contents only of the file that `keptOf` names, because another one may need them. */
export function sweep(folder: string, keptOf: string | undefined): void {
  for (const name of namesIn(folder)) {
    const file = name.startsWith(".dottool-") ? readTemporaryName(name) : undefined;
    if (file && file.keptOf === keptOf && isLeft(join(folder, name), file)) removeLeftover(join(folder, name));
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

function isLeft(path: string, { processId, system }: NonNullable<ReturnType<typeof readTemporaryName>>): boolean {
  const { start: _start, ...here } = identity();
  if (processId !== undefined && system !== "0" && system === systemMark(here))
    return isRunning({ ...here, processId }) === false;
  const found = fs.lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && Math.abs(Date.now() - found.mtimeMs) > AGE_MS_MAX;
}

/** Removes a temporary file. Errors are ignored, because only the result of the write matters. */
export function removeLeftover(temporary: string): void {
  try {
    // Removed without a check, which may fail even if the removal does not.
    fs.unlinkSync(temporary);
  } catch {
    // If it stays, its name says whose it is.
  }
}

export function newTemporaryName(): string {
  return temporaryName(identity(), randomId());
}
