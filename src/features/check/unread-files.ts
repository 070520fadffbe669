// Paths that `check` and `fmt` were given and cannot read: a pipe, a device, a file without read permission, a folder
// that is named like a definition.
import { dirname, join } from "node:path";
import { DEFINITION_ENDING } from "../../core/catalog/discover.ts";
import type { CatalogueEntry } from "../../core/catalog/entry.ts";
import { unreadable } from "../../core/catalog/file-problem.ts";
import { readDefinitionBytes, shownPathOf } from "../../core/catalog/load.ts";
import { PROJECT_FOLDER_NAME } from "../../core/catalog/tool-folders.ts";
import type { Diagnostic } from "../../core/text/diagnostic.ts";
import { isAtOrBelow } from "../../core/run/system-failure.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";

/** What is read: definitions, and plugins by their absolute paths. */
interface Found {
  readonly opened: OpenedSession;
  readonly entries: readonly CatalogueEntry[];
  readonly plugins: readonly string[];
}

/** `paths` are absolute and exist. */
export function unreadFiles(paths: readonly string[], found: Found): readonly Diagnostic[] {
  return paths.flatMap((path) =>
    found.opened.host.instant.stat(path)?.kind === "folder" ? unreadIn(path, found) : unreadFile(path, found),
  );
}

function unreadFile(path: string, { entries, plugins, opened }: Found): readonly Diagnostic[] {
  const known = opened.catalogue().unreadable.find((file) => file.path === path);
  if (known) return [known.diagnostic];
  const isRead = plugins.includes(path) || entries.some((entry) => opened.catalogue().absolutePathOf(entry) === path);
  if (isRead) return [];
  const problems = problemAt(path, shownPathOf(path, opened.cwd), opened);
  const isLone = opened.catalogue().folders.every((folder) => folder.path === path || !isAtOrBelow(path, folder.path));
  return isLone && opened.host.instant.stat(path)?.kind !== "file"
    ? problems.map((problem) => ({ ...problem, help: ["name a definition, a plugin or a folder of them"] }))
    : problems;
}

/** Returns the errors of the first read, because a disk error may not occur again a moment later. */
function unreadIn(path: string, { entries, opened }: Found): readonly Diagnostic[] {
  const catalogue = opened.catalogue();
  const read = new Set(entries.flatMap((entry) => catalogue.absolutePathOf(entry) ?? []));
  const unread = new Set(catalogue.unreadable.map(({ diagnostic }) => diagnostic));
  const ofFolders = catalogue.folders
    .filter((folder) => isAtOrBelow(folder.path, path))
    .flatMap(({ shownPath }) => [`\`${shownPath}\``, `\`${shownPath}/`]);
  const problems = [
    ...catalogue.folderDiagnostics.filter(
      (one) => !unread.has(one) && ofFolders.some((start) => one.message.startsWith(start)),
    ),
    ...catalogue.unreadable.filter((file) => isAtOrBelow(file.path, path)).map(({ diagnostic }) => diagnostic),
  ];
  const isMistaken = read.size === 0 && problems.length === 0 && DEFINITION_ENDING.test(path);
  return isMistaken ? [unreadable(shownPathOf(path, opened.cwd), "EISDIR")] : problems;
}

function problemAt(path: string, shownPath: string, { host }: OpenedSession): readonly Diagnostic[] {
  const bytes = readDefinitionBytes(path, shownPath, { host, stat: host.instant.stat(path) });
  return "code" in bytes ? [bytes] : [];
}

/** Returns the message if nothing was found: which folder has no definitions, and where those of its project are. */
export function nothingFoundText(paths: readonly string[], { host, cwd }: OpenedSession): string | undefined {
  const [folder] = paths;
  if (folder === undefined) return undefined;
  const project = projectAbove(folder, host);
  return `none found in \`${shownPathOf(folder, cwd)}\`${project === undefined ? "" : `; the project's are in \`${shownPathOf(project, cwd)}\``}`;
}

function projectAbove(path: string, host: OpenedSession["host"]): string | undefined {
  for (let folder = path; ; folder = dirname(folder)) {
    const project = join(folder, PROJECT_FOLDER_NAME);
    if (!isAtOrBelow(path, project) && host.instant.stat(project)?.kind === "folder") return project;
    if (dirname(folder) === folder) return undefined;
  }
}
