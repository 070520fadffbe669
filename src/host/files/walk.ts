// Walks folders: depth first, in the order of names, without following links or ignored files. Folders are read
// synchronously, which is several times faster than a promise for each; every few milliseconds other work gets its
// turn.
import { join, resolve } from "node:path";
import type { FolderEntry, WalkEntry, WalkOptions } from "../../tool/host.ts";
import { codeOf, isUnanswered } from "../../tool/error-code.ts";
import { IGNORE_FILE_NAMES, type IgnoreRules, isIgnored, rulesAbove, rulesWithin } from "./ignore-rules.ts";
import { instantFiles } from "./instant-files.ts";
import { nowMs } from "../monotonic-clock.ts";

/** The time that a walk may block other work. */
const TURN_MS_MAX = 8;

interface Level {
  /** The path relative to the walked folder: empty, or with a final `/`. */
  readonly prefix: string;
  readonly entries: readonly FolderEntry[];
  readonly rules: IgnoreRules | undefined;
  next: number;
}

/** Throws if `folder` itself cannot be read. Ends early and silently if the signal aborts. */
export async function* walk(folder: string, options: WalkOptions): AsyncGenerator<WalkEntry, void, undefined> {
  const top = resolve(folder);
  const entriesOfTop = instantFiles.list(top);
  if (options.depthMax < 1) return;
  const rulesOfTop = options.honoursIgnoreFiles ? await rulesAbove(top) : undefined;
  const levels = [await enter({ top, prefix: "", entries: entriesOfTop, rules: rulesOfTop })];
  let turnEndMs = nowMs() + TURN_MS_MAX;
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    if (options.signal.aborted) return;
    if (nowMs() > turnEndMs) {
      await new Promise((resolveTurn) => setImmediate(resolveTurn));
      turnEndMs = nowMs() + TURN_MS_MAX;
    }
    const entry = level.entries[level.next++];
    if (!entry) {
      levels.pop();
      continue;
    }
    if (isLeftOut(entry, level, options)) continue;
    const path = level.prefix + entry.name;
    yield { path, kind: entry.kind };
    if (entry.kind !== "folder" || levels.length >= options.depthMax || options.passesOver?.(path)) continue;
    const entries = listOrNothing(join(top, path), () => options.onUnreadable?.(path));
    if (entries) levels.push(await enter({ top, prefix: `${path}/`, entries, rules: level.rules }));
  }
}

function isLeftOut(entry: FolderEntry, level: Level, options: WalkOptions): boolean {
  if (entry.name.startsWith(".") && !options.includesHidden) return true;
  if (!level.rules) return false;
  return entry.name === ".git" || isIgnored(level.rules, level.prefix + entry.name, entry.kind === "folder");
}

/** Skips a folder that may not be read, or was removed after its parent was read; a disk error ends the walk. */
function listOrNothing(folder: string, onUnreadable: () => void): readonly FolderEntry[] | undefined {
  try {
    return instantFiles.list(folder);
  } catch (error) {
    if (isUnanswered(error)) throw error;
    if (codeOf(error) !== "ENOENT") onUnreadable();
    return undefined;
  }
}

interface Entering {
  readonly top: string;
  readonly prefix: string;
  readonly entries: readonly FolderEntry[];
  readonly rules: IgnoreRules | undefined;
}

async function enter({ top, prefix, entries, rules }: Entering): Promise<Level> {
  let own = rules;
  for (const name of own ? IGNORE_FILE_NAMES : []) {
    if (own && entries.some((entry) => entry.name === name))
      own = await rulesWithin(own, { file: join(top, prefix, name), folder: prefix });
  }
  return { prefix, entries, rules: own, next: 0 };
}
