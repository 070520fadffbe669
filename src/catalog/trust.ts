// Whether what lies in a tool folder may take effect. A folder that the caller names is the caller's own word; the
// user's and the machine's folders are trusted by place, where nobody else can write to them; a project's folder by its
// content, once a person has looked at it. No byte of a project has a say in this: neither its files, nor its `.git`,
// nor links, nor the folders above it.
import { basename, dirname, join, sep } from "node:path";
import { RUN_ID_VARIABLE } from "../tool/run-id.ts";
import { isUnanswered } from "../tool/error-code.ts";
import type { Host } from "../tool/host.ts";
import { CONFIGURATION_NAME } from "./discover.ts";
import { PROJECT_FOLDER_NAME, type ToolFolder } from "./tool-folders.ts";
import { isSameFile, isSameTree, readTree, type ToolTree } from "./tool-tree.ts";
import { readKnownTree, readRecord, recordTrouble, writeKnownTree } from "./trust-store.ts";

/** The content of a definition as it was parsed. */
export interface DefinitionContent {
  readonly folder: ToolFolder;
  /** Absolute. */
  readonly path: string;
  readonly sha256: string | undefined;
}

export type Distrust =
  /** Nobody has trusted it, or not as it is now. */
  | { readonly reason: "new" | "changed" }
  /**
   * It cannot be trusted as it lies there; `at`: the path that is in the way, or for `unreadable` the end of a sentence
   * that begins with the folder, with what helps in `help`.
   */
  | {
      readonly reason: "unsafe";
      readonly problem: "foreign" | "writable" | "state-inside" | "gone" | "unreadable";
      readonly at: string;
      readonly help?: string;
    };

export type TrustState =
  /** `tree`: of a project's folder, as it was when this was asked. */
  { readonly isTrusted: true; readonly tree?: ToolTree } | { readonly isTrusted: false; readonly distrust: Distrust };

type PlacedFolder = Pick<ToolFolder, "scope" | "path" | "isLookedAt">;

/** Whether the caller named the folder to use it, with `--tools` or DOTTOOL_PATH. */
export function isCallersWord({ scope, isLookedAt }: PlacedFolder): boolean {
  return scope === "given" && !isLookedAt;
}

/**
 * Looks anew each time: files change while a program runs. Costs one look at each file of a project's folder, and
 * nothing where the folder was named.
 */
export function trustStateOf(folder: PlacedFolder, host: Host): TrustState {
  switch (folder.scope) {
    case "given":
      return folder.isLookedAt ? projectState(projectRootOf(folder.path), host) : { isTrusted: true };
    case "user":
    case "global":
      return stateOf(placeProblem(folder.path, folder.path, host));
    case "project":
      return projectState(projectRootOf(folder.path), host);
  }
}

/**
 * Of one definition: also that what was parsed is what is trusted, whatever was swapped in between. `state`: of its
 * folder, where that was just asked.
 */
export function distrustOf(
  { folder, path, sha256 }: DefinitionContent,
  host: Host,
  state = trustStateOf(folder, host),
): Distrust | undefined {
  if (!state.isTrusted) return state.distrust;
  if (state.tree) return state.tree.files.some((file) => file.sha256 === sha256) ? undefined : { reason: "changed" };
  return isCallersWord(folder) ? undefined : placeProblem(folder.path, path, host);
}

/**
 * The settings of a project, where it is trusted and has any: the text that was trusted. With `trouble`, a whole
 * sentence, where something was trusted and nobody can tell what: its rules may deny what is asked for.
 */
