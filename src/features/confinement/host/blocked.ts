// What a sandbox kept from a process, as far as it is known: hosts that the proxy refused, and what the process's own
// errors name, if the sandbox is the reason. Other processes write these errors, so nothing in them counts by itself:
// a path counts only if it exists outside and is not shown, or is shown and cannot be written inside alone.
import { Buffer } from "node:buffer";
import { accessSync, closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { tmpdir } from "node:os";
import process from "node:process";
import { basename, delimiter, dirname, join, normalize, resolve } from "node:path";
import { specialRange } from "../../../core/host/address-ranges.ts";
import type { ConfinedRequest } from "../../../core/host/processes/plain-run.ts";
import { type Blocked, hostPattern, type SandboxReport } from "../../../core/tool/confinement.ts";
import { codeOf } from "../../../core/tool/error-code.ts";
import type { ProcessRequest, SpawnResult } from "../../../core/tool/host.ts";
import { exists, homes, isFile, isFolder, isWithin, realPathOf, systemPlaces, whyHidden } from "./confined-places.ts";
import type { Guards } from "./confined-guards.ts";
import type { Shown, Visible } from "./confined-mounts.ts";
import { GUARDED_NAMES, isKeyFile, searchBefore } from "./confined-search.ts";

/** The last part of what a process writes to its standard error. */
const ERRORS_BYTES_MAX = 64 * 1024;
const BLOCKED_MAX = 20;
/** Each word that may be a path costs some looks at the files. */
const WORDS_MAX = 400;

/** Follows the standard error of a process, if it goes through this program or into a file. */
export class ErrorsOfRun {
  readonly #file: (() => string) | undefined;
  readonly #isSeen: boolean;
  #bytes = Buffer.alloc(0);

  constructor({ hasTerminal, takesErrors }: Pick<ProcessRequest, "hasTerminal" | "takesErrors">) {
    const isOwn = hasTerminal === true && !takesErrors;
    this.#file = isOwn ? ownErrors() : undefined;
    this.#isSeen = !isOwn || this.#file !== undefined;
  }

  followed(onOutput: ProcessRequest["onOutput"]): ProcessRequest["onOutput"] {
    return (stream, bytes) => {
      if (stream === "stderr") this.#bytes = Buffer.concat([this.#bytes, bytes]).subarray(-ERRORS_BYTES_MAX);
      return onOutput(stream, bytes);
    };
  }

  /** `refused` are the hosts that the proxy has refused, of which it is known also if the process succeeded. */
  blocked(result: SpawnResult, refused: readonly string[], seen: Seen): Pick<SandboxReport, "blocked"> {
    const hasFailed = result.kind === "exited" && result.exitCode !== 0;
    if (hasFailed && !this.#isSeen && refused.length === 0) return { blocked: "unseen" };
    const errors = hasFailed ? (this.#file?.() ?? this.#bytes.toString("utf8")) : "";
    const blocked = errors === "" && refused.length === 0 ? [] : blockedOf(errors, refused, insideOf(seen));
    return blocked.length === 0 ? {} : { blocked };
  }
}

/** Returns what reads the text that is added to this program's own standard error, if that is a file. */
function ownErrors(): (() => string) | undefined {
  const stat = fstatSync(2, { bigint: false });
  if (!stat.isFile()) return undefined;
  return () => {
    try {
      const descriptor = openSync("/proc/self/fd/2", "r");
      try {
        const from = Math.max(stat.size, fstatSync(descriptor).size - ERRORS_BYTES_MAX);
        const bytes = Buffer.alloc(ERRORS_BYTES_MAX);
        return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, ERRORS_BYTES_MAX, from));
      } finally {
        closeSync(descriptor);
      }
    } catch {
      return "";
    }
  };
}

/** Whether this program can take a process's standard error and pass it on, so that nobody sees a difference. */
export function mayTakeErrors(): boolean {
  const [output, errors] = [fstatSync(1), fstatSync(2)];
  const isShared = output.dev === errors.dev && output.ino === errors.ino;
  return !isShared && (errors.isFIFO() || errors.isSocket());
}

/** What the process saw. */
interface Seen {
  readonly confined: ConfinedRequest;
  readonly shown: Pick<Shown, "places" | "inner">;
  readonly guards: Pick<Guards, "places" | "hidden" | "fixed">;
}

interface Inside extends Seen {
  /** Later ones lie over earlier ones. */
  readonly places: readonly Visible[];
  /** The folders and files of the system that are shown. */
  readonly system: readonly string[];
}

function insideOf(seen: Seen): Inside {
  const { system, links, files } = systemPlaces();
  return {
    ...seen,
    places: [...seen.shown.places, ...seen.shown.inner, ...seen.guards.places],
    system: [...system, ...links.map(([path]) => path), ...files, process.execPath],
  };
}

/** `errors` is the end of what a failed process wrote. */
function blockedOf(errors: string, refused: readonly string[], inside: Inside): readonly Blocked[] {
  const found = [
    ...[...refused, ...(inside.confined.request.confinement.hosts.length === 0 ? hostsIn(errors, inside) : [])].map(
      (name): Blocked => ({ kind: "host", name }),
    ),
    ...pathsIn(errors, inside),
  ];
  // In the order of their last errors.
  const named = new Map(found.toReversed().map((one) => [`${one.kind} ${one.name}`, one]));
  return [...named.values()].slice(0, BLOCKED_MAX).toReversed();
}

/** What programs say of a host where there is no network: curl and git, ssh, wget, node and npm, pip, Go. */
const hostErrors: readonly RegExp[] = [
  /could not resolve host(?:name)?:? ([\w.-]+)/i,
  /unable to resolve host address .?([\w.-]+)/,
  /getaddrinfo (?:EAI_AGAIN|ENOTFOUND) ([\w.-]+)/,
  /Connection(?:Pool)?\(host='([\w.-]+)'/,
  /\blookup ([\w.-]+)(?: on \S+)?: /,
];
const NAMELESS = /Temporary failure in name resolution|Name or service not known|Network is unreachable/;

function hostsIn(errors: string, { confined }: Inside): readonly string[] {
  const said = `${confined.request.argv.join(" ")}\n${errors}`;
  const hosts = errors.split("\n").flatMap((line) => {
    const [name] = hostErrors.flatMap((one) => one.exec(line)?.[1]?.replace(/\.+$/, "") ?? []);
    const at = name === undefined ? -1 : said.indexOf(`${name}:`);
    const port = at === -1 ? undefined : /^:(\d{1,5})/.exec(said.slice(at + (name ?? "").length))?.[1];
    return (name && ruleNaming(name, Number(port ?? 443))) || [];
  });
  return hosts.length === 0 && NAMELESS.test(errors) ? [""] : hosts;
}

/** What a host without a port stands for: ssh, http and https. */
export const USUAL_PORTS = [22, 80, 443];

/** Returns the rule that allows the host; undefined for one that no rule can name. A private one needs its port. */
export function ruleNaming(name: string, port: number): string | undefined {
  // Clouds answer there with the keys of the machine.
  if (/^(?:169\.254\.|fe80:)/i.test(name)) return undefined;
  const isPrivate = name === "localhost" || (isIP(name) !== 0 && specialRange(name) !== undefined);
  const rule = isPrivate || !USUAL_PORTS.includes(port) ? `${name}:${port}` : name;
  return hostPattern.test(rule) ? rule : undefined;
}

const MISSING =
  /no such file or directory|(?:command )?not found|can(?:no|')t (?:open|find|read)|could not (?:open|find|read)|does not exist|directory nonexistent|not (?:appear to be )?a git repository/i;
const UNWRITABLE = /read-only file ?system/i;
const DENIED = /permission denied/i;
const WRITES = /\b(?:creat|touch|mkdir|writ|output file|remove|unlink|rename)|nonexistent/i;
/** No message about a path is longer. */
const LINE_CHARACTERS_MAX = 2_000;

function pathsIn(errors: string, inside: Inside): readonly Blocked[] {
  const lines = errors.split("\n").map((line) => line.slice(0, LINE_CHARACTERS_MAX));
  let left = WORDS_MAX;
  return lines.flatMap(
    unlessClosed((line, index) => {
      const reason = UNWRITABLE.exec(line) ?? DENIED.exec(line) ?? MISSING.exec(line);
      const words = reason ? wordsIn(line) : [];
      left -= words.length;
      if (!reason || left < 0) return [];
      const beside = besideOf(line, reason) ?? slashedIn(lines.slice(Math.max(0, index - 3), index).join("\n")).at(-1);
      const isDenied = DENIED.test(reason[0]);
      const isWrite = (path: string): boolean =>
        UNWRITABLE.test(reason[0]) || WRITES.test(line) || (isDenied && !exists(path) && /['"`‘/]/.test(line));
      const at = (word: string): string => normalize(resolve(inside.confined.request.cwd, word));
      const keys = isDenied ? inside.guards.hidden.filter((path) => line.includes(basename(path))) : [];
      const written = beside !== undefined && isWrite(at(beside)) ? unwritable(at(beside), inside) : [];
      const read = words.flatMap((word) => unshown(programNamed(word, inside) ?? at(word), inside));
      return [
        ...keys.map((name): Blocked => ({ kind: "read", name, guard: "keys" })),
        ...read.filter(({ name }) => !written.some((one) => one.name === name)),
        ...written,
      ];
    }),
  );
}

/** Of a path that this user cannot look at, too, such as one below another's /proc/PID/root, nothing is known. */
function unlessClosed(
  look: (line: string, index: number) => readonly Blocked[],
): (line: string, index: number) => readonly Blocked[] {
  return (line, index) => {
    try {
      return look(line, index);
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
      return [];
    }
  };
}

/** Returns what may be a path: quoted text, words with a `/`, and what stands before the reason. */
function wordsIn(line: string): readonly string[] {
  const quoted = [...line.matchAll(/['"`‘“]([^'"`‘’“”]+)['"`’”]/g)].map(([, text = ""]) => text);
  const before = line.includes(":") ? line.slice(0, line.lastIndexOf(":")) : (/^[^(]*/.exec(line)?.[0] ?? "");
  const last = before === line ? "" : (before.trimEnd().split(/[\s:]/).at(-1) ?? "");
  return [...new Set([...quoted, ...slashedIn(line), last])].filter((word) => word !== "" && !word.includes("\0"));
}

function slashedIn(text: string): readonly string[] {
  return [...text.matchAll(/(?<![\w.@+~/-])[\w.@+~-]*\/[^\s:'"`‘’“”,;()[\]]*/g)].map(([word]) => word);
}

/** Returns the path that a message names right beside its reason: `cannot create 'x': Read-only file system`. */
function besideOf(line: string, { 0: reason, index }: RegExpExecArray): string | undefined {
  const after = /^[:,]? *(?:\w+ )?['"`‘“]([^'"`‘’“”]+)['"`’”]/.exec(line.slice(index + reason.length))?.[1];
  const before = line.slice(0, index).replace(/[\s:(]+$/, "");
  const quoted = /['"`‘“]([^'"`‘’“”]+)['"`’”]$/.exec(before)?.[1];
  const fields = before
    .split(": ")
    .filter((field) => !/^(?:can(?:no|')t|could not|unable to|failed to) \w+$/i.test(field));
  const word = after ?? quoted ?? fields.at(-1)?.trim().split(/\s/).at(-1);
  return word === "" || word?.includes("\0") || word?.endsWith(":") ? undefined : word;
}

/** Returns the program of PATH that a message without a path names. */
function programNamed(word: string, { confined: { environment }, system }: Inside): string | undefined {
  if (word.includes("/")) return undefined;
  const folders = (environment["PATH"] ?? "").split(delimiter).filter((one) => one.startsWith("/"));
  const paths = folders.map((folder) => join(folder, word)).filter(isFile);
  return paths.some((path) => system.some((one) => isWithin(path, one))) ? undefined : paths[0];
}

function unshown(given: string, inside: Inside): readonly Blocked[] {
  // A worktree names a part of the repository, which git reads as a whole.
  const path = given.replace(/\/\.git\/worktrees\/[^/]+$/, "/.git");
  if (!exists(path)) return [];
  // A link that is shown may lead to what is not.
  const name = [path, realPathOf(path)].find((one) => !isShown(one, inside));
  if (name === undefined || whyHidden(realPathOf(name)) !== undefined) return [];
  const { folder } = inside.confined.request.confinement;
  const guard = isKey(realPathOf(name)) || isOwnSettings(realPathOf(name), inside) ? ({ guard: "keys" } as const) : {};
  // Of keys elsewhere it is not said that they are there: what runs may list them so.
  return "guard" in guard && !isWithin(realPathOf(name), folder) ? [] : [{ kind: "read", name, ...guard }];
}

/** Outside of home folders, a file that not everybody may read counts as one with keys, too. */
function isKey(path: string): boolean {
  const isOfHome = homes().some((home) => isWithin(path, home));
  return isKeyFile(path) || (isFile(path) && !isOfHome && (statSync(path).mode & 0o004) === 0);
}

/** Whether it is in a hidden folder of a home folder, and in none with programs of PATH. */
function isOwnSettings(path: string, inside: Inside): boolean {
  return homes().some((home) => path.startsWith(`${home}/.`)) && !isOfPath(path, inside);
}

function isOfPath(path: string, { confined: { environment } }: Inside): boolean {
  const folders = (environment["PATH"] ?? "").split(delimiter).filter((one) => one.startsWith("/"));
  return folders.some((folder) => isWithin(path, folder));
}

function isShown(path: string, { places, system }: Inside): boolean {
  return [...system, ...places.map(({ inside }) => inside)].some((one) => isWithin(path, one));
}

function unwritable(path: string, inside: Inside): readonly Blocked[] {
  const nearest = nearestOf(path);
  const { places, fixed } = inside.guards;
  const guards = [...places.flatMap((one) => (one.path === "/dev/null" ? [] : [one.inside])), ...fixed];
  const guarded = guards.find((one) => isWithin(nearest, one)) ?? OBEYED.exec(nearest)?.[0];
  const name = guarded ?? nearest;
  const place = inside.places.findLast((one) => isWithin(name, one.inside));
  const isKept = fixed.includes(name) || (place ? !place.isWritable : !isShown(name, inside) && !ownFolders.has(name));
  if (!isKept || whyHidden(realPathOf(name)) !== undefined || !mayWriteOutside(name)) return [];
  const isObeyed =
    guarded !== undefined || isOwnSettings(name, inside) || isOfPath(name, inside) || isOfMachine(name, inside);
  const guard = isObeyed ? "obeyed" : isKey(name) ? "keys" : undefined;
  return [{ kind: "write", name, ...(guard ? { guard } : {}) }];
}

/** Whether it is outside of home folders, temporary ones and the working folder. */
function isOfMachine(path: string, { confined }: Inside): boolean {
  return ![...homes(), tmpdir(), "/tmp", confined.request.confinement.folder].some((one) => isWithin(path, one));
}

/** The first part of a path that other programs obey. */
const OBEYED = new RegExp(`^.*?/(?:${GUARDED_NAMES.map((name) => `\\${name}`).join("|")})(?=/|$)`);

/** Inside they are there, empty and to be written. */
const ownFolders: ReadonlySet<string> = new Set(["/tmp", "/var/tmp"]);

/** The file itself if it is there, or the nearest folder that is: a new file takes the right to write its folder. */
function nearestOf(path: string): string {
  return isFile(path) || isFolder(path) || path === "/" ? path : nearestOf(dirname(path));
}

/** Without the sandbox, too, it can be closed to this user. */
function mayWriteOutside(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether it is a file with keys, or a folder that has some at any depth, or too many folders to know. */
export function holdsKeysBelow(path: string): boolean {
  if (!isFolder(path)) return isKey(path);
  const { keys, isWhole } = searchBefore([{ path, inside: path, isWritable: false }], false);
  return keys.length > 0 || !isWhole;
}
