// Whether the content of a tool folder may take effect. A folder that the caller names is trusted. The user's and the
// machine's folders are trusted by place, if no one else can write to them. A project's folder is trusted by its
// content, once a person has reviewed it; after a change, file by file (partly-trusted.ts). Nothing in a project
// influences this: no file of it, no `.git`, no link, and no folder above it.
import { basename, dirname, join, sep } from "node:path";
import { RUN_ID_VARIABLE } from "../tool/run-id.ts";
import type { Host } from "../tool/host.ts";
import { PROJECT_FOLDER_NAME, type ToolFolder } from "./tool-folders.ts";
import { codeOf } from "../tool/error-code.ts";
import { codeOfFileError, readProblem } from "./file-problem.ts";
import { changedPaths, distrustInPart } from "./partly-trusted.ts";
import { isSameTree, readTree, type ToolTree, type TreeProblem } from "./tool-tree.ts";
import type { Distrust, TrustState } from "./trust-state.ts";
import { readKnownTree, readRecord, readTrustedTexts, writeKnownTree } from "./trust-store.ts";

/** The content of a definition as it was parsed. */
export interface DefinitionContent {
  readonly folder: ToolFolder;
  /** Absolute. */
  readonly path: string;
  readonly sha256: string | undefined;
  /** Set if it is used as it was trusted, since only texts have changed. */
  readonly trustedSha256?: string;
}

type PlacedFolder = Pick<ToolFolder, "scope" | "path" | "isLookedAt" | "package">;

/** Whether the caller named the folder to use it, with `--tools` or DOTTOOL_PATH. */
export function isCallersWord({ scope, isLookedAt }: PlacedFolder): boolean {
  return scope === "given" && !isLookedAt;
}

/**
 * Checks each time: files change while a program runs. Costs one `stat` of each file of a project's folder, and nothing
 * where the folder was named.
 */
export function trustStateOf(folder: PlacedFolder, host: Host): TrustState {
  switch (folder.scope) {
    case "given":
      return folder.isLookedAt ? projectState(projectRootOf(folder.path), host) : { isTrusted: true };
    case "bundle":
      return bundleState(folder.path, host);
    case "user":
    case "global":
      return stateOf(placeProblem(folder.path, folder.path, host));
    case "project":
      return projectState(projectRootOf(folder.path), host);
    case "package":
      return folder.package?.trustState() ?? stateOf({ reason: "new" });
  }
}

/**
 * Checks one definition, and that what was parsed is what is trusted, even if it was swapped in between. `state` is
 * that of its folder, if that is already known.
 */
export function distrustOf(
  content: DefinitionContent,
  host: Host,
  state = trustStateOf(content.folder, host),
): Distrust | undefined {
  const { folder, path, sha256, trustedSha256 } = content;
  if (state.part) {
    const read = (): Uint8Array => host.instant.readBytes(path, DEFINITION_BYTES_MAX);
    return distrustInPart({ path: insidePathOf(folder, path), sha256, trustedSha256, read }, state.part, host);
  }
  if (!state.isTrusted) return state.distrust;
  if (state.tree) return state.tree.files.some((file) => file.sha256 === sha256) ? undefined : { reason: "changed" };
  return isCallersWord(folder) ? undefined : placeProblem(folder.path, path, host);
}

/**
 * The key of a project's trust: the place of its tool folder, without links above it; a link in its own place stays
 * one. Throws if there is no folder.
 */
export function trustKeyOf(path: string, host: Host): string {
  const root = projectRootOf(path);
  return join(host.instant.realPath(dirname(root)), basename(root));
}

/** Returns the path of a file as records of trust have it. */
export function insidePathOf(folder: Pick<ToolFolder, "path">, path: string): string {
  return path.slice(projectRootOf(folder.path).length + 1).replaceAll(sep, "/");
}

/** A tool folder within `.tools`, named by a plugin, is a part of it. */
export function projectRootOf(path: string): string {
  const parts = path.split(sep);
  const index = parts.lastIndexOf(PROJECT_FOLDER_NAME);
  return index === -1 ? path : parts.slice(0, index + 1).join(sep);
}

/**
 * A tool, a model or a script that a tool runs must not decide what may run, and clearing its environment helps it
 * nothing.
 */
export function isInsideRun(host: Host): boolean {
  return (host.environment(RUN_ID_VARIABLE) ?? "") !== "" || host.shared.isSetInAncestor(RUN_ID_VARIABLE);
}

