// Looks at each file of a tool folder once: of a thousand files a list asks whether their cache holds, and again
// whether they are what was trusted. It reads each once for what it defines and for its hash.
import { basename } from "node:path";
import type { FileFacts, FileStat, Host, InstantFiles } from "../tool/host.ts";
import { isDefinition } from "./discover.ts";
import { hasStableFacts } from "./stable-facts.ts";

/** The limit of what is kept of one file, and of all. */
const KEPT_FILE_BYTES_MAX = 64 * 1024;
const KEPT_BYTES_MAX = 16 * 1024 * 1024;

/**
 * A file that had these facts has them for as long as this is asked, and its content, and a folder its names;
 * everything else is seen as it is. A change meanwhile is seen next time, because the facts are from before it.
 */
export function lookingOnce({ instant, timestamp }: Pick<Host, "instant" | "timestamp">): InstantFiles {
  const files = new Map<string, FileFacts>();
  const folders = new Map<string, readonly string[]>();
  const read = new Map<string, { readonly stat: FileStat; readonly bytes: Uint8Array }>();
  let keptBytes = 0;
  let last: { readonly path: string; readonly stat: FileStat } | undefined;
  return {
    ...instant,
    stat: (path) => {
      const known = read.get(path)?.stat;
      if (known) return known;
      const stat = instant.stat(path);
      last = stat && { path, stat };
      return stat;
    },
    readBytes: (path, bytesMax) => {
      const known = read.get(path)?.bytes;
      if (known && known.length <= bytesMax) return known;
      // A list that has asked for the time cannot be cached; one that reads definitions is not.
      const stat = last?.path === path && isDefinition(basename(path)) ? last.stat : undefined;
      const beforeMs = stat ? Date.parse(timestamp()) : 0;
      const bytes = instant.readBytes(path, bytesMax);
      const { length } = bytes;
      // What was written just now may be written again with the same facts.
      if (!stat || !hasStableFacts(stat, beforeMs)) return bytes;
      if (length > KEPT_FILE_BYTES_MAX || keptBytes + length > KEPT_BYTES_MAX) return bytes;
      keptBytes += length;
      read.set(path, { stat, bytes });
      return bytes;
    },
    isFileWith: (path, facts) => {
      const known = files.get(path);
      if (known && isSame(known, facts)) return true;
      const isWith = instant.isFileWith(path, facts);
      if (isWith) files.set(path, facts);
      return isWith;
    },
    names: (folder) => {
      const names = folders.get(folder) ?? instant.names(folder);
      folders.set(folder, names);
      return names;
    },
  };
}

/** Remembers answers about folders for many questions at one moment: most files lie in the same folders. */
export function lookingAtFoldersOnce(instant: InstantFiles): InstantFiles {
  const folders = new Map<string, FileStat>();
  return {
    ...instant,
    stat: (path) => {
      const known = folders.get(path);
      if (known) return known;
      const found = instant.stat(path);
      if (found?.kind === "folder") folders.set(path, found);
      return found;
    },
  };
}

function isSame(known: FileFacts, { sizeBytes, mtimeMs, ctimeMs, inode }: FileFacts): boolean {
  return (
    known.sizeBytes === sizeBytes &&
    known.mtimeMs === mtimeMs &&
    known.ctimeMs === ctimeMs &&
    (inode === undefined || known.inode === inode)
  );
}
