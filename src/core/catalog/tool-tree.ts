// The whole content of a project's tool folder, to which trust is bound. All of it counts, because a definition runs
// scripts beside it, and a plugin imports any module. It is read completely when something may have changed; a warm
// call only compares facts of files.
import { join, relative, sep } from "node:path";
import type { FileFacts, FolderEntry, Host } from "../tool/host.ts";
import { isUnanswered } from "../tool/error-code.ts";
import { codeOfFileError, readProblem } from "./file-problem.ts";
import { hasStableFacts } from "./cache.ts";

interface TreeFile extends Required<FileFacts> {
  /** The path within the tool folder, with `/`. */
  readonly path: string;
  readonly sha256: string;
}

export interface ToolTree {
  /** The hash of all paths and contents; it does not depend on where the folder is. */
  readonly sha256: string;
  /** The files, also behind links, sorted by path. */
  readonly files: readonly TreeFile[];
  /** All folders; the tool folder itself is an empty text. */
  readonly folders: readonly string[];
  /** Entries without content: links to nothing or into the folder, FIFOs, sockets. */
  readonly others: readonly OtherEntry[];
  /** The wall clock before anything was read. */
  readonly checkedMs: number;
}

interface OtherEntry {
  readonly path: string;
  /** `other`, or `link` with where it leads. */
  readonly is: string;
}

/** Why a folder cannot be searched. */
export interface TreeProblem {
  /** The end of a sentence that begins with the folder. */
  readonly problem: string;
  readonly help: string;
}

interface ReadTreeOptions {
  readonly host: Host;
  /** Takes what has been read and counted, so that what is shown is what was hashed. */
  onFile?(path: string, bytes: Uint8Array): void;
}

export const TREE_FILES_MAX = 20_000;
export const TREE_BYTES_MAX = 256 * 1024 * 1024;
export const TREE_FOLDERS_MAX = 5_000;
export const TREE_DEPTH_MAX = 32;

class Unfit extends Error {
  readonly help: string;

  constructor(problem: string, help: string) {
    super(problem);
    this.help = help;
  }
}

const MOVE_OUT = "move out the files that its tools neither run nor import; npm packages can be bundled into one file";

/** `folder` is an absolute path. Throws if its content is not known now, as on a broken disk: its rules may deny. */
export function readTree(folder: string, options: ReadTreeOptions): ToolTree | TreeProblem {
  const reading = new Reading(folder, options);
  try {
    reading.readFolder("", 0);
  } catch (error) {
    if (isUnanswered(error)) throw error;
    const { message: problem, help } = error instanceof Unfit ? error : unfit("", error);
    return { problem, help };
  }
  return reading.tree();
}

