// Makes room for stored output: removes what is older than a week, then the oldest.
import { join } from "node:path";
import { isKeptFileName, KEPT_BYTES_MAX, keptFile, keptFolder } from "../base/kept-output.ts";
import type { Host } from "../tool/host.ts";

const AGE_MS_MAX = 7 * 24 * 60 * 60 * 1000;
/** The largest number of entries that are tidied at once: other programs may have filled the folder with more. */
const FILES_MAX = 10_000;

export interface RoomOptions {
  readonly neededBytes: number;
  /** The handle for which there must be room. */
  readonly except: string;
}

/** Removes what is older than a week, then the oldest until `neededBytes` more have room. */
export async function removeOld(host: Host, { neededBytes, except }: RoomOptions): Promise<void> {
  const folder = keptFolder(host.folders);
  const own = keptFile(host.folders, except);
  const nowMs = Date.parse(host.timestamp());
  const names = (await host.files.list(folder))
    .filter((entry) => entry.kind === "file" && isKeptFileName(entry.name))
    .slice(0, FILES_MAX);
  const kept = [];
  for (const { name } of names) {
    const path = join(folder, name);
    const stat = path === own ? undefined : await host.files.stat(path);
    if (stat) kept.push({ path, sizeBytes: stat.sizeBytes, mtimeMs: stat.mtimeMs });
  }
  kept.sort((a, b) => a.mtimeMs - b.mtimeMs);
  let totalBytes = kept.reduce((sum, file) => sum + file.sizeBytes, neededBytes);
  for (const { path, sizeBytes, mtimeMs } of kept) {
    if (totalBytes <= KEPT_BYTES_MAX && nowMs - mtimeMs <= AGE_MS_MAX) break;
    await host.files.remove(path);
    totalBytes -= sizeBytes;
  }
}
