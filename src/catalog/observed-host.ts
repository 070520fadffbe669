// A host that records questions and answers. A result made of these answers alone is the same as long as they are the
// same. So a caller that has cached it asks once more, and need not know on which files, folders and variables it
// depends.
import type { FileFacts, Host, HostFolders, InstantFiles } from "../tool/host.ts";
import { hasStableFacts } from "./stable-facts.ts";

/** Questions with their answers, as JSON. */
export interface Observations {
  readonly variables: (readonly [name: string, value: string | null])[];
  /** Whether they are there: where they are is of no interest. */
  readonly programs: Program[];
  readonly links: (readonly [path: string, real: string])[];
  readonly areLinks: (readonly [path: string, isLink: boolean])[];
  readonly stats: (readonly [path: string, found: string])[];
  readonly folders: (readonly [path: string, names: string])[];
  /** Files that were read, or were known to be unchanged. */
  readonly files: string[];
  /** The size, mtime, ctime and inode of each of `files`, in this order. */
  readonly facts: number[];
}

type Program = readonly [name: string, pathVariable: string, found: string | null];

export interface ObservedHost {
  readonly host: Host;
  /**
   * Returns all questions and answers. Undefined if something was asked or done that cannot be repeated, or if a file
   * is so young that it may change unseen.
   */
  observations(): Observations | undefined;
}

/** A host that is only asked, and changes nothing. */
export function observe(host: Host): ObservedHost {
  const seen: Observations = {
    variables: [],
    programs: [],
    links: [],
    areLinks: [],
    stats: [],
    folders: [],
    files: [],
    facts: [],
  };
  let isWhole = true;
  const invalidate = (): void => void (isWhole = false);
  const { folders, sha256, runBounded, processes } = host;
  const observed: Host = {
    ...invalidating(host, invalidate),
    folders: lastingFolders(folders, invalidate),
    sha256,
    runBounded,
    instant: observedInstant(host, seen, invalidate),
    environment: (name) => {
      const value = host.environment(name);
      seen.variables.push([name, value ?? null]);
      return value;
    },
    processes: {
      ...invalidating(processes, invalidate),
      find: (name, pathVariable) => {
        const found = processes.find(name, pathVariable);
        seen.programs.push([name, pathVariable, found ?? null]);
        return found;
      },
    },
  };
  return { host: observed, observations: () => (isWhole ? seen : undefined) };
}

/** Wraps every other port: using one invalidates the observation. */
function invalidating<T extends object>(port: T, invalidate: () => void): T {
  const parts = Object.entries(port).map(([name, part]: [string, unknown]) => {
    if (typeof part === "object" && part !== null)
      return [name, new Proxy(part, { get: (from, key) => after(invalidate, () => Reflect.get(from, key)) })];
    return [
      name,
      typeof part === "function"
        ? (...words: unknown[]) => after(invalidate, () => Reflect.apply(part, port, words))
        : part,
    ];
  });
  return Object.fromEntries(parts) as T;
}

/** Returns the folders, which stay the same except the one that is looked up when asked for. */
function lastingFolders(folders: HostFolders, invalidate: () => void): HostFolders {
  const { home, config, state, cache } = folders;
  return {
    home,
    config,
    state,
    cache,
    get temporary(): string {
      invalidate();
      return folders.temporary;
    },
  };
}

function observedInstant({ instant, timestamp }: Host, seen: Observations, invalidate: () => void): InstantFiles {
  const startedMs = Date.parse(timestamp());
  const addFile = (path: string, facts: FileFacts): void => {
    if (facts.inode === undefined || !hasStableFacts(facts, startedMs)) return invalidate();
    seen.files.push(path);
    seen.facts.push(facts.sizeBytes, facts.mtimeMs, facts.ctimeMs, facts.inode);
  };
  // The facts come first, so that a later write changes them.
  const addContent = (path: string): void => {
    const found = instant.stat(path);
    if (found?.kind === "file") addFile(path, found);
    else invalidate();
  };
  return {
    ...invalidating(instant, invalidate),
    stat: (path) => {
      const found = instant.stat(path);
      seen.stats.push([path, asText(found)]);
      return found;
    },
    isLink: (path) => {
      const isLink = instant.isLink(path);
      seen.areLinks.push([path, isLink]);
      return isLink;
    },
    isFileWith: (path, facts) => {
      const isWith = instant.isFileWith(path, facts);
      if (isWith) addFile(path, facts);
      else invalidate();
      return isWith;
    },
    names: (folder) =>
      orInvalidate(() => {
        const names = instant.names(folder);
        seen.folders.push([folder, names.join("/")]);
        return names;
      }, invalidate),
    realPath: (path) =>
      orInvalidate(() => {
        const real = instant.realPath(path);
        seen.links.push([path, real]);
        return real;
      }, invalidate),
    readBytes: (path, bytesMax) => {
      addContent(path);
      return orInvalidate(() => instant.readBytes(path, bytesMax), invalidate);
    },
    readStart: (path, bytesMax) => {
      addContent(path);
      return orInvalidate(() => instant.readStart(path, bytesMax), invalidate);
    },
  };
}

function after<T>(first: () => void, work: () => T): T {
  first();
  return work();
}

function orInvalidate<T>(look: () => T, invalidate: () => void): T {
  try {
    return look();
  } catch (error) {
    invalidate();
    throw error;
  }
}

/** All of it, so that nothing is forgotten. */
function asText(found: object | undefined): string {
  return found ? JSON.stringify(found) : "";
}

/** Whether every answer would be the same now. Throws for what no host has observed. */
export function isAsObserved(
  { variables, programs, links, areLinks, stats, folders, files, facts }: Observations,
  host: Host,
): boolean {
  const { instant } = host;
  if (!variables.every(([name, value]) => (host.environment(name) ?? null) === value)) return false;
  if (!programs.every((program) => isFoundAgain(program, host))) return false;
  if (!links.every(([path, real]) => instant.realPath(path) === real)) return false;
  if (!areLinks.every(([path, isLink]) => instant.isLink(path) === isLink)) return false;
  if (!stats.every(([path, found]) => asText(instant.stat(path)) === found)) return false;
  if (!folders.every(([path, names]) => instant.names(path).join("/") === names)) return false;
  // One for all: there are thousands.
  const known = { sizeBytes: 0, mtimeMs: 0, ctimeMs: 0, inode: 0 };
  return files.every((path, index) => {
    const at = index * 4;
    known.sizeBytes = facts[at] ?? 0;
    known.mtimeMs = facts[at + 1] ?? 0;
    known.ctimeMs = facts[at + 2] ?? 0;
    known.inode = facts[at + 3] ?? 0;
    return instant.isFileWith(path, known);
  });
}

/**
 * Whether the program is still in its place, so that no search is needed. Windows always needs one, because folders
 * before it may be refused.
 */
function isFoundAgain([name, pathVariable, found]: Program, { processes, platform }: Host): boolean {
  return (processes.find(found === null || platform === "windows" ? name : found, pathVariable) ?? null) === found;
}
