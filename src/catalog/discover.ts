// Which files of a tool folder are definitions: `*.tool` in it, and in folders one below it, which name an owner. Looks at names and kinds alone; reads nothing.
import { basename, dirname, sep } from "node:path";
import type { Diagnostic } from "../text/diagnostic.ts";
import { codeOfFileError, unreadable } from "./file-problem.ts";
import type { FolderEntry, Host } from "../tool/host.ts";
import type { ToolFolder } from "./tool-folders.ts";

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

export const DEFINITION_ENDING = ".tool";
const PLUGIN_FOLDER = "plugins";
const FILES_MAX = 50_000;
/** Of tools and owners alike. */
const namePattern = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

export function discoverToolFiles(folder: ToolFolder, host: Host): Discovery {
  // Most scopes have no folder, and to be told so by a throw takes a hundred times longer.
  if (folder.scope !== "given" && !host.instant.stat(folder.path)) return { files: [], plugins: [], diagnostics: [] };
  const entries = listOrProblem(folder.path, host);
  if (!("entries" in entries)) return nothingThere(folder, host, entries);
  const files: FoundFile[] = [];
  const plugins: string[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const entry of entries.entries) {
    // Not `join`: it would take longer than all the rest here.
    const path = folder.path + sep + entry.name;
    if (entry.name.endsWith(DEFINITION_ENDING)) addDefinition(entry, { path, relativePath: entry.name }, { files, diagnostics });
    else if (isPassedOver(entry, path, host)) continue;
    else if (entry.name === PLUGIN_FOLDER) plugins.push(...findPlugins(path, host, diagnostics));
    else addOwned(entry.name, path, { host, files, diagnostics });
  }
  files.sort((a, b) => (a.relativePath < b.relativePath ? -1 : 1));
  if (files.length > FILES_MAX) diagnostics.push(tooMany(folder.path, files.length));
  return { files: files.slice(0, FILES_MAX), plugins, diagnostics };
}

interface Found {
  readonly files: FoundFile[];
  readonly diagnostics: Diagnostic[];
}

function addDefinition(entry: FolderEntry, file: FoundFile, found: Found): void {
  // A link may lead to a file; what else it leads to is seen when it is read.
  if (entry.kind === "file" || entry.kind === "link") found.files.push(file);
  else found.diagnostics.push(unreadable(file.path, entry.kind === "folder" ? "EISDIR" : "EINVAL"));
}

/** Files that are no definitions, hidden folders, and what package managers leave. */
function isPassedOver(entry: FolderEntry, path: string, host: Host): boolean {
  if (entry.name.startsWith(".") || entry.name === "node_modules") return true;
  return entry.kind !== "folder" && !(entry.kind === "link" && host.instant.stat(path)?.kind === "folder");
}

function addOwned(owner: string, path: string, found: Found & { readonly host: Host }): void {
  const { host, diagnostics } = found;
  const listed = listOrProblem(path, host);
  if (!("entries" in listed)) {
    diagnostics.push(unreadable(path, listed.code));
    return;
  }
  const definitions = listed.entries.filter((entry) => entry.name.endsWith(DEFINITION_ENDING));
  if (definitions.length > 0 && !namePattern.test(owner)) {
    diagnostics.push(notAnOwner(owner, path));
    return;
  }
  for (const entry of definitions) addDefinition(entry, { path: path + sep + entry.name, relativePath: `${owner}/${entry.name}`, owner }, found);
  for (const entry of listed.entries) {
    const deeper = path + sep + entry.name;
    if (definitions.includes(entry) || isPassedOver(entry, deeper, host)) continue;
    const inside = listOrProblem(deeper, host);
    if ("entries" in inside && inside.entries.some((file) => file.name.endsWith(DEFINITION_ENDING))) diagnostics.push(tooDeep(deeper, path));
  }
}

function findPlugins(folder: string, host: Host, diagnostics: Diagnostic[]): readonly string[] {
  const listed = listOrProblem(folder, host);
  if (!("entries" in listed)) {
    diagnostics.push(unreadable(folder, listed.code));
    return [];
  }
  return listed.entries
    .filter((entry) => entry.kind !== "folder" && entry.name.endsWith(".ts") && !entry.name.endsWith(".d.ts"))
    .map((entry) => folder + sep + entry.name);
}

type Listed = { readonly entries: readonly FolderEntry[] } | { readonly code: string };

function listOrProblem(folder: string, host: Host): Listed {
  try {
    return { entries: host.instant.list(folder) };
  } catch (error) {
    return { code: codeOfFileError(error) };
  }
}

/** A file that the caller named stands for itself. */
function nothingThere(folder: ToolFolder, host: Host, problem: { readonly code: string }): Discovery {
  const { path, scope } = folder;
  if (problem.code === "ENOTDIR" && scope === "given" && host.instant.stat(path)?.kind === "file") {
    return { files: [{ path, relativePath: basename(path) }], plugins: [], diagnostics: [] };
  }
  return { files: [], plugins: [], diagnostics: [unreadable(path, problem.code)] };
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

function tooMany(path: string, count: number): Diagnostic {
  return {
    code: "too-large",
    severity: "error",
    message: `\`${path}\` holds ${count} definitions, and a tool folder holds at most ${FILES_MAX}; the last ${count - FILES_MAX} are not used`,
    related: [],
    help: ["put some of them in another folder and name it with `--tools`"],
  };
}
