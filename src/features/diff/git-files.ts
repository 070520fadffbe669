// The tool folder of a project as a commit has it, in a temporary folder. git only reads objects: it checks out nothing,
// asks no server, and runs no filter, hook or program of the repository.
import { dirname, join } from "node:path";
import type { Host } from "../../core/tool/host.ts";
import { runGit } from "../packages/git.ts";
import { LOCK_NAME } from "../packages/lock.ts";
import { Refusal } from "../packages/refusal.ts";

const FILES_MAX = 5_000;
const FILE_BYTES_MAX = 1024 * 1024;
const ALL_BYTES_MAX = 64 * 1024 * 1024;

interface Blob {
  /** Within the project, with `/`. */
  readonly path: string;
  readonly isExecutable: boolean;
  readonly id: string;
  readonly sizeBytes: number;
}

export interface GitPlace {
  readonly host: Host;
  readonly signal: AbortSignal;
  /** Absolute: the folder of the project, in a repository. */
  readonly root: string;
}

/** Returns the commit that a word names, or undefined if it names none. Throws a `Refusal` if git does not work here. */
export async function commitOf(ref: string, place: GitPlace): Promise<string | undefined> {
  const { exitCode, errors } = await git(["rev-parse", "--git-dir"], place);
  if (exitCode !== 0) throw new Refusal("failed", `git cannot read this repository: ${errors.split("\n")[0] ?? ""}`);
  const found = await git(["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`], place);
  const commit = new TextDecoder().decode(found.output).trim();
  return found.exitCode === 0 && /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined;
}

/**
 * Writes the files below `folder`, which is a path within the project, into `to`, and those elsewhere in the project
 * that `named` or a text among them names: an approval is bound to them, too.
 */
export async function writeFilesOf(
  commit: string,
  { folder, named, to }: { readonly folder: string; readonly named: readonly string[]; readonly to: string },
  place: GitPlace,
): Promise<void> {
  const blobs = await blobsOf(commit, place);
  const isInside = ({ path }: Blob): boolean => path.startsWith(`${folder}/`);
  const inside = blobs.filter(isInside);
  const contents = await contentsOf(inside, place);
  const texts = [...contents.values()].map((bytes) => new TextDecoder().decode(bytes));
  const words = texts.flatMap((text) => text.match(/[\w.~@%+/-]+/g) ?? []).map((word) => word.replace(/^\.\//, ""));
  const wanted = new Set([...words, ...named, LOCK_NAME]);
  const others = blobs.filter((blob) => wanted.has(blob.path) && !isInside(blob));
  for (const [blob, bytes] of [...contents, ...(await contentsOf(others, place))]) {
    const path = join(to, blob.path);
    await place.host.files.makeFolder(dirname(path));
    const writer = await place.host.files.create(path, { mode: blob.isExecutable ? 0o700 : 0o600 });
    await writer.write(bytes).finally(() => writer.close());
  }
}

/** Returns the regular files of the project; links and submodules are left out. */
async function blobsOf(commit: string, place: GitPlace): Promise<readonly Blob[]> {
  const { exitCode, output, errors } = await git(["ls-tree", "-r", "-z", "-l", commit], place);
  if (exitCode !== 0) throw new Refusal("failed", `git cannot list the files of ${commit}: ${errors}`);
  const lines = new TextDecoder().decode(output).split("\0");
  return lines.flatMap((line) => {
    const [, mode, id = "", size, path = ""] = /^(100644|100755) blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(line) ?? [];
    // A tree that was made by hand may have any names.
    const isPlain = path.split("/").every((part) => !["", ".", ".."].includes(part)) && !/[\\:]/.test(path);
    return mode && isPlain ? [{ path, isExecutable: mode === "100755", id, sizeBytes: Number(size) }] : [];
  });
}

async function contentsOf(blobs: readonly Blob[], place: GitPlace): Promise<ReadonlyMap<Blob, Uint8Array>> {
  const read = blobs.filter(({ sizeBytes }) => sizeBytes <= FILE_BYTES_MAX);
  if (read.length > FILES_MAX || read.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > ALL_BYTES_MAX)
    throw new Refusal("failed", `the tool folder has more than ${FILES_MAX} files or 64 MiB`);
  const ids = read.map(({ id }) => `${id}\n`).join("");
  const { output, exitCode, errors } = await git(["cat-file", "--batch"], place, ids);
  if (exitCode !== 0) throw new Refusal("failed", `git cannot read files: ${errors}`);
  const contents = new Map<Blob, Uint8Array>();
  let at = 0;
  for (const blob of read) {
    // `ID blob SIZE`, the bytes, and a line end.
    const start = output.indexOf(10, at) + 1;
    if (!new TextDecoder().decode(output.subarray(at, start)).endsWith(` blob ${blob.sizeBytes}\n`))
      throw new Refusal("failed", `git has no content of \`${blob.path}\``);
    contents.set(blob, output.subarray(start, start + blob.sizeBytes));
    at = start + blob.sizeBytes + 1;
  }
  return contents;
}

function git(words: readonly string[], { host, root, signal }: GitPlace, stdin?: string): ReturnType<typeof runGit> {
  // Objects that a partial clone lacks would be fetched by programs that its configuration names.
  const declared = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "", GIT_OPTIONAL_LOCKS: "0" };
  return runGit(words, { folder: root, host, signal, declared, ...(stdin === undefined ? {} : { stdin }) });
}
