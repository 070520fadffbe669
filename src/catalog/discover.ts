// Which files of a tool folder are definitions: `*.tool`, `*.yaml` and `*.yml` in it, and in folders one below it, which name an owner,
// or are of one tool. Looks at names and kinds alone; reads nothing.
import { basename, dirname, sep } from "node:path";
import type { Diagnostic } from "../text/diagnostic.ts";
import { codeOfFileError, unreadable } from "./file-problem.ts";
import type { FolderEntry, Host } from "../tool/host.ts";
import { shownPathIn, type ToolFolder } from "./tool-folders.ts";

export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  /** Within the tool folder, with `/`. */
  readonly relativePath: string;
  /** The sub-folder it lies in. */
  readonly owner?: string;
}

export interface Discovery {
  /** Sorted by `relativePath`. */
  readonly files: readonly FoundFile[];
  /** Absolute paths of `plugins/*.ts`. */
  readonly plugins: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export const DEFINITION_ENDING = /\.(?:tool|ya?ml)$/;
/** In a folder below: that folder is of this one tool, whose name the text gives, and what lies beside it is its own. */
const OWN_NAME = /^tool\.ya?ml$/;
/** Beside the tool folders, and where the two are one. */
const CONFIGURATION_NAME = "config.yaml";
const PLUGIN_FOLDER = "plugins";
const FILES_MAX = 50_000;
/** Of tools and owners alike. */
const namePattern = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

export function discoverToolFiles(folder: ToolFolder, host: Host): Discovery {
  // Most scopes have no folder, and to be told so by a throw takes a hundred times longer.
  if (!folder.isNamed && !host.instant.stat(folder.path)) return { files: [], plugins: [], diagnostics: [] };
  const listed = listOrProblem(folder.path, host);
  if (!("entries" in listed)) return withoutFolder(folder, host, listed.code);
  const found: Found = { folder, host, files: [], plugins: [], diagnostics: [] };
  for (const entry of listed.entries) {
    // Not `join`: it would take longer than all the rest here.
    const path = folder.path + sep + entry.name;
    if (isDefinition(entry)) addDefinition(entry, { path, relativePath: entry.name }, found);
    else if (isPassedOver(entry, path, host)) continue;
    else if (entry.name === PLUGIN_FOLDER) addPlugins(path, found);
    else addOwned(entry.name, path, found);
  }
  const { files, plugins, diagnostics } = found;
  files.sort((a, b) => (a.relativePath < b.relativePath ? -1 : 1));
  if (files.length > FILES_MAX) diagnostics.push(tooMany(folder.shownPath, files.length));
  return { files: files.slice(0, FILES_MAX), plugins, diagnostics };
}

interface Found {
  readonly folder: ToolFolder;
  readonly host: Host;
  readonly files: FoundFile[];
  readonly plugins: string[];
  readonly diagnostics: Diagnostic[];
}

function isDefinition(entry: FolderEntry): boolean {
  return DEFINITION_ENDING.test(entry.name) && entry.name !== CONFIGURATION_NAME;
}

function addDefinition(entry: FolderEntry, file: FoundFile, { folder, files, diagnostics }: Found): void {
  // A link may lead to a file; what else it leads to is seen when it is read.
  if (entry.kind === "file" || entry.kind === "link") files.push(file);
  else diagnostics.push(unreadable(shownPathIn(folder, file.path), entry.kind === "folder" ? "EISDIR" : "EINVAL"));
}

/** Files that are no definitions, hidden folders, and what package managers leave. */
function isPassedOver(entry: FolderEntry, path: string, host: Host): boolean {
  if (entry.name.startsWith(".") || entry.name === "node_modules") return true;
  return entry.kind !== "folder" && !(entry.kind === "link" && host.instant.stat(path)?.kind === "folder");
}

function addOwned(owner: string, path: string, found: Found): void {
  const { folder, host, diagnostics } = found;
  const listed = listOrProblem(path, host);
  if (!("entries" in listed)) {
    diagnostics.push(unreadable(shownPathIn(folder, path), listed.code));
    return;
  }
  if (addOwn(listed.entries, { path, relativePath: owner }, found)) return;
  if (listed.entries.some(isDefinition) && !namePattern.test(owner)) {
    diagnostics.push(notAnOwner(owner, shownPathIn(folder, path)));
    return;
  }
  for (const entry of listed.entries) {
    const inside = path + sep + entry.name;
    if (isDefinition(entry)) addDefinition(entry, { path: inside, relativePath: `${owner}/${entry.name}`, owner }, found);
    else if (!isPassedOver(entry, inside, host)) addBelowOwner({ owner, name: entry.name, path: inside, ownerFolder: path }, found);
  }
}

/** Whether the folder is of one tool, which is then added. Its place is a file's, without the name of the file. */
function addOwn(entries: readonly FolderEntry[], { path, relativePath, ...owned }: FoundFile, found: Found): boolean {
  const own = entries.find(({ name }) => OWN_NAME.test(name));
  if (!own) return false;
  const others = entries.filter(({ name }) => name.endsWith(".tool"));
  found.diagnostics.push(...others.map(({ name }) => besideOwn(shownPathIn(found.folder, path + sep + name), own.name)));
  addDefinition(own, { path: path + sep + own.name, relativePath: `${relativePath}/${own.name}`, ...owned }, found);
  return true;
}

interface BelowOwner {
  readonly owner: string;
  readonly name: string;
  readonly path: string;
  readonly ownerFolder: string;
}

/** A tool's own folder may lie in its owner's; anything else there lies too deep. */
function addBelowOwner({ owner, name, path, ownerFolder }: BelowOwner, found: Found): void {
  const { folder, host, diagnostics } = found;
  const listed = listOrProblem(path, host);
  if (!("entries" in listed) || !listed.entries.some(isDefinition)) return;
  if (namePattern.test(owner) && addOwn(listed.entries, { path, relativePath: `${owner}/${name}`, owner }, found)) return;
  diagnostics.push(tooDeep(shownPathIn(folder, path), shownPathIn(folder, ownerFolder)));
}

function addPlugins(path: string, { folder, host, plugins, diagnostics }: Found): void {
  const listed = listOrProblem(path, host);
  if (!("entries" in listed)) {
    diagnostics.push(unreadable(shownPathIn(folder, path), listed.code));
    return;
  }
  const modules = listed.entries.filter((entry) => entry.kind !== "folder" && entry.name.endsWith(".ts") && !entry.name.endsWith(".d.ts"));
  plugins.push(...modules.map((entry) => path + sep + entry.name));
}

type Listed = { readonly entries: readonly FolderEntry[] } | { readonly code: string };

function listOrProblem(folder: string, host: Host): Listed {
  try {
    return { entries: host.instant.list(folder) };
  } catch (error) {
    return { code: codeOfFileError(error) };
  }
}

/** A file that somebody named stands for itself. */
function withoutFolder({ path, isNamed, shownPath }: ToolFolder, host: Host, code: string): Discovery {
  if (code === "ENOTDIR" && isNamed && host.instant.stat(path)?.kind === "file") return { files: [{ path, relativePath: basename(path) }], plugins: [], diagnostics: [] };
  return { files: [], plugins: [], diagnostics: [unreadable(shownPath, code)] };
}

function notAnOwner(owner: string, path: string): Diagnostic {
  return {
    code: "invalid-name",
    severity: "error",
    message: `the folder \`${owner}\` cannot be the owner of tools: an owner is letters, digits, \`_\` and \`-\`, at most 64`,
    related: [],
    help: [`rename \`${path}\`; its definitions are not used until then`],
  };
}

function tooDeep(path: string, ownerFolder: string): Diagnostic {
  return {
    code: "unreadable-file",
    severity: "warning",
    message: `the definitions in \`${path}\` are not used: a tool has one owner, so they lie one folder too deep`,
    related: [],
    help: [`move them to \`${ownerFolder}\`, or to \`${dirname(ownerFolder)}\``],
  };
}

function besideOwn(path: string, own: string): Diagnostic {
  return {
    code: "unreadable-file",
    severity: "warning",
    message: `\`${path}\` is not used: the \`${own}\` beside it says that the folder is of that one tool`,
    related: [],
    help: ["move one of the two to another folder"],
  };
}

function tooMany(path: string, count: number): Diagnostic {
  return {
    code: "too-large",
    severity: "error",
    message: `\`${path}\` holds ${count} definitions, and a tool folder holds at most ${FILES_MAX}; the last ${count - FILES_MAX} are not used`,
    related: [],
    help: ["put some of them in another folder and name it with `--tools`"],
  };
}
