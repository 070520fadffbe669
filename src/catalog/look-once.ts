// Looks at each file of a tool folder once: of a thousand files a list asks whether their cache holds, and again
// whether they are what was trusted.
import type { FileFacts, FileStat, InstantFiles } from "../tool/host.ts";

/**
 * A file that had these facts has them for as long as this is asked, and a folder its names; everything else is seen as
 * it is.
 */
export function lookingOnce(instant: InstantFiles): InstantFiles {
  const files = new Map<string, FileFacts>();
  const folders = new Map<string, readonly string[]>();
  return {
    ...instant,
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
