// The packages that are installed for a project, and for the user. Their files are in the state folder, by content, and
// never change; a record for each place says which of them it uses, and is replaced as a whole. So a killed
// installation leaves the old state or the new one, and a repository can neither install anything nor approve of it.
import { dirname, join } from "node:path";
import { type FileFormat, readCheckedFile, troubleOf, withChecksum } from "../../core/store/checked-file.ts";
import type { Diagnostic } from "../../core/text/diagnostic.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host } from "../../core/tool/host.ts";
import { isPrivate } from "../../core/catalog/cache.ts";
import type { PackageFolders } from "../../core/catalog/catalogue.ts";
import type { InstalledPackage } from "../../core/catalog/package-folder.ts";
import type { ToolFolder } from "../../core/catalog/tool-folders.ts";
import type { TrustState } from "../../core/catalog/trust-state.ts";
import { readRecord, sumOf } from "../../core/catalog/trust-store.ts";
import { keyOrProblem, presentTree, realPathOf, trustedHashes, trustKeyOf } from "../../core/catalog/trust.ts";

interface InstalledRecord {
  /** The folder that has the `dottool.lock`, without links. */
  readonly folder: string;
  readonly packages: readonly InstalledPackage[];
}

const FORMAT: FileFormat = { name: "packages", version: 1 };
const RECORD_BYTES_MAX = 4 * 1024 * 1024;

export function packagesFolderOf(host: Host): string {
  return join(host.folders.state, "packages");
}

/** The folder with a folder for each content. */
export function storeFolderOf(host: Host): string {
  return join(packagesFolderOf(host), "store");
}

/** Returns where the content is, whether it is there or not. */
export function storedFolderOf(content: string, host: Host): string {
  return join(storeFolderOf(host), content);
}

/** The folder with a record for each place that has packages. */
export function installedRecordsFolderOf(host: Host): string {
  return join(packagesFolderOf(host), "installed");
}

export function recordPathOf(folder: string, host: Host): string {
  return join(installedRecordsFolderOf(host), `${sumOf(folder)}.json`);
}

/** Returns the packages of the nearest folder that has any, then the user's own. */
export function packageFolders(cwd: string, host: Host): PackageFolders {
  const records = recordsFor(cwd, host);
  const seen = new Set<string>();
  const folders = records.flatMap(({ packages }) =>
    packages.filter(({ name }) => !seen.has(name) && seen.add(name)).map((one) => toolFolderOf(one, host)),
  );
  return { folders, diagnostics: records.flatMap(({ problem }) => (problem ? [problem] : [])) };
}

export function recordsFor(cwd: string, host: Host): readonly Installed[] {
  return [...projectRecords(cwd, host), readInstalled(host.folders.config, host)];
}

function projectRecords(cwd: string, host: Host): readonly Installed[] {
  for (let folder = realPathOf(cwd, host); ; folder = dirname(folder)) {
    const installed = folder === host.folders.config ? nothing : readInstalled(folder, host);
    if (installed !== nothing) return [installed];
    if (dirname(folder) === folder) return [];
  }
}

export function toolFolderOf(installed: InstalledPackage, host: Host): ToolFolder {
  const root = storedFolderOf(installed.content, host);
  const wasApproved = isApproved(installed.content, host);
  return {
    scope: "package",
    path: installed.tools === "" ? root : join(root, installed.tools),
    shownPath: `package:${installed.name}@${installed.version}`,
    isNamed: false,
    package: {
      ...installed,
      root,
      isApproved: wasApproved,
      loadedPlugins: wasApproved ? installed.plugins.map((plugin) => join(root, plugin)) : [],
      trustState: () => trustStateOf(installed, { root, wasApproved, host }),
    },
  };
}

interface StateOptions {
  readonly root: string;
  readonly wasApproved: boolean;
  readonly host: Host;
}

/** A package is what was installed, byte for byte, or nothing of it runs. Whether it is approved is another question. */
function trustStateOf({ content }: InstalledPackage, { root, wasApproved, host }: StateOptions): TrustState {
  const unsafe = (problem: "altered" | "revoked"): TrustState => ({
    isTrusted: false,
    distrust: { reason: "unsafe", problem, at: root },
  });
  const key = keyOrProblem(root, host);
  if (typeof key !== "string") return { isTrusted: false, distrust: key };
  const tree = presentTree(root, key, host);
  if ("problem" in tree || tree.sha256 !== content) return unsafe("altered");
  return wasApproved && !isApproved(content, host) ? unsafe("revoked") : { isTrusted: true, tree };
}

/** Whether a person has approved of the content, as `dottool trust` stores it. */
export function isApproved(content: string, host: Host): boolean {
  if (trustedHashes(host).includes(content)) return true;
  try {
    return readRecord(trustKeyOf(storedFolderOf(content, host), host), host)?.sha256 === content;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

export interface Installed {
  readonly packages: readonly InstalledPackage[];
  /** Set if there is a record that cannot be used. */
  readonly problem?: Diagnostic;
}

const nothing: Installed = { packages: [] };

/** `folder` has the `dottool.lock`; absolute and without links. */
export function readInstalled(folder: string, host: Host): Installed {
  const path = recordPathOf(folder, host);
  const stat = host.instant.stat(path);
  if (!stat) return nothing;
  const read = readCheckedFile(path, { host, format: FORMAT, bytesMax: RECORD_BYTES_MAX });
  if (!isPrivate(stat, host))
    return { packages: [], problem: unusable(path, "belongs to others, or they can read it") };
  if (read.kind !== "content") return { packages: [], problem: unusable(path, troubleOf(read) ?? "is not a record") };
  const record = JSON.parse(new TextDecoder().decode(read.bytes)) as InstalledRecord;
  return record.folder === folder
    ? { packages: record.packages }
    : { packages: [], problem: unusable(path, "is the record of another folder") };
}

/** Returns all records; undefined if one of them cannot be read. */
export function installedRecords(host: Host): readonly (InstalledRecord & { readonly path: string })[] | undefined {
  const folder = installedRecordsFolderOf(host);
  if (!host.instant.stat(folder)) return [];
  const records = [];
  for (const name of host.instant.names(folder).filter((one) => one.endsWith(".json"))) {
    const path = join(folder, name);
    const read = readCheckedFile(path, { host, format: FORMAT, bytesMax: RECORD_BYTES_MAX });
    if (read.kind !== "content") return undefined;
    records.push({ ...(JSON.parse(new TextDecoder().decode(read.bytes)) as InstalledRecord), path });
  }
  return records;
}

function unusable(path: string, fact: string): Diagnostic {
  return {
    code: "unreadable-file",
    severity: "warning",
    message: `no packages are used: \`${path}\` ${fact}`,
    related: [],
    help: ["remove it, and run `dottool install`"],
  };
}

/** Replaces the record of the folder. Throws if the state folder cannot be written. */
export function writeInstalled(folder: string, packages: readonly InstalledPackage[], host: Host): void {
  const record: InstalledRecord = { folder, packages };
  const text = withChecksum(FORMAT, `${JSON.stringify(record)}\n`);
  host.instant.replace(recordPathOf(folder, host), text, { isSynced: true });
}
