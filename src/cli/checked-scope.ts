// Which definitions `check`, `fmt` and their kind are about: those at the paths given, else all that are the user's own.
import { resolve, sep } from "node:path";
import type { CatalogueEntry } from "../catalog/entry.ts";
import { exitCodes } from "../run/exit-code.ts";
import type { CommandContext } from "./command.ts";
import { openSession, type OpenedSession } from "./open-session.ts";

export interface CheckedScope {
  readonly opened: OpenedSession;
  readonly entries: readonly CatalogueEntry[];
  /** Without paths: everything, so that folders and plugins are looked at too. */
  readonly isWhole: boolean;
}

/** An exit code where a path does not exist; it has been said which. */
export async function checkedScope(paths: readonly string[], context: CommandContext): Promise<CheckedScope | number> {
  const opened = await openSession(context);
  if (typeof opened === "number") return opened;
  const own = opened.catalogue().entries.filter((entry) => entry.scope !== "builtin" && entry.scope !== "global");
  if (paths.length === 0) return { opened, entries: own, isWhole: true };
  const wanted = paths.map((path) => resolve(opened.cwd, path));
  const missing = paths.find((_path, index) => opened.host.instant.stat(wanted[index] ?? "") === undefined);
  if (missing !== undefined) {
    context.terminal.errors.write(`failed[missing]: there is nothing at \`${missing}\`\n`);
    return exitCodes.missing;
  }
  // What lies in no tool folder is looked at as if it were given with `--tools`, so that its names are resolved in the same way.
  const strangers = wanted.filter((path) => entriesBelow(path, opened).length === 0);
  if (strangers.length === 0) return { opened, entries: wanted.flatMap((path) => entriesBelow(path, opened)), isWhole: false };
  const wider = await openSession({ ...context, options: { ...context.options, toolFolders: [...context.options.toolFolders, ...strangers] } });
  if (typeof wider === "number") return wider;
  return { opened: wider, entries: [...new Set(wanted.flatMap((path) => entriesBelow(path, wider)))], isWhole: false };
}

function entriesBelow(path: string, opened: OpenedSession): readonly CatalogueEntry[] {
  const catalogue = opened.catalogue();
  return catalogue.entries.filter((entry) => {
    const absolute = catalogue.absolutePathOf(entry);
    return absolute !== undefined && (absolute === path || absolute.startsWith(path.endsWith(sep) ? path : path + sep));
  });
}
