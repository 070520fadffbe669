// Looks through the folders that a confined process sees, before and after it: for files with keys, which are hidden
// from it, and for what other programs obey, such as git its repositories.
import { isAbsolute, normalize } from "node:path";
import { lstatSync, readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { namesForeignPlace } from "./tracked-places.ts";
import { hasGitLogin, hasPrivateKey, holdsKeys, mayHoldPrivateKey } from "./project-keys.ts";
import { isPublishedFolder } from "../../../core/text/project-keys.ts";

/**
 * The number of folders that one search looks into, those at the top first: some 150 ms. A process that makes more gets a
 * report that says so.
 */
export const FOLDERS_MAX = 10_000;

/** A folder that is searched, and lies in no other such folder. */
export interface SearchRoot {
  /** Where it really is. */
  readonly path: string;
  /** Its path for the process. */
  readonly inside: string;
  /** What is written is searched for what other programs obey. */
  readonly isWritable: boolean;
}

/** What other programs obey. Paths are below the root. */
export interface Obeyed {
  readonly root: SearchRoot;
  /** A `.git`, the `HEAD` of a repository without one, or another name at the top. */
  readonly path: string;
  /** What must stay as it is: it, or the folder of the `HEAD`. */
  readonly kept: readonly string[];
  /** The same for the same file or folder, wherever it is moved. */
  readonly identity: string;
  readonly isLink: boolean;
}

export interface KeyFile {
  readonly root: SearchRoot;
  readonly path: string;
}

export interface Found {
  readonly keys: readonly KeyFile[];
  readonly obeyed: readonly Obeyed[];
  /** Whether there were no more folders than may be searched, and all could be read. */
  readonly isWhole: boolean;
  readonly folders: ReadonlyMap<string, Seen>;
  readonly startedMs: number;
}

interface Seen {
  readonly inode: number;
  readonly changedMs: number;
  /** Undefined if it cannot be read. */
  readonly folders: readonly string[] | undefined;
}

/** What other programs obey at the top of a folder. Below, packages have such names, too. */
const namesAtTop: ReadonlySet<string> = new Set(
  ".dottool .tools .envrc .vscode .idea .claude .codex .cursor .gemini .mcp.json .opencode opencode.json .devcontainer mise.toml .mise.toml".split(
    " ",
  ),
);
export const GUARDED_NAMES = [".git", ...namesAtTop];

/** The data of a repository. All else in it git may obey, and a link may lead anywhere. */
const dataInGit =
  /^(?:objects|refs|logs|lfs|rr-cache|index|sharedindex\.\w+|packed-refs|shallow|gc\.(?:log|pid)|(?!BISECT_)[A-Z_]+|.+\.lock)$/;
const INDEX = /^(?:index|sharedindex\..+)$/;

/** File systems count the time of a change in steps of up to 10 ms; what is as fresh as this is looked at again. */
const FRESH_MS = 1_000;

class Search {
  readonly keys: KeyFile[] = [];
  readonly obeyed: Obeyed[] = [];
  readonly folders = new Map<string, Seen>();
  readonly startedMs = Date.now();
  isWhole = true;
  readonly #writesGit: boolean;
  readonly #roots: ReadonlySet<string>;
  readonly #before: Found | undefined;
  readonly #known: ReadonlySet<string>;
  #left = FOLDERS_MAX;

  constructor(roots: readonly SearchRoot[], before: Found | undefined, writesGit: boolean) {
    this.#writesGit = writesGit;
    this.#roots = new Set(roots.map(({ path }) => path));
    this.#before = before;
    this.#known = new Set(before?.obeyed.map(({ identity }) => identity));
    for (const root of roots) this.#searchRoot(root);
  }

  #searchRoot(root: SearchRoot): void {
    const waiting = [""];
    if (this.#isGitData(root)) this.#addGitData(root);
    if (root.isWritable) this.#addHooks(root);
    for (const path of waiting) {
      if (this.#left <= 0) {
        this.isWhole = false;
        return;
      }
      this.#left--;
      for (const name of this.#foldersOf(root, path)) waiting.push(below(path, name));
    }
  }

  /** Returns the folders in it that are to be searched. */
  #foldersOf(root: SearchRoot, path: string): readonly string[] {
    if (!root.isWritable) return this.#read(root, path) ?? [];
    const full = below(root.path, path);
    const stat = this.#statOf(full);
    if (!stat) return [];
    const seen = this.#before?.folders.get(full);
    const isSame = seen?.inode === stat.ino;
    const isUnchanged =
      isSame && seen?.changedMs === stat.ctimeMs && stat.ctimeMs < (this.#before?.startedMs ?? 0) - FRESH_MS;
    const folders = isUnchanged && seen?.folders ? seen.folders : this.#read(root, path);
    if (!folders && this.#before && !(isSame && !seen?.folders)) this.isWhole = false;
    if (!this.#before) this.folders.set(full, { inode: stat.ino, changedMs: stat.ctimeMs, folders });
    return folders ?? [];
  }

  #isGitData(root: SearchRoot): boolean {
    return this.#writesGit && root.isWritable && this.#statOf(below(root.path, ".git"))?.isDirectory() === true;
  }

  #statOf(path: string): Stats | undefined {
    try {
      return lstatSync(path, { throwIfNoEntry: false });
    } catch {
      // Its folder is closed, or its path is too long: then it is too long for other programs, too.
      if (this.#before) this.isWhole = false;
      return undefined;
    }
  }

  #read(root: SearchRoot, path: string): readonly string[] | undefined {
    const full = below(root.path, path);
    const folders: string[] = [];
    const parts = new Set<string>();
    const isPublished = path.split("/").some(isPublishedFolder);
    let entries: ReturnType<typeof readEntries>;
    try {
      entries = readEntries(full);
    } catch {
      return undefined;
    }
    for (const entry of entries) {
      const { name } = entry;
      if (repositoryParts.has(name)) parts.add(name);
      const isObeyed = name === ".git" || (path === "" && namesAtTop.has(name));
      const isAdded = isObeyed && root.isWritable && !(path === "" && name === ".git" && this.#isGitData(root));
      const isNew = isAdded && this.#add(root, below(path, name), [below(path, name)]);
      if (name === ".git" && entry.isDirectory()) this.#addLogins(root, below(path, name));
      if (entry.isDirectory()) {
        const isSearched = name === ".git" ? isNew : root.isWritable || !isPublishedFolder(name);
        if (isSearched && !this.#roots.has(below(full, name))) folders.push(name);
      } else if (!this.#before && !isPublished && isKeyFile(below(full, name), below(path, name)))
        this.keys.push({ root, path: below(path, name) });
    }
    if (isRepository(parts)) this.#addLogins(root, path);
    if (!root.isWritable || !isRepository(parts)) return folders;
    const kept = path === "" ? ["config", "hooks"].filter((name) => isThere(below(full, name))) : [path];
    return this.#add(root, below(path, "HEAD"), kept) ? folders : [];
  }

  /** Adds a repository whose data may change, also where nothing beside it has changed. */
  #addGitData(root: SearchRoot): void {
    if (this.#add(root, ".git", [".git"])) return;
    const folder = below(root.path, ".git");
    const hashBytes = /objectformat\s*=\s*sha256/i.test(textOf(below(folder, "config"))) ? 32 : 20;
    for (const entry of entriesIn(folder)) {
      const isForeign = (): boolean =>
        this.#before !== undefined &&
        INDEX.test(entry.name) &&
        namesForeignPlace(bytesOf(below(folder, entry.name)), hashBytes);
      const path = `.git/${entry.name}`;
      if (!dataInGit.test(entry.name) || entry.isSymbolicLink() || isForeign()) this.#add(root, path, [path]);
    }
  }

  /** Adds the folder of the project in which git finds hooks, if its settings name one. */
  #addHooks(root: SearchRoot): void {
    const [, hooks] = /^\s*hooksPath\s*=\s*"?([^"\s]+)/im.exec(textOf(below(root.path, ".git/config"))) ?? [];
    const path = hooks === undefined ? "" : normalize(hooks).replace(/\/$/, "");
    if (path !== "" && !isAbsolute(path) && !path.startsWith("..")) this.#add(root, path, [path]);
  }

  /** Adds the settings of a repository, and of those of its modules, that have a login. */
  #addLogins(root: SearchRoot, repository: string): void {
    if (this.#before) return;
    for (const path of ["config", "config.worktree"].map((name) => below(repository, name)))
      if (hasGitLogin(textOf(below(root.path, path)))) this.keys.push({ root, path });
    this.#addModules(root, below(repository, "modules"));
  }

  /** The name of a module may have a `/`, so its repository may be in a folder of its own. */
  #addModules(root: SearchRoot, folder: string): void {
    for (const name of namesIn(below(root.path, folder))) {
      if (this.#left <= 0) {
        this.isWhole = false;
        return;
      }
      this.#left--;
      const path = below(folder, name);
      if (isThere(below(below(root.path, path), "HEAD"))) this.#addLogins(root, path);
      else this.#addModules(root, path);
    }
  }

  /** Returns whether the process has made it: then what is in it is searched, too. */
  #add(root: SearchRoot, path: string, kept: readonly string[]): boolean {
    // Its folder may be closed.
    const found = this.#statOf(below(root.path, path)) && identityOf(below(root.path, path));
    if (!found || this.#known.has(found.identity)) return false;
    this.obeyed.push({ root, path, kept, ...found });
    return this.#before !== undefined;
  }
}

/** Searches what a process will see. `writesGit`: see `Confinement`. */
export function searchBefore(roots: readonly SearchRoot[], writesGit: boolean): Found {
  return new Search(roots, undefined, writesGit);
}

/** Searches for what was not there before, or is a link to something else now. */
export function searchAfter(roots: readonly SearchRoot[], before: Found, writesGit: boolean): Found {
  const { keys, obeyed, folders, startedMs, isWhole } = new Search(roots, before, writesGit);
  const changed = before.obeyed.flatMap((one) => {
    const now = one.isLink ? identityOf(below(one.root.path, one.path)) : undefined;
    const isFound = obeyed.some(({ root, path }) => root === one.root && path === one.path);
    return now && now.identity !== one.identity && !isFound ? [{ ...one, ...now }] : [];
  });
  return { keys, folders, startedMs, isWhole, obeyed: [...obeyed, ...changed] };
}

/** `named`: its path below the folder of the project, if it is in one. */
export function isKeyFile(path: string, named = path): boolean {
  return holdsKeys(named) || (mayHoldPrivateKey(path) && hasPrivateKey(textOf(path)));
}

/** The text of a file; empty if there is none, or it cannot be read. */
function textOf(path: string): string {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() && stat.size <= TEXT_BYTES_MAX ? readFileSync(path, "latin1") : "";
  } catch {
    return "";
  }
}

