// Removes stored packages that no project has used for a month, so that the store does not grow without end. Until then,
// another branch that locks them needs no network.
import { join } from "node:path";
import {
  installedRecords,
  readInstalled,
  storedFolderOf,
  storeFolderOf,
  writeInstalled,
} from "./installed-packages.ts";
import type { InstalledPackage } from "../../core/catalog/package-folder.ts";
import { withRulesBefore } from "./package-rules.ts";
import type { Host } from "../../core/tool/host.ts";

const UNUSED_MS_MAX = 30 * 24 * 60 * 60 * 1000;
/** So that a stored package which is about to be installed is not removed by another process. */
const FRESH_MS = 24 * 60 * 60 * 1000;

/** Removes what is not used, and the records of projects that are gone. Changes nothing while a record is unreadable. */
export async function pruneStore(host: Host): Promise<void> {
  const store = storeFolderOf(host);
  if (!host.instant.stat(store)) return;
  const records = installedRecords(host);
  if (!records) return;
  const used = new Set<string>();
  for (const { path, folder, packages } of records)
    if (host.instant.stat(folder) || !isOlderThan(UNUSED_MS_MAX, path, host))
      for (const { content } of packages) used.add(content);
    else host.instant.remove(path);
  for (const name of host.instant.names(store))
    if (!used.has(name) && isOlderThan(UNUSED_MS_MAX, join(store, name), host))
      await host.files.remove(join(store, name));
}

/** Replaces the record of what is installed. The month of what is not used any more begins now. */
export function replaceInstalled(folder: string, packages: readonly InstalledPackage[], host: Host): void {
  const before = readInstalled(folder, host).packages;
  writeInstalled(folder, withRulesBefore(packages, before, host), host);
  for (const { content } of [...before, ...packages]) markUsed(content, host);
}

export function markUsed(content: string, host: Host): void {
  const folder = storedFolderOf(content, host);
  if (host.instant.stat(folder) && isOlderThan(FRESH_MS, folder, host)) host.shared.touch(folder);
}

function isOlderThan(ageMs: number, path: string, host: Host): boolean {
  const stat = host.instant.stat(path);
  return stat !== undefined && Date.parse(host.timestamp()) - stat.mtimeMs > ageMs;
}
