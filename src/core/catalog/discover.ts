// The definitions in a tool folder: `*.tool`, `*.yaml` and `*.yml` in it, and in folders one level below, which name an
// owner or belong to one tool. Folders below an owner's only sort its `.tool` files; the tool folder of a package is its
// owner's. Looks only at names and kinds, and reads no file but a `NAME/config.yaml`, which may be another program's.
import { basename, sep } from "node:path";
import type { Diagnostic } from "../text/diagnostic.ts";
import { codeOfFileError, unreadable } from "./file-problem.ts";
import type { FolderEntry, Host } from "../tool/host.ts";
import { shownPathIn, type ToolFolder } from "./tool-folders.ts";

export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  /** The path within the tool folder, with `/`. */
  readonly relativePath: string;
  /** The sub-folder in which it is. */
  readonly owner?: string;
  /** Set in a folder that only sorts tools: one of the same name beside it comes first. */
  readonly isSorted?: true;
}

/** A file named like a definition, or a folder named like an owner, that cannot be read. */
export interface UnreadableFile {
  /**
   * The name of the file, because its content is not known. With a `/` at the end, the owner of everything in the
   * folder.
   */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly folder: ToolFolder;
  readonly diagnostic: Diagnostic;
}

export interface Discovery {
  /** The files, sorted by `relativePath`. */
  readonly files: readonly FoundFile[];
  /** Absolute paths of `plugins/*.ts`. */
  readonly plugins: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** The unreadable folders of owners. Their diagnostics are not among those above. */
  readonly unreadable: readonly UnreadableFile[];
}

export const DEFINITION_ENDING = /\.(?:tool|ya?ml)$/;

/** A file beside the tool folders, or within one where the two are the same. */
export const CONFIGURATION_NAME = "config.yaml";

/**
 * A file that makes the folder below belong to one tool. The text gives that tool's name, and the other files are its
 * own.
 */
const OWN_NAME = /^tool\.ya?ml$/;

const HEAD_BYTES_MAX = 256 * 1024;
const PLUGIN_FOLDER = "plugins";
const FILES_MAX = 50_000;
/** Folders that sort the tools of an owner. Deeper ones have other things, and long-running programs watch no deeper. */
export const SORTING_DEPTH_MAX = 3;
const namePattern = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

export function discoverToolFiles(folder: ToolFolder, host: Host): Discovery {
  // Most scopes have no folder, and a throw takes a hundred times longer.
  if (!folder.isNamed && !host.instant.stat(folder.path))
    return { files: [], plugins: [], diagnostics: [], unreadable: [] };
  const listed = listOrProblem(folder.path, host);
  if (!("names" in listed)) return withoutFolder(folder, host, listed.code);
  const found: Found = { folder, host, files: [], plugins: [], diagnostics: [], unreadable: [] };
  // Not `join`, which would take longer than everything else here.
  const start = folder.path + sep;
  const { package: installed } = folder;
  if (installed) found.plugins.push(...installed.loadedPlugins);
  const owned = installed ? { owner: installed.owner } : {};
  for (const name of listed.names) {
    const path = start + name;
    if (isDefinition(name)) found.files.push({ path, relativePath: name, ...owned });
    else if (!isFolderToLookInto(name, path, host)) continue;
    else if (installed)
      addBelowOwner({ owner: installed.owner, path, relativePath: name, ownerFolder: folder.path }, found);
    else if (name === PLUGIN_FOLDER) addPlugins(path, found);
    else addOwned(name, path, found);
  }
  const { files, plugins, diagnostics, unreadable: owners } = found;
  files.sort((a, b) => (a.relativePath < b.relativePath ? -1 : 1));
  if (files.length > FILES_MAX) diagnostics.push(tooMany(folder.shownPath, files.length));
  return { files: files.slice(0, FILES_MAX), plugins, diagnostics, unreadable: owners };
}

interface Found {
  readonly folder: ToolFolder;
  readonly host: Host;
  readonly files: FoundFile[];
  readonly plugins: string[];
  readonly diagnostics: Diagnostic[];
  readonly unreadable: UnreadableFile[];
}

/** Whether it is a file is seen when it is read. */
export function isDefinition(name: string): boolean {
  return DEFINITION_ENDING.test(name) && name !== CONFIGURATION_NAME;
}

/** Skips hidden folders, and those of package managers. What may not be looked at may be an owner's folder. */
function isFolderToLookInto(name: string, path: string, host: Host): boolean {
  if (!isLookedInto(name)) return false;
  const found = host.instant.stat(path);
  if (found || !namePattern.test(name)) return found?.kind === "folder";
  const listed = listOrProblem(path, host);
  return "names" in listed || listed.code === "EACCES";
}

function isLookedInto(name: string): boolean {
  return !name.startsWith(".") && name !== "node_modules";
}

function addOwned(owner: string, path: string, found: Found): void {
  const { folder, host, files, diagnostics } = found;
  const listed = listOrProblem(path, host);
  if (!("names" in listed)) {
    found.unreadable.push({
      name: `${owner}/`,
      path,
      folder,
      diagnostic: unreadable(shownPathIn(folder, path), listed.code),
    });
    return;
  }
  if (addOwn(listed.names, { path, relativePath: owner }, found)) return;
  if (listed.names.some(isDefinition) && !namePattern.test(owner)) {
    diagnostics.push(notAnOwner(owner, shownPathIn(folder, path)));
    return;
  }
  for (const name of listed.names) {
    const inside = path + sep + name;
    if (isDefinition(name)) files.push({ path: inside, relativePath: `${owner}/${name}`, owner });
    else if (isFolderToLookInto(name, inside, host))
      addBelowOwner({ owner, path: inside, relativePath: `${owner}/${name}`, ownerFolder: path }, found);
  }
}