/** Returns the hash of what is in a folder. Both lists are sorted by path. */
export function treeSha256(
  { files, others }: { readonly files: readonly Pick<TreeFile, "path" | "sha256">[] } & Pick<ToolTree, "others">,
  host: Pick<Host, "sha256">,
): string {
  const lines = [
    ...files.map(({ path, sha256 }) => ["file", path, sha256]),
    ...others.map(({ path, is }) => ["other", path, is]),
  ];
  return host.sha256(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

class Reading {
  readonly #root: string;
  readonly #realRoot: string;
  readonly #options: ReadTreeOptions;
  readonly #files: TreeFile[] = [];
  readonly #folders: string[] = [];
  readonly #others: OtherEntry[] = [];
  readonly #linked = new Set<string>();
  readonly #checkedMs: number;
  #bytes = 0;

  constructor(root: string, options: ReadTreeOptions) {
    this.#root = root;
    this.#options = options;
    this.#realRoot = realPathOf(root, options.host) ?? root;
    this.#checkedMs = Date.parse(options.host.timestamp());
  }

  readFolder(path: string, depth: number): void {
    if (depth > TREE_DEPTH_MAX) throw new Unfit(`has folders nested more than ${TREE_DEPTH_MAX} deep`, MOVE_OUT);
    if (this.#folders.push(path) > TREE_FOLDERS_MAX)
      throw new Unfit(`has more than ${count(TREE_FOLDERS_MAX)} folders`, MOVE_OUT);
    for (const entry of this.#options.host.instant.list(join(this.#root, path))) {
      const inside = path === "" ? entry.name : `${path}/${entry.name}`;
      try {
        this.#readEntry(inside, entry.kind, depth);
      } catch (error) {
        throw error instanceof Unfit || isUnanswered(error) ? error : unfit(inside, error);
      }
    }
  }

  #readEntry(path: string, listed: FolderEntry["kind"], depth: number): void {
    // The content of a name that cannot be opened again would not count.
    if (
      path.slice(path.lastIndexOf("/") + 1).includes("\uFFFD") &&
      !this.#options.host.instant.stat(join(this.#root, path))
    )
      throw unfit(path, Object.assign(new Error(), { code: "ENOENT" }));
    const kind = listed === "link" ? this.#readLink(path) : listed;
    if (kind === "file") this.#readFile(path);
    else if (kind === "folder") this.readFolder(path, depth + 1);
    else if (kind === "other") this.#others.push({ path, is: kind });
  }

  tree(): ToolTree {
    const files = this.#files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    const others = this.#others.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    return {
      sha256: treeSha256({ files, others }, this.#options.host),
      files,
      folders: this.#folders,
      others,
      checkedMs: this.#checkedMs,
    };
  }

  /** Returns the kind of a link's target; undefined if it has no content, or content that is counted anyway. */
  #readLink(path: string): FolderEntry["kind"] | undefined {
    const { host } = this.#options;
    const kind = host.instant.stat(join(this.#root, path))?.kind;
    if (kind !== "folder") {
      if (kind === undefined) this.#others.push({ path, is: "link" });
      return kind;
    }
    // A folder that is there already would be walked forever.
    const target = realPathOf(join(this.#root, path), host) ?? "";
    if (this.#realRoot.startsWith(target + sep))
      throw new Unfit(`has a link to a folder that contains it: \`${path}\``, "remove the link");
    if (target === this.#realRoot || target.startsWith(this.#realRoot + sep) || this.#linked.has(target)) {
      this.#others.push({ path, is: linkText(target, this.#realRoot) });
      return undefined;
    }
    this.#linked.add(target);
    return kind;
  }

  #readFile(path: string): void {
    const { host, onFile } = this.#options;
    if (this.#files.length >= TREE_FILES_MAX) throw new Unfit(`has more than ${count(TREE_FILES_MAX)} files`, MOVE_OUT);
    const whole = join(this.#root, path);
    const stat = host.instant.stat(whole);
    const left = TREE_BYTES_MAX - this.#bytes;
    const tooLarge = new Unfit(`has more than ${TREE_BYTES_MAX / 1024 / 1024} MiB`, MOVE_OUT);
    if ((stat?.sizeBytes ?? 0) > left) throw tooLarge;
    const bytes = host.instant.readBytes(whole, left);
    this.#bytes += bytes.length;
    onFile?.(path, bytes);
    const { sizeBytes = 0, mtimeMs = 0, ctimeMs = 0, inode = 0 } = stat ?? {};
    this.#files.push({ path, sha256: host.sha256(bytes), sizeBytes, mtimeMs, ctimeMs, inode });
  }
}

function unfit(path: string, error: unknown): Unfit {
  const [fact, help] = readProblem(path, codeOfFileError(error));
  return path === ""
    ? new Unfit(`cannot be read: ${fact}`, help)
    : new Unfit(`has \`${path}\`, which cannot be read: ${fact}`, help);
}

function count(number: number): string {
  return number.toLocaleString("en");
}

/** Describes a link by its target within the folder, so that the folder's own place does not matter. */
function linkText(target: string, root: string): string {
  return `link ${relative(root, target).replaceAll(sep, "/")}`;
}

function realPathOf(path: string, host: Host): string | undefined {
  try {
    return host.instant.realPath(path);
  } catch {
    return undefined;
  }
}

/** Whether the folder is as it was, by the facts of its files. `false` says nothing: only reading tells. */
export function isSameTree(folder: string, known: ToolTree, host: Host): boolean {
  if (known.others.length > 0) return false;
  const files = new Map(known.files.map((file) => [file.path, file]));
  const folders = new Set(known.folders);
  const isSame = (path: string): boolean => {
    const names = host.instant.names(path === "" ? folder : join(folder, path));
    for (const name of names) {
      const inside = path === "" ? name : `${path}/${name}`;
      const file = files.get(inside);
      if (
        file
          ? !hasSameFacts(folder, file, { host, checkedMs: known.checkedMs })
          : !folders.has(inside) || !isSame(inside)
      )
        return false;
      seenCount++;
    }
    return true;
  };
  let seenCount = 0;
  try {
    return isSame("") && seenCount === known.files.length + known.folders.length - 1;
  } catch {
    return false;
  }
}

/** Whether it is the file that was read into the tree, by its facts. */
export function hasSameFacts(
  folder: string,
  file: TreeFile,
  { host, checkedMs }: { readonly host: Host; readonly checkedMs: number },
): boolean {
  const path = `${folder}${sep}${file.path.replaceAll("/", sep)}`;
  return hasStableFacts(file, checkedMs) && host.instant.isFileWith(path, file);
}
