// A host that notes what it is asked and what it answers. What was made of these answers alone comes out the same for
// as long as they are the same, so whoever has kept it asks once more, and need not know on which files, folders and
// variables it depends.
import type { FileFacts, Host, HostFolders, InstantFiles } from "../tool/host.ts";
import { isSettled } from "./settled.ts";

/** Questions with their answers, as JSON. */
export interface Observations {
  readonly variables: (readonly [name: string, value: string | null])[];
  /** Whether they are there: where they are is of no interest. */
  readonly programs: Program[];
  readonly links: (readonly [path: string, real: string])[];
  readonly areLinks: (readonly [path: string, isLink: boolean])[];
  readonly stats: (readonly [path: string, found: string])[];
  readonly folders: (readonly [path: string, names: string])[];
  /** What was read, or was known to be the same. */
  readonly files: string[];
  /** Of each of `files`, in this order: its size, mtime, ctime and inode. */
  readonly facts: number[];
}

type Program = readonly [name: string, pathVariable: string, found: string | null];

export interface ObservedHost {
  readonly host: Host;
  /**
   * Undefined where something was asked or done that cannot be asked again, or where a file is so young that it may
   * change unseen.
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
  const spoil = (): void => void (isWhole = false);
  const { folders, sha256, runBounded, processes } = host;
  const observed: Host = {
    ...spoiling(host, spoil),
    folders: lastingFolders(folders, spoil),
    sha256,
    runBounded,
    instant: observedInstant(host, seen, spoil),
    environment: (name) => {
      const value = host.environment(name);
      seen.variables.push([name, value ?? null]);
      return value;
    },
    processes: {
      ...spoiling(processes, spoil),
      find: (name, pathVariable) => {
        const found = processes.find(name, pathVariable);
        seen.programs.push([name, pathVariable, found ?? null]);
        return found;
      },
    },
  };
  return { host: observed, observations: () => (isWhole ? seen : undefined) };
}

/** Of every port that nobody has thought of: to use it is to spoil what is observed. */
function spoiling<T extends object>(port: T, spoil: () => void): T {
  const spoiled = Object.entries(port).map(([name, part]: [string, unknown]) => {
    if (typeof part === "object" && part !== null)
      return [name, new Proxy(part, { get: (from, key) => (spoil(), Reflect.get(from, key)) })];
    return [
      name,
      typeof part === "function" ? (...words: unknown[]) => (spoil(), Reflect.apply(part, port, words)) : part,
    ];
  });
  return Object.fromEntries(spoiled) as T;
}

/** They are the same all along, but for the one that is looked up when it is asked for. */
function lastingFolders(folders: HostFolders, spoil: () => void): HostFolders {
  const { home, config, state, cache } = folders;
  return {
    home,
    config,
    state,
    cache,
    get temporary(): string {
      spoil();
      return folders.temporary;
    },
  };
}

function observedInstant({ instant, timestamp }: Host, seen: Observations, spoil: () => void): InstantFiles {
  const startedMs = Date.parse(timestamp());
  const addFile = (path: string, facts: FileFacts): void => {
    if (facts.inode === undefined || !isSettled(facts, startedMs)) return spoil();
    seen.files.push(path);
    seen.facts.push(facts.sizeBytes, facts.mtimeMs, facts.ctimeMs, facts.inode);
  };
  // Looked at first: what is written meanwhile has other facts than these.
  const addContent = (path: string): void => {
    const found = instant.stat(path);
    if (found?.kind === "file") addFile(path, found);
    else spoil();
  };
  return {
    ...spoiling(instant, spoil),
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
      else spoil();
      return isWith;
    },
    names: (folder) =>
      orSpoil(() => {
        const names = instant.names(folder);
        seen.folders.push([folder, names.join("/")]);
        return names;
      }, spoil),
    realPath: (path) =>
      orSpoil(() => {
        const real = instant.realPath(path);
        seen.links.push([path, real]);
        return real;
      }, spoil),
    readBytes: (path, bytesMax) => (addContent(path), orSpoil(() => instant.readBytes(path, bytesMax), spoil)),
    readStart: (path, bytesMax) => (addContent(path), orSpoil(() => instant.readStart(path, bytesMax), spoil)),
  };
}

function orSpoil<T>(look: () => T, spoil: () => void): T {
  try {
    return look();
  } catch (error) {
    spoil();
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

/** One that is still in its place needs no search, but on Windows: what lies before it there may be refused. */
function isFoundAgain([name, pathVariable, found]: Program, { processes, platform }: Host): boolean {
  return (processes.find(found === null || platform === "windows" ? name : found, pathVariable) ?? null) === found;
}
