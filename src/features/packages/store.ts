// The files of packages in the state folder, by their content: written beside their place, and renamed into it whole.
import { dirname, join } from "node:path";
import { packagesFolderOf, storedFolderOf } from "./installed-packages.ts";
import { readTree } from "../../core/catalog/tool-tree.ts";
import type { Host } from "../../core/tool/host.ts";
import { markUsed } from "./prune-store.ts";
import { isProgramText, PACKAGE_BYTES_MAX, type PackedFile } from "./host/packed-file.ts";

const STAGING_AGE_MS_MAX = 60 * 60 * 1000;
const [FILE_MODE, PROGRAM_MODE] = [0o600, 0o700];

/** Whether the content is there, byte for byte. */
export function isStored(content: string, host: Host): boolean {
  const folder = storedFolderOf(content, host);
  if (host.instant.stat(folder)?.kind !== "folder") return false;
  const tree = readTree(folder, { host });
  return !("problem" in tree) && tree.sha256 === content;
}

export async function storeFiles(files: readonly PackedFile[], content: string, host: Host): Promise<void> {
  if (isStored(content, host)) return markUsed(content, host);
  const staging = join(stagingFolderOf(host), host.randomId());
  try {
    await writeFiles(files, staging, host);
    const target = storedFolderOf(content, host);
    await host.files.makeFolder(dirname(target), { mode: 0o700 });
    // What is there has been altered.
    if (host.instant.stat(target)) host.shared.rename(target, join(stagingFolderOf(host), host.randomId()));
    renameInto(staging, target, { content, host });
  } finally {
    await host.files.remove(staging);
  }
}

/** Another process may have stored the same content meanwhile. */
function renameInto(
  staging: string,
  target: string,
  { content, host }: { readonly content: string; readonly host: Host },
): void {
  try {
    host.shared.rename(staging, target);
  } catch (error) {
    if (!isStored(content, host)) throw error;
  }
}

/** Not synced: content that a loss of power has damaged is noticed, and installed again. */
async function writeFiles(files: readonly PackedFile[], folder: string, host: Host): Promise<void> {
  const made = new Set<string>();
  for (const { path, bytes } of files) {
    const whole = join(folder, path);
    const parent = dirname(whole);
    if (!made.has(parent)) await host.files.makeFolder(parent, { mode: 0o700 });
    made.add(parent);
    // Depends on the content alone, as its hash does.
    const isProgram = isProgramText(bytes);
    const writer = await host.files.create(whole, { mode: isProgram ? PROGRAM_MODE : FILE_MODE });
    try {
      await writer.write(bytes);
    } finally {
      await writer.close();
    }
  }
}

/** Reads the stored files of a package again. */
export function storedFiles(content: string, host: Host): readonly PackedFile[] {
  const files: PackedFile[] = [];
  readTree(storedFolderOf(content, host), {
    host,
    onFile: (path, bytes) => void files.push({ path, bytes: bytes.subarray(0, PACKAGE_BYTES_MAX) }),
  });
  return files;
}

/** Removes what killed installations have left. */
export async function removeLeftovers(host: Host): Promise<void> {
  const folder = stagingFolderOf(host);
  if (!host.instant.stat(folder)) return;
  const nowMs = Date.parse(host.timestamp());
  for (const name of host.instant.names(folder)) {
    const path = join(folder, name);
    const stat = host.instant.stat(path);
    if (stat && Math.abs(nowMs - stat.mtimeMs) > STAGING_AGE_MS_MAX) await host.files.remove(path);
  }
}

function stagingFolderOf(host: Host): string {
  return join(packagesFolderOf(host), "staging");
}
