// Keeps the whole of a text that was cut: in the cache, for this user alone, under a handle that nobody guesses, and not for ever.
import { join } from "node:path";
import { isKeptFileName, keptFile, keptFolder } from "../base/kept-output.ts";
import { codeOf } from "../tool/error-code.ts";
import type { Host } from "../tool/host.ts";

export type Spill =
  | { readonly kind: "kept"; readonly handle: string }
  /** `code` is the system's, such as `ENOSPC`. */
  | { readonly kind: "lost"; readonly code: string };

const AGE_MS_MAX = 7 * 24 * 60 * 60 * 1000;
const TOTAL_BYTES_MAX = 200 * 1024 * 1024;
/** A folder that somebody filled with more is not ours to tidy in one go. */
const FILES_MAX = 10_000;

/** A full disk or a folder that cannot be written to loses the rest of an output, never the result. */
export async function storeSpill(host: Host, text: string): Promise<Spill> {
  const handle = host.randomId();
  const bytes = new TextEncoder().encode(text);
  try {
    await host.files.makeFolder(keptFolder(host.folders), { mode: 0o700 });
    await removeOld(host, bytes.length);
    await host.files.write(keptFile(host.folders, handle), bytes, { mode: 0o600 });
    return { kind: "kept", handle };
  } catch (error) {
    return { kind: "lost", code: codeOf(error) ?? "EIO" };
  }
}

/** Removes what is older than a week, then the oldest until `neededBytes` more have room. */
async function removeOld(host: Host, neededBytes: number): Promise<void> {
  const folder = keptFolder(host.folders);
  const nowMs = Date.parse(host.timestamp());
  const names = (await host.files.list(folder)).filter((entry) => entry.kind === "file" && isKeptFileName(entry.name)).slice(0, FILES_MAX);
  const kept = [];
  for (const { name } of names) {
    const path = join(folder, name);
    const stat = await host.files.stat(path);
    if (stat) kept.push({ path, sizeBytes: stat.sizeBytes, mtimeMs: stat.mtimeMs });
  }
  kept.sort((a, b) => a.mtimeMs - b.mtimeMs);
  let totalBytes = kept.reduce((sum, file) => sum + file.sizeBytes, neededBytes);
  for (const { path, sizeBytes, mtimeMs } of kept) {
    if (totalBytes <= TOTAL_BYTES_MAX && nowMs - mtimeMs <= AGE_MS_MAX) break;
    await host.files.remove(path);
    totalBytes -= sizeBytes;
  }
}
