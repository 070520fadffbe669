// Trust after a change: a tool needs trust in its own definition and in the files that it could run, not in the whole
// folder. So a new or changed file asks about itself, a removed one about nothing, and the other tools go on.
import type { Host } from "../tool/host.ts";
import { CONFIGURATION_NAME } from "./discover.ts";
import type { ToolTree } from "./tool-tree.ts";

/** A folder as it is now, and what was trusted of it. */
export interface PartTrust {
  readonly tree: ToolTree;
  /** What was trusted, by path: the hash of a file, or what another entry is. */
  readonly accepted: Readonly<Record<string, string>>;
}

export type FileDistrust = { readonly reason: "new" | "changed"; readonly files: readonly string[] };

/** Returns the content of every entry by path: the hash of a file, or what another entry is. */
export function contentsOf({ files, others }: Pick<ToolTree, "files" | "others">): Readonly<Record<string, string>> {
  return Object.fromEntries([
    ...files.map(({ path, sha256 }) => [path, sha256]),
    ...others.map(({ path, is }) => [path, is]),
  ]);
}

/**
 * Returns the paths that are new or have changed since they were trusted, sorted. Of those that are gone only the
 * settings count, whose rules may deny.
 */
export function changedPaths({ tree, accepted }: PartTrust): readonly string[] {
  const now = contentsOf(tree);
  return [
    ...new Set([...Object.keys(now), ...(Object.hasOwn(accepted, CONFIGURATION_NAME) ? [CONFIGURATION_NAME] : [])]),
  ]
    .filter((path) => !isAccepted(path, now[path], accepted))
    .sort();
}

/** `is` is the hash of a file, or what another entry is. */
export function isAccepted(path: string, is: string | undefined, accepted: PartTrust["accepted"]): boolean {
  return is !== undefined && Object.hasOwn(accepted, path) && accepted[path] === is;
}

/** Returns the changed files that tools or plugins may run or import: all but definitions, settings and plugins. */
export function changedPrograms(part: PartTrust): readonly string[] {
  return changedPaths(part).filter((path) => isProgram(path) && !/^plugins\/[^/]*\.ts$/.test(path));
}

/** `files` are paths in the folder. The reason is that of the first one. */
export function fileDistrust(files: readonly string[], { accepted }: PartTrust): FileDistrust {
  return { reason: files.some((path) => Object.hasOwn(accepted, path)) ? "changed" : "new", files };
}

interface PartDefinition {
  /** Its place within the folder. */
  readonly path: string;
  /** The hash of what was parsed. */
  readonly sha256: string | undefined;
  /** Returns the bytes that the file has now. */
  read(): Uint8Array;
}

/** Returns why a definition does not run. */
export function distrustInPart(
  { path, sha256, read }: PartDefinition,
  part: PartTrust,
  host: Host,
): FileDistrust | undefined {
  if (!isAccepted(path, sha256, part.accepted)) return fileDistrust([path], part);
  const programs = changedPaths(part).filter(isProgram);
  if (programs.length === 0) return undefined;
  const bytes = read();
  if (host.sha256(bytes) !== sha256) return fileDistrust([path], part);
  return namesPrograms(new TextDecoder().decode(bytes), part) ? fileDistrust(programs, part) : undefined;
}

/** Scripts, modules and data. YAML below a folder may be data for them. */
function isProgram(path: string): boolean {
  return path !== CONFIGURATION_NAME && !/\.tool$|^(?:[^/]+\/)?tool\.ya?ml$|^[^/]+\.ya?ml$/.test(path);
}

/**
 * Whether a definition names a file of the folder, or the folder. Such a file may run all the others, so then they all
 * count.
 */
function namesPrograms(text: string, { tree, accepted }: PartTrust): boolean {
  const paths = [...Object.keys(contentsOf(tree)), ...Object.keys(accepted)];
  return (
    /\.tools\b|entrypoint/.test(text) ||
    paths.some((path) => isProgram(path) && path.split("/").some((part) => text.includes(part)))
  );
}
