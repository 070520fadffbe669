// A host that records questions and answers. A result made of these answers alone is the same as long as they are the
// same. So a caller that has cached it asks once more, and need not know on which files, folders and variables it
// depends.
import type { FileFacts, Host, HostFolders, InstantFiles } from "../../core/tool/host.ts";
import { hasStableFacts } from "../../core/catalog/stable-facts.ts";

/** The questions that can be asked again. Their words and their answers are JSON. */
const questions = {
  variable: ({ environment }, name) => environment(name),
  program: ({ processes }, name, pathVariable) => processes.find(name, pathVariable),
  stat: ({ instant }, path) => instant.stat(path),
  isLink: ({ instant }, path) => instant.isLink(path),
  names: ({ instant }, folder) => instant.names(folder),
  realPath: ({ instant }, path) => instant.realPath(path),
} satisfies Readonly<Record<string, (host: Host, word: string, other: string) => unknown>>;

type Asked = readonly [question: keyof typeof questions, words: readonly [string, string?], answer: string];

export interface Observations {
  readonly asked: Asked[];
  /** Files that were read, or were known to be unchanged. */
  readonly files: string[];
  /** The size, mtime, ctime and inode of each of `files`, in this order. */
  readonly facts: number[];
}

interface ObservedHost {
  readonly host: Host;
  /**
   * Returns all questions and answers. Undefined if something was asked or done that cannot be repeated, or if a file
   * is so young that it may change unseen.
   */
  observations(): Observations | undefined;
}

/** A host that is only asked, and changes nothing. */
export function observe(host: Host): ObservedHost {
  const seen: Observations = { asked: [], files: [], facts: [] };
  let isWhole = true;
  const invalidate = (): void => void (isWhole = false);
  const { folders, sha256, runBounded, processes } = host;
  const observed: Host = {
    ...invalidating(host, invalidate),
    // It says the same for as long as the program runs.
    ...(host.bundle ? { bundle: host.bundle } : {}),
    folders: lastingFolders(folders, invalidate),
    sha256,
    runBounded,
    instant: observedInstant(host, seen, invalidate),
    environment: (name) => {
      const value = host.environment(name);
      seen.asked.push(["variable", [name], asText(value)]);
      return value;
    },
    processes: {
      ...invalidating(processes, invalidate),
      find: (name, pathVariable) => {
        const found = processes.find(name, pathVariable);
        // A program that was found is looked for in its place, so that no search is needed. Windows always needs one,
        // because folders before it may be refused.
        const wanted = host.platform === "windows" ? name : (found ?? name);
        seen.asked.push(["program", [wanted, pathVariable], asText(found)]);
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
  const noted = <T>(question: keyof typeof questions, path: string, answer: T): T => {
    seen.asked.push([question, [path], asText(answer)]);
    return answer;
  };
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
    stat: (path) => noted("stat", path, instant.stat(path)),
    isLink: (path) => noted("isLink", path, instant.isLink(path)),
    names: (folder) => orInvalidate(() => noted("names", folder, instant.names(folder)), invalidate),
    realPath: (path) => orInvalidate(() => noted("realPath", path, instant.realPath(path)), invalidate),
    isFileWith: (path, facts) => {
      const isWith = instant.isFileWith(path, facts);
      if (isWith) addFile(path, facts);
      else invalidate();
      return isWith;
    },
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
function asText(answer: unknown): string {
  return JSON.stringify(answer ?? null);
}

/** Whether every answer would be the same now. Throws for what no host has observed. */
export function isAsObserved({ asked, files, facts }: Observations, host: Host): boolean {
  if (
    !asked.every(([question, [word, other = ""], answer]) => asText(questions[question](host, word, other)) === answer)
  )
    return false;
  // One for all: there are thousands.
  const known = { sizeBytes: 0, mtimeMs: 0, ctimeMs: 0, inode: 0 };
  return files.every((path, index) => {
    const at = index * 4;
    known.sizeBytes = facts[at] ?? 0;
    known.mtimeMs = facts[at + 1] ?? 0;
    known.ctimeMs = facts[at + 2] ?? 0;
    known.inode = facts[at + 3] ?? 0;
    return host.instant.isFileWith(path, known);
  });
}
