// Which definitions `check`, `fmt` and their kind are about: those at the paths or of the names given, else all that are the user's own.
import { basename, dirname, resolve, sep } from "node:path";
import type { CatalogueEntry } from "../catalog/entry.ts";
import { exitCodes } from "../run/exit-code.ts";
import type { CommandContext } from "./command.ts";
import { printable } from "../text/display.ts";
import { type OpenedSession, openSession, type OpenSessionOptions } from "./open-session.ts";

export interface CheckedScope {
  readonly opened: OpenedSession;
  readonly entries: readonly CatalogueEntry[];
  /** Paths of plugins, absolute. */
  readonly plugins: readonly string[];
  /** Without paths: everything, so that folders and plugins are looked at too. */
  readonly isWhole: boolean;
}

/** An exit code where a path does not exist; it has been said which. Plugins are loaded first, because they add definitions and change which of them are used. */
export async function checkedScope(paths: readonly string[], context: CommandContext, { withoutPlugins }: Pick<OpenSessionOptions, "withoutPlugins"> = {}): Promise<CheckedScope | number> {
  const open = async (folders: readonly string[]): Promise<OpenedSession | number> => {
    const session = await openSession({ ...context, options: { ...context.options, toolFolders: [...context.options.toolFolders, ...folders] } }, { isQuiet: true, ...(withoutPlugins ? { withoutPlugins } : {}) });
    if (typeof session !== "number") await session.loadPlugins();
    return session;
  };
  const opened = await open([]);
  if (typeof opened === "number") return opened;
  const own = opened.catalogue().entries.filter((entry) => entry.scope !== "builtin" && entry.scope !== "global");
  if (paths.length === 0) return { opened, entries: own, plugins: opened.catalogue().plugins.filter(({ folder }) => folder.scope !== "global").map(({ path }) => path), isWhole: true };
  const wanted: string[] = [];
  for (const path of paths) {
    const found = placeOf(path, opened);
    if ("problem" in found) {
      context.terminal.errors.write(`failed[missing]: ${found.problem}\n`);
      return exitCodes.missing;
    }
    wanted.push(found.path);
  }
  // What lies in no tool folder is looked at as if it were given with `--tools`, so that its names are resolved in the same way.
  const strangers = wanted.filter((path) => entriesBelow(path, opened).length + pluginsBelow(path, opened).length === 0);
  if (strangers.length === 0) return below(wanted, opened);
  const wider = await open(strangers.map(toolFolderOf));
  if (typeof wider === "number") return wider;
  return below(wanted, wider);
}

/** A path, or the name of a tool; where there is a file of that name, it is the file. */
function placeOf(wanted: string, opened: OpenedSession): { readonly path: string } | { readonly problem: string } {
  const path = resolve(opened.cwd, wanted);
  if (opened.host.instant.stat(path) !== undefined) return { path };
  const catalogue = opened.catalogue();
  const entry = catalogue.entry(wanted);
  const ofTool = entry && catalogue.absolutePathOf(entry);
  if (ofTool !== undefined) return { path: ofTool };
  const shown = `\`${printable(wanted)}\``;
  if (entry || opened.session.registry.find(wanted)) return { problem: `${shown} is inside the executable, so there is nothing to change; \`dottool show ${printable(wanted)}\` shows it` };
  return { problem: `there is nothing at ${shown}${/^[\w-]+(?:\/[\w-]+)?$/.test(wanted) ? ", and no tool is called that" : ""}` };
}

function below(paths: readonly string[], opened: OpenedSession): CheckedScope {
  const entries = [...new Set(paths.flatMap((path) => entriesBelow(path, opened)))];
  return { opened, entries, plugins: [...new Set(paths.flatMap((path) => pluginsBelow(path, opened)))], isWhole: false };
}

/** A plugin is found through the folder that its `plugins` folder is in; everything else stands for itself. */
function toolFolderOf(path: string): string {
  if (basename(path) === "plugins") return dirname(path);
  return path.endsWith(".ts") && basename(dirname(path)) === "plugins" ? dirname(dirname(path)) : path;
}

function entriesBelow(path: string, opened: OpenedSession): readonly CatalogueEntry[] {
  const catalogue = opened.catalogue();
  return catalogue.entries.filter((entry) => {
    const absolute = catalogue.absolutePathOf(entry);
    return absolute !== undefined && isBelow(absolute, path);
  });
}

function pluginsBelow(path: string, opened: OpenedSession): readonly string[] {
  return opened.catalogue().plugins.map((plugin) => plugin.path).filter((plugin) => isBelow(plugin, path));
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