/** Returns the hashes in DOTTOOL_TRUST: folders that are trusted while the program runs. */
export function trustedHashes(host: Host): readonly string[] {
  const hashes = (host.environment("DOTTOOL_TRUST") ?? "").split(/[\s,]+/).filter((hash) => hash !== "");
  return hashes.length > 0 && isInsideRun(host) ? [] : hashes;
}

function stateOf(distrust: Distrust | undefined): TrustState {
  return distrust ? { isTrusted: false, distrust } : { isTrusted: true };
}

function projectState(root: string, host: Host): TrustState {
  const key = keyOrProblem(root, host);
  if (typeof key !== "string") return stateOf(key);
  const record = readRecord(key, host);
  const inside = record && stateFolderProblem(key, host);
  if (inside) return stateOf(inside);
  const accepted = [...(record ? [record.sha256] : []), ...trustedHashes(host)];
  if (accepted.length === 0) return stateOf({ reason: "new" });
  const tree = presentTree(root, key, host);
  if ("problem" in tree) return stateOf({ reason: "unsafe", problem: "unreadable", at: tree.problem, help: tree.help });
  if (accepted.includes(tree.sha256)) return { isTrusted: true, tree };
  const before = record && readTrustedTexts(record, host);
  if (!before) return stateOf({ reason: record ? "changed" : "new" });
  const part = { tree, accepted: before.sums, texts: before.texts };
  const files = changedPaths(part);
  return files.length === 0
    ? { isTrusted: true, tree, part }
    : { isTrusted: false, distrust: { reason: "changed", files }, part };
}

/** Trusts what was unpacked from the executable, as long as nothing of it has changed. */
function bundleState(path: string, host: Host): TrustState {
  const root = host.bundle?.folder ?? path;
  if (!host.instant.stat(root)) return stateOf({ reason: "changed" });
  const tree = presentTree(root, root, host);
  return "sha256" in tree && tree.sha256 === host.bundle?.treeSha256
    ? { isTrusted: true, tree }
    : stateOf({ reason: "changed" });
}

/** Returns the content of a folder, from what is known of it where no file has changed since. */
export function presentTree(root: string, key: string, host: Host): ToolTree | TreeProblem {
  const known = readKnownTree(key, host);
  if (known !== undefined && isSameTree(root, known, host)) return known;
  const tree = readTree(root, { host });
  if (!("problem" in tree)) writeKnownTree(key, tree, host);
  return tree;
}

export function keyOrProblem(root: string, host: Host): string | Distrust {
  try {
    return trustKeyOf(root, host);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { reason: "unsafe", problem: "gone", at: root };
    const [fact, help] = readProblem(root, codeOfFileError(error));
    return { reason: "unsafe", problem: "unreadable", at: `cannot be read: ${fact}`, help };
  }
}

/**
 * Returns why the state folder does not count. A repository could contain the record of its own trust, so no record is
 * read from one. A home folder may hold both without being a repository.
 */
export function stateFolderProblem(key: string, host: Host): Distrust | undefined {
  const project = dirname(key) + sep;
  const isInside = (folder: string): boolean => (realPathOf(folder, host) + sep).startsWith(project);
  const { state, home } = host.folders;
  return isInside(state) && !isInside(home) ? { reason: "unsafe", problem: "state-inside", at: state } : undefined;
}

/** Returns the real path, or the given one if there is no file. */
export function realPathOf(path: string, host: Host): string {
  try {
    return host.instant.realPath(path);
  } catch {
    return path;
  }
}

/** Definitions have a lower limit. */
const DEFINITION_BYTES_MAX = 64 * 1024 * 1024;

const OTHERS_MAY_WRITE = 0o022;

/**
 * Returns why a place is not safe: a user who can write there can write what this user runs. `path` is in `folder`, or
 * the folder itself.
 */
function placeProblem(folder: string, path: string, host: Host): Distrust | undefined {
  if (host.platform === "windows") return undefined;
  for (let looked = path; looked.length >= folder.length; looked = dirname(looked)) {
    const found = host.instant.stat(looked);
    if (!found) continue;
    if (!found.isOwn && !found.isOfRoot) return { reason: "unsafe", problem: "foreign", at: looked };
    if ((found.mode & OTHERS_MAY_WRITE) !== 0) return { reason: "unsafe", problem: "writable", at: looked };
  }
  return undefined;
}