/** Whether the folder is of one tool, which is then added. Its place is a file's, without the name of the file. */
function addOwn(names: readonly string[], { path, relativePath, ...owned }: FoundFile, found: Found): boolean {
  const own = names.find((name) => OWN_NAME.test(name)) ?? ownConfiguration(names, path, found.host);
  if (own === undefined) return false;
  const others = names.filter((name) => name.endsWith(".tool"));
  found.diagnostics.push(...others.map((name) => besideOwn(shownPathIn(found.folder, path + sep + name), own)));
  found.files.push({ path: path + sep + own, relativePath: `${relativePath}/${own}`, ...owned });
  return true;
}

/** CmdForge has a meta-tool in `NAME/config.yaml`. A configuration of another program has no steps. */
function ownConfiguration(names: readonly string[], path: string, host: Host): string | undefined {
  if (!names.includes(CONFIGURATION_NAME) || names.some(isDefinition)) return undefined;
  try {
    const text = new TextDecoder().decode(host.instant.readBytes(path + sep + CONFIGURATION_NAME, HEAD_BYTES_MAX));
    return /^steps:/m.test(text) && /^name:/m.test(text) ? CONFIGURATION_NAME : undefined;
  } catch {
    return undefined;
  }
}

interface BelowOwner extends FoundFile {
  readonly owner: string;
  readonly ownerFolder: string;
}

/** Adds a tool's own folder, or the tools in a folder that only sorts them: those are their owner's, too. */
function addBelowOwner({ ownerFolder, ...place }: BelowOwner, found: Found, depth = 1): void {
  const { folder, host, files, diagnostics } = found;
  const { owner, path, relativePath } = place;
  const entries = entriesOf(path, host);
  const names = entries.map(({ name }) => name);
  // A link could lead to a folder above.
  if (!namePattern.test(owner) || addOwn(names, place, found) || host.instant.isLink(path)) return;
  const isTooDeep = depth > SORTING_DEPTH_MAX;
  const isRead = (name: string): boolean => name.endsWith(".tool") && !isTooDeep;
  for (const { name, kind } of entries) {
    const inside = { owner, path: path + sep + name, relativePath: `${relativePath}/${name}` };
    if (isRead(name)) files.push({ ...inside, isSorted: true });
    else if (kind === "folder" && isLookedInto(name) && !isTooDeep)
      addBelowOwner({ ...inside, ownerFolder }, found, depth + 1);
  }
  // Other files of a package may be YAML.
  if (!folder.package && names.some((name) => isDefinition(name) && !isRead(name)))
    diagnostics.push(notSorted(shownPathIn(folder, path), shownPathIn(folder, ownerFolder)));
}

function addPlugins(path: string, { folder, host, plugins, diagnostics }: Found): void {
  const listed = listOrProblem(path, host);
  if (!("names" in listed)) {
    diagnostics.push(unreadable(shownPathIn(folder, path), listed.code));
    return;
  }
  const modules = listed.names
    .filter((name) => name.endsWith(".ts") && !/\.(?:d|test)\.ts$/.test(name))
    .map((name) => path + sep + name);
  plugins.push(...modules.filter((module) => host.instant.stat(module)?.kind !== "folder"));
}

/** Returns nothing for a folder that cannot be read. */
function entriesOf(folder: string, host: Host): readonly FolderEntry[] {
  try {
    return host.instant.list(folder);
  } catch {
    return [];
  }
}

type Listed = { readonly names: readonly string[] } | { readonly code: string };

function listOrProblem(folder: string, host: Host): Listed {
  try {
    return { names: host.instant.names(folder) };
  } catch (error) {
    return { code: codeOfFileError(error) };
  }
}

/** Returns the result for a path without a folder. A file that was named is its own tool folder. */
function withoutFolder({ path, isNamed, shownPath }: ToolFolder, host: Host, code: string): Discovery {
  if (code === "ENOTDIR" && isNamed && host.instant.stat(path)?.kind === "file")
    return { files: [{ path, relativePath: basename(path) }], plugins: [], diagnostics: [], unreadable: [] };
  return { files: [], plugins: [], diagnostics: [unreadable(shownPath, code)], unreadable: [] };
}

function notAnOwner(owner: string, path: string): Diagnostic {
  return {
    code: "invalid-name",
    severity: "error",
    message: `the folder name \`${owner}\` cannot be the owner of tools: an owner is letters, digits, \`_\` and \`-\`, at most 64`,
    related: [],
    help: [`rename \`${path}\`; its definitions are not used until then`],
  };
}

function notSorted(path: string, ownerFolder: string): Diagnostic {
  return {
    code: "unreadable-file",
    severity: "warning",
    message: `definitions in \`${path}\` are not used: below the folder of an owner, only \`.tool\` files are read, up to ${SORTING_DEPTH_MAX} folders deep`,
    related: [],
    help: [`move them to \`${ownerFolder}\``],
  };
}

function besideOwn(path: string, own: string): Diagnostic {
  return {
    code: "unreadable-file",
    severity: "warning",
    message: `\`${path}\` is not used: the folder belongs to the one tool in \`${own}\``,
    related: [],
    help: ["move one of the two to another folder"],
  };
}

function tooMany(path: string, count: number): Diagnostic {
  return {
    code: "too-large",
    severity: "error",
    message: `\`${path}\` holds ${count} definitions, and the limit is ${FILES_MAX}; the last ${count - FILES_MAX} are not used`,
    related: [],
    help: ["put some of them in another folder and name it with `--tools`"],
  };
}
