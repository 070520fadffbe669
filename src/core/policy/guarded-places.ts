// The files that a model reaches only if a person approves that very call: what processes show of themselves, dottool's
// own files, keys, hidden files of home folders, and files that other programs execute. A path is judged by its text:
// found-paths.ts has followed its links.
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import type { Host } from "../tool/host.ts";
import type { GuardedReading } from "../tool/tool.ts";
import { guardedNames, placedPaths } from "./guarded-names.ts";
import { componentsOf } from "./name-pattern.ts";
import { holdsProcesses, isOfProcess } from "./process-files.ts";
import { isProjectKey, isPublishedFolder } from "../text/project-keys.ts";
import { isWithin, realPath, resolved, type SeenPaths } from "./real-path.ts";

export interface PlaceOptions {
  readonly host: Host;
  /** Absolute. */
  readonly cwd: string;
  /** The folders of the called tools, absolute. */
  readonly toolFolders: readonly string[];
}

export type Access = "read" | "write";

export interface GuardedPlace {
  /** The name of the rule that asks. */
  readonly rule: "processes" | "settings" | "keys" | "executed files";
  /** The end of a sentence that begins with a path: "may contain OpenSSH keys". */
  readonly why: string;
  /** Whether no command contains its name by chance. */
  readonly isPrivate: boolean;
}

const ofProcess: GuardedPlace = {
  rule: "processes",
  why: "shows the data of a process, such as its environment",
  isPrivate: true,
};
const granted: GuardedPlace = { rule: "settings", why: "stores what you have approved", isPrivate: true };
const deciding: GuardedPlace = { rule: "settings", why: "decides what may run", isPrivate: true };
const hidden: GuardedPlace = {
  rule: "settings",
  why: "is hidden in a home folder, where programs keep settings and keys",
  isPrivate: true,
};

const projectKey: GuardedPlace = { rule: "keys", why: "may contain keys or passwords", isPrivate: true };

function isProjectKeyPath(names: readonly string[]): boolean {
  return isProjectKey(names.at(-1) ?? "") && !names.some(isPublishedFolder);
}

/** A path as it is looked up. */
interface LookedUp {
  /** Resolved, as all folders are that it is compared with. */
  readonly path: string;
  /** The names from the root. */
  readonly names: readonly string[];
  /** Within each home folder that contains it, the user's or another's. */
  readonly inHomes: readonly (readonly string[])[];
}

export class GuardedPlaces {
  readonly seen: SeenPaths = new Map();
  readonly #host: Host;
  readonly #ignoresCase: boolean;
  readonly #here: string;
  readonly #homes: readonly string[];
  readonly #state: readonly string[];
  readonly #deciding: readonly string[];
  readonly #tools: readonly string[];
  #programs: ReadonlySet<string> | undefined;

  constructor({ host, cwd, toolFolders }: PlaceOptions) {
    const { state, config, cache, home } = host.folders;
    this.#host = host;
    this.#ignoresCase = host.platform !== "linux";
    this.#here = realPath(cwd, host, this.seen);
    const both = (path: string): readonly string[] => this.#forms(path);
    this.#homes = both(home);
    this.#state = both(state);
    this.#deciding = [config, cache].flatMap(both);
    this.#tools = toolFolders.flatMap(both);
  }

  /**
   * Returns the place of a path, absolute. Executed files count only for `write`. With `onlyPrivate`, places of which a
   * bare word says nothing are not looked for: folders of PATH and of the system.
   */
  at(path: string, access: Access, onlyPrivate = false): GuardedPlace | undefined {
    const looked = this.#lookedUp(path);
    if (isOfProcess(looked.names)) return ofProcess;
    return (
      this.#own(looked, access) ??
      this.#keys(looked) ??
      this.#hidden(looked, access) ??
      this.#projectKey(looked) ??
      (access === "write" ? this.#executed(looked, onlyPrivate) : undefined)
    );
  }

  /** Returns the place of a `.env` in any folder. Many words have such a name (`process.env`), so the file has to be there. */
  #projectKey({ path, names }: LookedUp): GuardedPlace | undefined {
    return isProjectKeyPath(names) && this.#host.instant.stat(path)?.kind === "file" ? projectKey : undefined;
  }

