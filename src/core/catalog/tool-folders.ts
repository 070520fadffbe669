// The folders with tools, nearest first: those that the caller named, the one inside a
// team's executable, the project's, the user's and the machine's.
import { dirname, join, resolve, sep } from "node:path";
import type { Diagnostic } from "../text/diagnostic.ts";
import type { Scope } from "../tool/definition.ts";
import type { Host } from "../tool/host.ts";
import { unreadable } from "./file-problem.ts";
import { shownPathOf } from "./load.ts";
import type { PackageFolder } from "./package-folder.ts";

export interface ToolFolder {
  readonly scope: Exclude<Scope, "builtin">;
  /** Absolute. */
  readonly path: string;
  /** The path as people see it: relative to the working folder where that is shorter. */
  readonly shownPath: string;
  /** Whether it was named, so that it is reported if it is missing. Others may be missing. */
  readonly isNamed: boolean;
  /** Set if it was named for inspection and not to run. Its trust then depends on its content, whatever its scope. */
  readonly isLookedAt?: true;
  /** Set for the folder of an installed package. */
  readonly package?: PackageFolder;
}

/** A folder that a plugin adds. `scope` is that of the folder with the plugin, whose rights it has. */
export type ContributedFolder = Pick<ToolFolder, "scope" | "path">;

/** A folder inspected from another project. `path` has no links. With `given`, its definitions may have any name. */
export interface LookedAtFolder extends Pick<ToolFolder, "path"> {
  readonly scope: "given" | "project";
}

/** Returns the path of a file or folder in it, as people see it. */
export function shownPathIn(folder: ToolFolder, path: string): string {
  return folder.shownPath + path.slice(folder.path.length);
}

interface ToolFolderOptions {
  readonly host: Host;
  /** Absolute. */
  readonly cwd: string;
  /** From `--tools` and DOTTOOL_PATH: folders or single files. */
  readonly givenFolders: readonly string[];
  /** Folders to inspect; they come before the project. */
  readonly lookedAtFolders?: readonly LookedAtFolder[] | undefined;
  /** Folders of plugins; they come after the others of their scope. */
  readonly contributedFolders?: readonly ContributedFolder[];
  /** Instead of `/etc/dottool/tools`. */
  readonly globalFolder?: string;
}

export const PROJECT_FOLDER_NAME = ".tools";
const OTHERS_MAY_WRITE = 0o002;

export function findToolFolders(options: ToolFolderOptions): {
  readonly folders: readonly ToolFolder[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const { host, cwd, givenFolders, lookedAtFolders = [], contributedFolders = [] } = options;
  const project = findProjectFolder(host, cwd);
  const folderAt = (scope: ToolFolder["scope"], path: string, isNamed = false): ToolFolder => ({
    scope,
    path,
    shownPath: shownPathOf(path, cwd),
    isNamed,
  });
  const contributed = (scope: ToolFolder["scope"]): readonly ToolFolder[] =>
    contributedFolders.filter((folder) => folder.scope === scope).map(({ path }) => folderAt(scope, path, true));
  const folders = givenFolders.map((folder) => folderAt("given", resolve(cwd, folder), true));
  for (const { scope, path } of lookedAtFolders) folders.push({ ...folderAt(scope, path, true), isLookedAt: true });
  folders.push(...contributed("given"));
  // A program of a team has its own tools in every project.
  if (host.bundle) folders.push({ ...folderAt("bundle", host.bundle.folder), shownPath: `${host.bundle.name}:` });
  folders.push(...contributed("bundle"));
  if (project.path !== undefined) folders.push(folderAt("project", project.path));
  folders.push(...contributed("project"));
  folders.push(folderAt("user", join(host.folders.config, "tools")), ...contributed("user"));
  folders.push(folderAt("global", options.globalFolder ?? globalFolderOf(host)), ...contributed("global"));
  // A folder that is both named and found counts as named, so its first place counts.
  const seen = new Set<string>();
  const once = folders.filter((folder) => !seen.has(folder.path) && seen.add(folder.path));
  const others = otherFolders({ host, cwd, project: project.path }).filter((path) => !seen.has(path));
  return {
    folders: once,
    diagnostics: [...project.diagnostics, ...others.map((path) => otherFolder(shownPathOf(path, cwd)))],
  };
}

/** Returns the nearest `.tools` in `cwd` or above it that is safe to use. */
export function findProjectFolder(
  host: Host,
  cwd: string,
): { readonly path?: string; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = projectFolderIn(folder);
    const found = host.instant.stat(path);
    if (found?.kind === "folder") {
      if (found.isOwn || !isOpenToAll(host, folder)) return { path, diagnostics };
      diagnostics.push(foreignFolder(path));
    } else if (folder === cwd && (found || host.instant.isLink(path)))
      diagnostics.push(unreadable(PROJECT_FOLDER_NAME, found ? "ENOTDIR" : "ENOENT"));
    if (dirname(folder) === folder) return { diagnostics };
  }
}

/** `join` would look at each character of each folder above. `folder` is resolved. */
export function projectFolderIn(folder: string): string {
  return `${folder.endsWith(sep) ? folder : folder + sep}${PROJECT_FOLDER_NAME}`;
}

/** Where CYCOD and CmdForge look for the definitions that are read here too. */
const OTHER_FOLDERS: readonly string[] = [join(".cycod", "tools"), ".cmdforge"];

interface OtherPlaces {
  readonly host: Host;
  readonly cwd: string;
  /** The project's tool folder. */
  readonly project: string | undefined;
}

function otherFolders({ host, cwd, project }: OtherPlaces): readonly string[] {
  const places = new Set([cwd, ...(project === undefined ? [] : [dirname(project)])]);
  return [...places]
    .flatMap((place) => OTHER_FOLDERS.map((name) => join(place, name)))
    .filter((path) => host.instant.stat(path)?.kind === "folder");
}

function otherFolder(shownPath: string): Diagnostic {
  return {
    code: "unreadable-file",
    severity: "warning",
    message: `\`${shownPath}\` is not read: only \`${PROJECT_FOLDER_NAME}\` is looked for, and this is another program's`,
    related: [],
    help: [`to read its tools: \`--tools ${shownPath}\``],
  };
}

/**
 * Whether anyone may write to the folder, as to `/tmp`, and so put a `.tools` above another person's working folder.
 */
function isOpenToAll(host: Host, folder: string): boolean {
  return host.platform !== "windows" && ((host.instant.stat(folder)?.mode ?? 0) & OTHERS_MAY_WRITE) !== 0;
}

function foreignFolder(path: string): Diagnostic {
  return {
    code: "unreadable-file",
    severity: "warning",
    message: `\`${path}\` is not used: it belongs to another user, and every user can write to its parent folder`,
    related: [],
    help: [`to use it anyway: \`--tools ${path}\``],
  };
}

function globalFolderOf(host: Host): string {
  return host.platform === "windows"
    ? join(host.environment("ProgramData") ?? "C:\\ProgramData", "dottool", "tools")
    : "/etc/dottool/tools";
}