export function trustedConfig(
  folder: PlacedFolder,
  host: Host,
): { readonly path: string; readonly text: string; readonly trouble?: string } | undefined {
  const state = trustStateOf(folder, host);
  if (!state.isTrusted) {
    const trouble = recordTrouble(trustKeyOf(folder.path, host), host);
    return trouble === undefined
      ? undefined
      : {
          path: join(projectRootOf(folder.path), CONFIGURATION_NAME),
          text: "",
          trouble: `${trouble}; \`dottool trust\` looks at the project again`,
        };
  }
  if (!state.tree) return undefined;
  const file = state.tree.files.find(({ path }) => path === CONFIGURATION_NAME);
  if (!file) return undefined;
  const path = join(projectRootOf(folder.path), CONFIGURATION_NAME);
  // Swapped since it was looked at: then it is not what was trusted, and does not count.
  try {
    const bytes = host.instant.readBytes(path, file.sizeBytes);
    const isSame =
      isSameFile(projectRootOf(folder.path), file, { host, checkedMs: state.tree.checkedMs }) ||
      host.sha256(bytes) === file.sha256;
    return isSame ? { path, text: new TextDecoder().decode(bytes) } : undefined;
  } catch (error) {
    // Rules that nobody can read now may deny what is asked for.
    if (isUnanswered(error)) throw error;
    return undefined;
  }
}

/**
 * What a project's trust goes by: the place of its tool folder, without links above it; a link in its own place stays
 * one. Throws where there is no folder.
 */
export function trustKeyOf(path: string, host: Host): string {
  const root = projectRootOf(path);
  return join(host.instant.realPath(dirname(root)), basename(root));
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
  return (host.environment(RUN_ID_VARIABLE) ?? "") !== "" || host.shared.isSetAbove(RUN_ID_VARIABLE);
}

/** From DOTTOOL_TRUST: hashes of folders that are trusted for as long as the program runs. */
export function trustedHashes(host: Host): readonly string[] {
  const hashes = (host.environment("DOTTOOL_TRUST") ?? "").split(/[\s,]+/).filter((hash) => hash !== "");
  return hashes.length > 0 && isInsideRun(host) ? [] : hashes;
}

function stateOf(distrust: Distrust | undefined): TrustState {
  return distrust ? { isTrusted: false, distrust } : { isTrusted: true };
}

function projectState(root: string, host: Host): TrustState {
  const key = keyOrNothing(root, host);
  if (key === undefined) return stateOf({ reason: "unsafe", problem: "gone", at: root });
  const record = readRecord(key, host);
  const inside = record && stateFolderProblem(key, host);
  if (inside) return stateOf(inside);
  const accepted = [...(record ? [record.sha256] : []), ...trustedHashes(host)];
  if (accepted.length === 0) return stateOf({ reason: "new" });
  const known = readKnownTree(key, host);
  if (known && accepted.includes(known.sha256) && isSameTree(root, known, host))
    return { isTrusted: true, tree: known };
  const tree = readTree(root, { host });
  if ("problem" in tree) return stateOf({ reason: "unsafe", problem: "unreadable", at: tree.problem, help: tree.help });
  if (!accepted.includes(tree.sha256)) return stateOf({ reason: record ? "changed" : "new" });
  writeKnownTree(key, tree, host);
  return { isTrusted: true, tree };
}

function keyOrNothing(root: string, host: Host): string | undefined {
  try {
    return trustKeyOf(root, host);
  } catch {
    return undefined;
  }
}

/**
 * A repository could bring the record of its own trust along, if that were looked for in the repository. A home folder
 * holds both, and is nobody's repository.
 */
export function stateFolderProblem(key: string, host: Host): Distrust | undefined {
  const project = dirname(key) + sep;
  const isInside = (folder: string): boolean => (realPathOf(folder, host) + sep).startsWith(project);
  const { state, home } = host.folders;
  return isInside(state) && !isInside(home) ? { reason: "unsafe", problem: "state-inside", at: state } : undefined;
}

/** As it is written, where there is nothing. */
function realPathOf(path: string, host: Host): string {
  try {
    return host.instant.realPath(path);
  } catch {
    return path;
  }
}

const OTHERS_MAY_WRITE = 0o022;

/** Whoever can write there can write what the user runs. `path`: in `folder`, or the folder itself. */
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