  #lookedUp(given: string): LookedUp {
    const path = resolved(given);
    const names = this.#names(path);
    return { path, names, inHomes: this.#inHomes(path, names) };
  }

  /** Returns the first guarded place below a folder, at any depth. */
  below(given: string): GuardedPlace | undefined {
    const folder = resolved(given);
    const names = this.#names(folder);
    if (holdsProcesses(names)) return ofProcess;
    if (this.#host.instant.stat(folder)?.kind !== "folder") return undefined;
    const isAbove = (path: string): boolean =>
      this.#isWithin(path, folder) && this.#host.instant.stat(path) !== undefined;
    const own = [...this.#state, ...this.#deciding].find(isAbove);
    if (own !== undefined) return { ...deciding, why: `contains dottool's own files (\`${own}\`)` };
    const home = [...this.#homes, "/root", "/home", "/Users"].find(isAbove);
    if (home !== undefined) return { ...hidden, why: `contains the hidden files of \`${home}\`` };
    // A folder above a home has been found already.
    const homes = this.#homes.filter((from) => this.#isWithin(folder, from));
    const places =
      homes.length === 0
        ? []
        : placedPaths("home").flatMap((place) => homes.map((from) => ({ ...place, path: join(from, place.path) })));
    const key =
      places.find(({ path }) => isAbove(path)) ??
      placedPaths("machine").find(({ path }) => isAbove(path) && this.#host.instant.stat(path)?.isOwn);
    return key && { rule: "keys", why: `contains \`${key.path}\`, which may contain ${key.holds}`, isPrivate: true };
  }

  /** Whether a folder has a project's keys, which a command that works in it may name. */
  holdsProjectKeys(folder: string): boolean {
    if (this.#host.instant.stat(folder)?.kind !== "folder") return false;
    return listOrNothing(folder, this.#host).some(({ name, kind }) => kind === "file" && isProjectKey(name));
  }

  #own({ path }: LookedUp, access: Access): GuardedPlace | undefined {
    const isIn = (folders: readonly string[]): boolean => folders.some((folder) => this.#isWithin(path, folder));
    if (isIn(this.#state)) return granted;
    if (isIn(this.#tools)) return access === "write" ? deciding : undefined;
    return isIn(this.#deciding) ? deciding : undefined;
  }

  #keys({ names, inHomes }: LookedUp): GuardedPlace | undefined {
    const all = withoutDrive(names);
    const inHome = inHomes.map((inner) => guardedNames("home", this.#ignoresCase).find(inner));
    const found =
      inHome.find((one) => one) ??
      guardedNames("machine", this.#ignoresCase).find(all) ??
      guardedNames("names", this.#ignoresCase).find(all);
    return found && { rule: "keys", why: `may contain ${found.holds}`, isPrivate: true };
  }

  /** Returns the place of `~/.bashrc`, `~/.config/…`, unless it is below the working folder. */
  #hidden({ path, inHomes }: LookedUp, access: Access): GuardedPlace | undefined {
    if (!inHomes.some(([first]) => first?.startsWith("."))) return undefined;
    const isWorkedIn =
      this.#isWithin(path, this.#here) && this.#lookedUp(this.#here).inHomes.some(([first]) => first?.startsWith("."));
    if (isWorkedIn || (access === "read" && this.#tools.some((folder) => this.#isWithin(path, folder))))
      return undefined;
    const isPublished = (inner: readonly string[]): boolean =>
      access === "read" && guardedNames("published", this.#ignoresCase).find(inner) !== undefined;
    return inHomes.some((inner) => inner[0]?.startsWith(".") && !isPublished(inner)) ? hidden : undefined;
  }

  #executed({ path, names }: LookedUp, onlyPrivate: boolean): GuardedPlace | undefined {
    const inner = this.#names(relativeTo(this.#here, path))
      .filter((name) => name !== "..")
      .map((name) => name.toLowerCase());
    const found = guardedNames("executed", true).find(inner);
    if (found) return executed(found.why, found.isPrivate);
    if (onlyPrivate) return undefined;
    if (this.#programFolders().has(this.#fold(dirname(path))))
      return executed("it is in a folder of PATH, and runs by its name");
    const isOfMachine = (all: readonly string[]): boolean =>
      guardedNames("folders", this.#ignoresCase).find(withoutDrive(all)) !== undefined;
    // An image may put a project into `/usr/src` or `/opt`: then that is the working folder.
    const isWorkedIn = (): boolean => this.#isWithin(path, this.#here) && isOfMachine(this.#names(this.#here));
    return isOfMachine(names) && !isWorkedIn()
      ? executed("it belongs to the system, which runs what is there")
      : undefined;
  }

  #programFolders(): ReadonlySet<string> {
    if (this.#programs) return this.#programs;
    const separator = this.#host.platform === "windows" ? ";" : ":";
    const folders = (this.#host.environment("PATH") ?? "").split(separator).filter(isAbsolute);
    this.#programs = new Set(folders.flatMap((folder) => this.#forms(folder)).map((folder) => this.#fold(folder)));
    return this.#programs;
  }

  #forms(path: string): readonly string[] {
    return [...new Set([resolved(path), realPath(path, this.#host, this.seen)])];
  }

  #inHomes(path: string, all: readonly string[]): readonly (readonly string[])[] {
    const own = this.#homes
      .filter((home) => this.#isWithin(path, home))
      .map((home) => this.#names(relativeTo(home, path)));
    const names = withoutDrive(all);
    const depth = homeDepth(names);
    return [...own, ...(depth === 0 || names.length <= depth ? [] : [names.slice(depth)])];
  }

  #names(path: string): readonly string[] {
    return componentsOf(path, this.#host.platform !== "linux");
  }

  #fold(path: string): string {
    return this.#host.platform === "linux" ? path : path.toLowerCase();
  }

  #isWithin(path: string, folder: string): boolean {
    return isWithin(this.#fold(path), this.#fold(folder));
  }
}

export function listOrNothing(folder: string, host: Host): ReturnType<Host["instant"]["list"]> {
  try {
    return host.instant.list(folder);
  } catch {
    return [];
  }
}

function executed(why: string, isPrivate = false): GuardedPlace {
  return { rule: "executed files", why: `can make other programs run code: ${why}`, isPrivate };
}

function withoutDrive(names: readonly string[]): readonly string[] {
  return names[0]?.[1] === ":" && /^[a-z]:$/i.test(names[0]) ? names.slice(1) : names;
}

/** Returns how many names lead to a home folder: `/root`, `/home/ana`, `/Users/ana`; 0 if it is not in one. */
function homeDepth([first = "", second]: readonly string[]): number {
  if (first === "root") return 1;
  const top = first.toLowerCase();
  return second !== undefined && (top === "home" || top === "users") ? 2 : 0;
}

/** Both are resolved. */
function relativeTo(folder: string, path: string): string {
  return sep === "/" && isWithin(path, folder) ? path.slice(folder.length) : relative(folder, path);
}

/**
 * Returns a test of whether a path below `folder`, which is absolute, is skipped; undefined if nothing is. Files that
 * are guarded for the same reason as the folder itself are read, because that was approved. Names of a project's keys
 * are no secret: these files are skipped where contents are read.
 */
export function guardedBelow(
  folder: string,
  reads: GuardedReading,
  options: PlaceOptions,
): ((path: string) => boolean) | undefined {
  const places = new GuardedPlaces(options);
  const real = realPath(folder, options.host);
  const agreed = places.at(real, "read")?.why;
  const hasPlaces = agreed !== undefined || places.below(real) !== undefined;
  if (!hasPlaces && reads === "names") return undefined;
  return (path) => {
    const whole = join(real, path);
    if (!hasPlaces && !isProjectKeyPath(componentsOf(whole, false))) return false;
    const place = places.at(whole, "read");
    return place !== undefined && place.why !== agreed && (reads === "contents" || place !== projectKey);
  };
}
