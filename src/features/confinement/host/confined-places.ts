// The files that a confined process sees: what programs need of the system, the working folder, and what was asked for.
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { homedir, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { codeOf } from "../../../core/tool/error-code.ts";

export const SANDBOX_EXEC = "/usr/bin/sandbox-exec";

interface SystemPlaces {
  readonly system: readonly string[];
  readonly links: readonly (readonly [path: string, target: string])[];
  /** Small files, which are copied: a mount of each takes bubblewrap longer. */
  readonly files: readonly string[];
}

/** Folders at the root that are links into /usr on most systems, and folders on others. */
const usrFolders = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/** The programs and libraries of other package managers. */
const storeFolders = ["/nix/store", "/gnu/store"];
/**
 * What programs read of /etc: users and groups, libraries, time zone, certificates, fonts, languages. No keys, no
 * passwords, no machine id. Host names are resolved by the proxy.
 */
const etcNames: ReadonlySet<string> = new Set([
  "alternatives",
  "crypto-policies",
  "fonts",
  "gitconfig",
  "group",
  "hosts",
  "ld.so.cache",
  "locale.conf",
  "localtime",
  "mime.types",
  "nsswitch.conf",
  "os-release",
  "passwd",
  "protocols",
  "services",
  "timezone",
  "xml",
]);
const languageName = /^(java|jvm|maven|perl$|php|ruby|R$)/;
const certificatePlaces = [
  "/etc/ssl/certs",
  "/etc/ssl/openssl.cnf",
  "/etc/pki/tls/certs",
  "/etc/pki/tls/cert.pem",
  "/etc/pki/tls/openssl.cnf",
  "/etc/pki/ca-trust/extracted",
];

export function systemPlaces(): SystemPlaces {
  const links: [string, string][] = [];
  const system = ["/usr"];
  const files: string[] = [];
  const add = (path: string): void => {
    const stat = lstatOf(path);
    if (stat?.isSymbolicLink()) links.push([path, readlinkSync(path)]);
    else if (stat?.isFile()) files.push(path);
    else if (stat) system.push(path);
  };
  for (const path of [...usrFolders, ...storeFolders]) add(path);
  for (const name of names("/etc")) if (etcNames.has(name) || languageName.test(name)) add(join("/etc", name));
  for (const path of certificatePlaces) add(path);
  return { system, links, files };
}

/** Returns the folders of the person, whose content a sandbox hides. */
export function homes(): readonly string[] {
  const named = new Set([process.env["HOME"], homedir(), passwdHome()]);
  const found = [...named].flatMap((path) => (path?.startsWith("/") ? [path, realPathOf(path)] : []));
  return [...new Set(found)].filter((path) => path !== "/");
}

/** Returns the home that the environment names, if it is the person's own, which is replaced by an empty folder. */
export function homeOf(environment: Readonly<Record<string, string>>): string | undefined {
  const home = environment["HOME"];
  return home !== undefined && homes().includes(home) && !isWithin(home, "/usr") ? home : undefined;
}

let passwd: { readonly home: string | undefined } | undefined;

/** Read once: it takes as long as all other looks together. */
function passwdHome(): string | undefined {
  try {
    passwd ??= { home: userInfo().homedir };
  } catch {
    passwd = { home: undefined };
  }
  return passwd.home;
}

/** Folders that show other processes, devices and sockets. */
const machineFolders = ["/proc", "/sys", "/dev", "/run", "/var/run"];

/** Returns why a path may not be shown inside, as the end of a sentence that begins with it. */
export function whyHidden(path: string): string | undefined {
  const home = homes().find((one) => isWithin(one, path));
  if (path === "/" || home !== undefined)
    return path === home
      ? "is your home folder, which a sandbox hides"
      : "contains your home folder, which a sandbox hides";
  const machine = machineFolders.find((one) => isWithin(path, one) || isWithin(one, path));
  return machine === undefined ? undefined : `shows \`${machine}\` of the machine, which a sandbox hides`;
}

/** Folders in which an installation has its programs, and beside which it has the rest. */
const programFolderName = /^(?:s?bin|shims|libexec|Scripts)$/;

/** Returns the folder that an installed program belongs to, in a list; none if a sandbox hides it. */
export function folderOfProgram(path: string): readonly string[] {
  const own = dirname(path);
  const above = dirname(own);
  // `~/.local` and `~` have more beside programs.
  const isOfMore = basename(above) === ".local" || whyHidden(above) !== undefined;
  const folder = programFolderName.test(basename(own)) && !isOfMore ? above : own;
  return whyHidden(folder) === undefined ? [folder] : [];
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? folder : `${folder}/`);
}

/** Opens a path without any right to its content: `O_PATH`, which Node has no name for. */
const O_PATH = 0o10000000;

export interface OpenPlace {
  readonly descriptor: number;
  /** Where it really is, whatever links led there. */
  readonly path: string;
}

/** Opens a file or folder, so that what is judged is what is shown. Undefined if there is nothing. */
export function openPlace(path: string, flags = 0): OpenPlace | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, O_PATH | flags);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
  try {
    return { descriptor, path: readlinkSync(`/proc/self/fd/${descriptor}`) };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/**
 * Makes an empty file or folder at a path that is to be written, in the folder that is really there: a link in its
 * place leads nowhere. Returns false if that is not possible.
 */
export function makePlace(path: string, isFolder: boolean): boolean {
  const parent = openPlace(dirname(path));
  if (!parent) return false;
  try {
    if (parent.path !== dirname(path)) return false;
    const inside = `/proc/self/fd/${parent.descriptor}/${basename(path)}`;
    if (isFolder) mkdirSync(inside);
    else closeSync(openSync(inside, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o666));
    return true;
  } catch {
    return false;
  } finally {
    closeSync(parent.descriptor);
  }
}

/** Returns the path without links; where nothing is, that of its nearest folder that exists, and the rest as it is. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPathOf(folder), path.slice(folder === "/" ? 1 : folder.length + 1));
  }
}

function lstatOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A `/` at the end says that a folder may be made. */
export function withoutSlash(path: string): string {
  return path.endsWith("/") && path.length > 1 ? path.slice(0, -1) : path;
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
