// Watches folders with `fs.watch`, which watches one folder, but not those below it, nor one that does not exist yet.
import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { codeOf } from "../../tool/error-code.ts";
import { nowMs } from "../monotonic-clock.ts";
import type { FolderChange, WatchOptions } from "../../tool/host.ts";

/** The wait after an event, because editors write a file in several steps. */
const QUIET_MS = 60;
/** The longest wait, so that a file that is written all the time, such as a log, does not delay other changes. */
const WAIT_MS_MAX = 1_000;
/** One folder for an owner, and three that sort its tools. */
const DEPTH = 4;
/** The limit of folders in one tool folder. */
const FOLDERS_MAX = 500;

/**
 * Events can be lost, for example if another machine writes to the folder: the first change after this time checks
 * everything.
 */
const WHOLE_LOOK_MS = 60_000;
/** The limit of events in one change; with thousands of events, the system has lost some. */
const HEARD_MAX = 1_000;
/** Whether an event names a file in its folder. On other systems it may use another spelling, or no name at all. */
const tellsNames = process.platform === "linux" && !("deno" in process.versions);

interface Watch {
  readonly watcher: FSWatcher;
  /** Only entries of these names count, as in `wanted`: the next folders on the paths to missing ones. */
  readonly only: string | undefined;
  /** The id of the folder: another one may have taken its place. */
  readonly id: string;
}

export function watchFolders(folders: readonly string[], { signal, onChange, onTrouble }: WatchOptions): void {
  const watches = new Map<string, Watch>();
  const told = new Set<string>();
  const { heard, takeChange } = openHearing();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sinceMs: number | undefined;
  const changed = (): void => {
    clearTimeout(timer);
    sinceMs ??= nowMs();
    timer = setTimeout(
      () => {
        sinceMs = undefined;
        const links = follow();
        onChange(takeChange(links, watches));
      },
      Math.min(QUIET_MS, Math.max(0, sinceMs + WAIT_MS_MAX - nowMs())),
    );
  };
  const open = (folder: string, only: string | undefined): void => {
    try {
      const watcher = watch(folder, (_event, name) => {
        if (only !== undefined && name !== null && !only.includes(`/${name}/`)) return;
        // An event of the folder itself has its own name.
        if (name === null || name === basename(folder)) heard.add(folder);
        if (name !== null) heard.add(join(folder, name));
        changed();
      });
      // A removed folder is an error on some systems; its present state is checked again.
      watcher.on("error", () => {
        heard.add(folder);
        changed();
      });
      watches.set(folder, { watcher, only, id: idOf(folder) ?? "" });
      // Earlier events are unknown.
      heard.add(folder);
    } catch (error) {
      if (codeOf(error) !== "ENOENT" && !told.has(folder)) onTrouble(folder, codeOf(error) ?? "EIO");
      told.add(folder);
    }
  };
  /** Returns the links in the folders, because there are no events for their targets. */
  const follow = (): readonly string[] => {
    if (signal.aborted) return [];
    const { wanted, links } = wantedOf(folders);
    for (const [folder, { watcher, only, id }] of watches) {
      // The watch of a folder that was removed and created again does not see the new one, which may have the same
      // inode number.
      if (wanted.has(folder) && wanted.get(folder) === only && idOf(folder) === id && !heard.has(folder)) continue;
      watcher.close();
      watches.delete(folder);
    }
    for (const [folder, only] of wanted) if (!watches.has(folder)) open(folder, only);
    return links;
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

interface Hearing {
  /** Paths of files and folders since the last change was taken. */
  readonly heard: Set<string>;
  /** `links` are those without events. */
  takeChange(links: readonly string[], watches: ReadonlyMap<string, Watch>): FolderChange;
}

function openHearing(): Hearing {
  const heard = new Set<string>();
  let wholeLookMs = Number.NEGATIVE_INFINITY;
  return {
    heard,
    takeChange: (links, watches) => {
      const isWhole = !tellsNames || heard.size > HEARD_MAX || nowMs() - wholeLookMs > WHOLE_LOOK_MS;
      const watched = new Set([...watches].filter(([, { only }]) => only === undefined).map(([folder]) => folder));
      const change = isWhole ? { mayDiffer: () => true } : changeOf(new Set([...heard, ...links]), watched);
      if (isWhole) wholeLookMs = nowMs();
      heard.clear();
      return change;
    },
  };
}

function changeOf(heard: ReadonlySet<string>, watched: ReadonlySet<string>): FolderChange {
  const known = new Map<string, boolean>();
  /** Returns whether there was an event for the folder or one above. */
  const isTouched = (folder: string): boolean => {
    const touched =
      known.get(folder) ?? (heard.has(folder) || (dirname(folder) !== folder && isTouched(dirname(folder))));
    known.set(folder, touched);
    return touched;
  };
  return { mayDiffer: (path) => heard.has(path) || !watched.has(dirname(path)) || isTouched(dirname(path)) };
}

interface Wanted {
  /** Each folder to watch, with the names in it that matter, unless all do: `/trust/mcp/`. */
  readonly wanted: ReadonlyMap<string, string | undefined>;
  readonly links: readonly string[];
}

function wantedOf(folders: readonly string[]): Wanted {
  const wanted = new Map<string, string | undefined>();
  const links: string[] = [];
  const want = (path: string): void => {
    const [parent, name] = [dirname(path), basename(path)];
    const only = wanted.has(parent) ? wanted.get(parent) : "/";
    if (only !== undefined && !only.includes(`/${name}/`)) wanted.set(parent, `${only}${name}/`);
  };
  for (const folder of folders) {
    if (exists(folder)) {
      for (const one of [folder, ...foldersBelow(folder, DEPTH, links)].slice(0, FOLDERS_MAX))
        wanted.set(one, undefined);
      // Its removal is an event of the folder above.
      want(folder);
      continue;
    }
    let missing = folder;
    while (dirname(missing) !== missing && !exists(dirname(missing))) missing = dirname(missing);
    want(missing);
  }
  return { wanted, links };
}

function foldersBelow(folder: string, depth: number, links: string[]): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    for (const entry of entries) if (entry.isSymbolicLink()) links.push(join(folder, entry.name));
    if (depth === 0) return [];
    const below = entries.filter(
      (entry) => entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules",
    );
    return below.flatMap(({ name }) => [join(folder, name), ...foldersBelow(join(folder, name), depth - 1, links)]);
  } catch {
    return [];
  }
}

function exists(folder: string): boolean {
  return idOf(folder) !== undefined;
}

function idOf(folder: string): string | undefined {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() ? `${found.dev} ${found.ino}` : undefined;
}
