// The definitions that `check`, `fmt` and similar commands work on: those at the given paths or of the given names,
// else all of the user's own.
import { resolve, basename, dirname, join } from "node:path";
import type { CatalogueEntry } from "../../core/catalog/entry.ts";
import { type LookedAtFolder, PROJECT_FOLDER_NAME } from "../../core/catalog/tool-folders.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import type { Diagnostic } from "../../core/text/diagnostic.ts";
import type { CommandContext } from "../../cli/command.ts";
import { printable } from "../../core/text/display.ts";
import { isMadeElsewhere } from "./own-diagnostics.ts";
import { isAtOrBelow } from "../../core/run/system-failure.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import { openSession, type OpenSessionOptions } from "../../cli/session/open-session.ts";
import { unreadFiles } from "./unread-files.ts";
import { discoverToolFiles } from "../../core/catalog/discover.ts";
import { projectRootOf } from "../../core/catalog/trust.ts";
import type { Host } from "../../core/tool/host.ts";

export interface CheckedScope {
  readonly opened: OpenedSession;
  readonly entries: readonly CatalogueEntry[];
  /** Paths of plugins, absolute. */
  readonly plugins: readonly string[];
  /** The requested paths, absolute; without links if they are not in a tool folder as typed. */
  readonly wanted: readonly string[];
  /** Problems of folders, and files that cannot be read. */
  readonly unread: readonly Diagnostic[];
  /** Whether no paths were given, so that folders and plugins are checked too. */
  readonly isWhole: boolean;
}

/**
 * Returns an exit code if a path does not exist, which has been reported. Plugins are loaded first, because they add
 * definitions and change which of them are used.
 */
export async function checkedScope(
  paths: readonly string[],
  context: CommandContext,
  given: Pick<OpenSessionOptions, "withoutPlugins" | "earlier"> = {},
): Promise<CheckedScope | number> {
  const open = async (lookedAtFolders: readonly LookedAtFolder[]): Promise<OpenedSession | number> => {
    const session = await openSession(context, {
      isForAuthor: true,
      isQuiet: true,
      lookedAtFolders,
      ...given,
    });
    if (typeof session !== "number") await session.loadPlugins();
    return session;
  };
  const opened = await open([]);
  if (typeof opened === "number") return opened;
  const own = opened.catalogue().entries.filter(({ scope }) => !isMadeElsewhere(scope));
  if (paths.length === 0)
    return {
      opened,
      entries: own,
      plugins: opened
        .catalogue()
        .plugins.filter(({ folder }) => !isMadeElsewhere(folder.scope))
        .map(({ path }) => path),
      wanted: [],
      unread: opened.catalogue().folderDiagnostics,
      isWhole: true,
    };
  const wanted: string[] = [];
  for (const path of paths) {
    const found = placeOf(path, opened);
    if ("problem" in found) {
      context.terminal.errors.write(`failed[missing]: ${found.problem}\n`);
      return exitCodes.missing;
    }
    wanted.push(isKnown(found.path, opened) ? found.path : placeWithoutLinks(found.path, opened.host));
  }
  const strangers = wanted.filter((path) => !isKnown(path, opened));
  if (strangers.length === 0) return below(wanted, opened);
  const wider = await open(strangers.flatMap((path) => lookedAtFor(path, opened.host)));
  if (typeof wider === "number") return wider;
  return below(wanted, wider);
}

function isKnown(path: string, opened: OpenedSession): boolean {
  return entriesBelow(path, opened).length + pluginsBelow(path, opened).length > 0;
}

/** Resolves a path or the name of a tool; a file of that name comes first. */
function placeOf(wanted: string, opened: OpenedSession): { readonly path: string } | { readonly problem: string } {
  const path = resolve(opened.cwd, wanted);
  if (opened.host.instant.stat(path) !== undefined) return { path };
  const catalogue = opened.catalogue();
  const entry = catalogue.entry(wanted);
  const ofTool = entry && catalogue.absolutePathOf(entry);
  if (ofTool !== undefined) return { path: ofTool };
  const shown = `\`${printable(wanted)}\``;
  if (entry || opened.session.registry.find(wanted))
    return {
      problem: `${shown} is built into dottool, so it cannot be changed; \`dottool show ${printable(wanted)}\` shows it`,
    };
  return {
    problem: `there is no file or folder ${shown}${/^[\w-]+(?:\/[\w-]+)?$/.test(wanted) ? ", and no tool with that name" : ""}`,
  };
}

function below(paths: readonly string[], opened: OpenedSession): CheckedScope {
  const entries = [...new Set(paths.flatMap((path) => entriesBelow(path, opened)))];
  const plugins = [...new Set(paths.flatMap((path) => pluginsBelow(path, opened)))];
  return {
    opened,
    entries,
    plugins,
    wanted: paths,
    unread: unreadFiles(paths, { opened, entries, plugins }),
    isWhole: false,
  };
}

function entriesBelow(path: string, opened: OpenedSession): readonly CatalogueEntry[] {
  const catalogue = opened.catalogue();
  return catalogue.entries.filter((entry) => {
    const absolute = catalogue.absolutePathOf(entry);
    return absolute !== undefined && isAtOrBelow(absolute, path);
  });
}

function pluginsBelow(path: string, opened: OpenedSession): readonly string[] {
  return opened
    .catalogue()
    .plugins.map((plugin) => plugin.path)
    .filter((plugin) => isAtOrBelow(plugin, path));
}

// The tool folders for a path outside the tool folders of the working folder. Its definitions are checked together with
// their neighbours, as they are used: alone, every name of a neighbour would be unknown. None of it runs, because a
// person who checks a path has agreed to nothing.

/**
 * Resolves links as trust does: except those of `.tools`, of a file, and within `.tools`. Throws if nothing is there.
 */
function placeWithoutLinks(path: string, host: Host): string {
  const root = projectRootOf(path);
  const isLoose = basename(root) !== PROJECT_FOLDER_NAME;
  if (isLoose && host.instant.stat(path)?.kind === "folder") return host.instant.realPath(path);
  return join(host.instant.realPath(dirname(root)), path.slice(dirname(root).length));
}

/** `path` is from `placeWithoutLinks`. */
function lookedAtFor(path: string, host: Host): readonly LookedAtFolder[] {
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
