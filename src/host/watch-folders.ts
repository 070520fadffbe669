// Watches folders with `fs.watch`, which watches one folder and neither those below it nor one that is not there yet.
import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { WatchOptions } from "../tool/host-watcher.ts";
import { codeOf } from "../tool/error-code.ts";
import { nowMs } from "./monotonic-clock.ts";

/** Editors write a file in several steps. */
const QUIET_MS = 60;
/** Something that writes all the time, such as a log, keeps nobody from hearing of the rest. */
const WAIT_MS_MAX = 1_000;
const DEPTH = 2;
/** Of one tool folder. */
const FOLDERS_MAX = 500;

interface Watch {
  readonly watcher: FSWatcher;
  /** Only entries of this name count: the way down to a folder that is missing. */
  readonly only: string | undefined;
}

export function watchFolders(folders: readonly string[], { signal, onChange, onTrouble }: WatchOptions): void {
  const watches = new Map<string, Watch>();
  const told = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sinceMs: number | undefined;
  const changed = (): void => {
    clearTimeout(timer);
    sinceMs ??= nowMs();
    timer = setTimeout(
      () => {
        sinceMs = undefined;
        follow();
        onChange();
      },
      Math.min(QUIET_MS, Math.max(0, sinceMs + WAIT_MS_MAX - nowMs())),
    );
  };
  const open = (folder: string, only: string | undefined): void => {
    try {
      const watcher = watch(folder, (_event, name) => {
        if (only === undefined || name === null || name === only) changed();
      });
      // A folder that goes away is an error to some systems; what is there now is looked at again.
      watcher.on("error", changed);
      watches.set(folder, { watcher, only });
    } catch (error) {
      if (codeOf(error) !== "ENOENT" && !told.has(folder)) onTrouble(folder, codeOf(error) ?? "EIO");
      told.add(folder);
    }
  };
  const follow = (): void => {
    if (signal.aborted) return;
    const wanted = wantedOf(folders);
    for (const [folder, { watcher, only }] of watches) {
      // A watch of a folder that went away and came back sees nothing of the new one.
      if (wanted.has(folder) && wanted.get(folder) === only && exists(folder)) continue;
      watcher.close();
      watches.delete(folder);
    }
    for (const [folder, only] of wanted) if (!watches.has(folder)) open(folder, only);
  };
  signal.addEventListener(
    "abort",
    () => {
      clearTimeout(timer);
      for (const { watcher } of watches.values()) watcher.close();
    },
    { once: true },
  );
  follow();
}

/** Each folder to watch, with the one name in it that matters, where it is not all of them. */
function wantedOf(folders: readonly string[]): ReadonlyMap<string, string | undefined> {
  const wanted = new Map<string, string | undefined>();
  for (const folder of folders) {
    if (exists(folder)) {
      for (const one of [folder, ...foldersBelow(folder, DEPTH)].slice(0, FOLDERS_MAX)) wanted.set(one, undefined);
      // Its removal is an event of the folder above.
      if (!wanted.has(dirname(folder))) wanted.set(dirname(folder), basename(folder));
      continue;
    }
    let missing = folder;
    while (dirname(missing) !== missing && !exists(dirname(missing))) missing = dirname(missing);
    if (!wanted.has(dirname(missing))) wanted.set(dirname(missing), basename(missing));
  }
  return wanted;
}

function foldersBelow(folder: string, depth: number): readonly string[] {
  if (depth === 0) return [];
  try {
    const below = readdirSync(folder, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules",
    );
    return below.flatMap(({ name }) => [join(folder, name), ...foldersBelow(join(folder, name), depth - 1)]);
  } catch {
    return [];
  }
}

function exists(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
