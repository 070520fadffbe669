// The tool folders for a path outside the tool folders of the working folder. Its definitions are checked together with
// their neighbours, as they are used: alone, every name of a neighbour would be unknown. None of it runs, because a
// person who checks a path has agreed to nothing.
import { basename, dirname, join } from "node:path";
import { discoverToolFiles } from "../../catalog/discover.ts";
import { type LookedAtFolder, PROJECT_FOLDER_NAME } from "../../catalog/tool-folders.ts";
import { projectRootOf } from "../../catalog/trust.ts";
import { isAtOrBelow } from "../../run/system-failure.ts";
import type { Host } from "../../tool/host.ts";

/**
 * Resolves links as trust does: except those of `.tools`, of a file, and within `.tools`. Throws if nothing is there.
 */
export function placeWithoutLinks(path: string, host: Host): string {
  const root = projectRootOf(path);
  const isLoose = basename(root) !== PROJECT_FOLDER_NAME;
  if (isLoose && host.instant.stat(path)?.kind === "folder") return host.instant.realPath(path);
  return join(host.instant.realPath(dirname(root)), path.slice(dirname(root).length));
}

/** `path` is from `placeWithoutLinks`. */
export function lookedAtFor(path: string, host: Host): readonly LookedAtFolder[] {
  const own: LookedAtFolder = { path, scope: "given" };
  const parent = dirname(path);
  // A plugin is found through the folder that its `plugins` folder is in.
  if (basename(path) === "plugins") return [{ path: parent, scope: "given" }];
  if (path.endsWith(".ts") && basename(parent) === "plugins") return [{ path: dirname(parent), scope: "given" }];
  if (host.instant.stat(path)?.kind === "folder") return ofFolder(own, host);
  const beside: LookedAtFolder = { path: parent, scope: "given" };
  return [[...above(path), beside].find((folder) => filesOf(folder, host).includes(path)) ?? own];
}

/** A definition's tool folder may be its own folder's, or its owner's. */
const FOLDERS_ABOVE_MAX = 3;

function above(path: string): readonly LookedAtFolder[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folders.length < FOLDERS_ABOVE_MAX; folder = dirname(folder)) folders.push(folder);
  return folders
    .filter((folder) => basename(folder) === PROJECT_FOLDER_NAME)
    .map((folder) => ({ path: folder, scope: "project" }));
}

function ofFolder(own: LookedAtFolder, host: Host): readonly LookedAtFolder[] {
  const around = above(own.path).find((folder) => filesOf(folder, host).some((file) => isAtOrBelow(file, own.path)));
  if (around) return [around];
  const project = join(own.path, PROJECT_FOLDER_NAME);
  if (host.instant.stat(project)?.kind !== "folder") return [own];
  return [{ path: project, scope: "project" }, ...(hasOwn(own, host) ? [own] : [])];
}

/** YAML in a project is mostly something else. */
function hasOwn(folder: LookedAtFolder, host: Host): boolean {
  return filesOf(folder, host).some((file) => file.endsWith(".tool"));
}

function filesOf(folder: LookedAtFolder, host: Host): readonly string[] {
  const { files } = discoverToolFiles({ ...folder, shownPath: folder.path, isNamed: true, isLookedAt: true }, host);
  return files.map(({ path }) => path);
}