/** The bytes of an index; empty if it cannot be read, which is no index. */
function bytesOf(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch {
    return new Uint8Array();
  }
}

/** No settings and no key are longer. */
const TEXT_BYTES_MAX = 1024 * 1024;

function namesIn(folder: string): readonly string[] {
  return entriesIn(folder).map(({ name }) => name);
}

function entriesIn(folder: string): ReturnType<typeof readEntries> {
  try {
    return readEntries(folder);
  } catch {
    return [];
  }
}

function readEntries(path: string) {
  return readdirSync(path, { withFileTypes: true });
}

/** gitrepository-layout(5): what makes a folder of any name a repository. */
const repositoryParts: ReadonlySet<string> = new Set(["HEAD", "objects", "refs", "commondir"]);

function isRepository(parts: ReadonlySet<string>): boolean {
  return parts.has("HEAD") && (parts.has("commondir") || (parts.has("objects") && parts.has("refs")));
}

/** The identity of a link includes where it leads, because other programs obey what is there. */
function identityOf(path: string): Pick<Obeyed, "identity" | "isLink"> | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return undefined;
  const own = `${stat.dev}:${stat.ino}`;
  if (!stat.isSymbolicLink()) return { identity: own, isLink: false };
  return { identity: `${own}:${stat.ctimeMs}>${targetOf(path)}`, isLink: true };
}

function targetOf(path: string): string {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return "";
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

export function below(folder: string, path: string): string {
  return folder === "" || path === "" ? folder + path : `${folder}/${path}`;
}
