// The content of a call in parts that can be compared: the definitions of its tool, and the files that its commands
// run. An approval applies to exactly this content.
import { dirname, resolve, sep } from "node:path";
import type { FileStat, Host } from "../tool/host.ts";
import type { DirectCommand, ShellCommand } from "../tool/command.ts";
import type { ToolDefinition } from "../tool/definition.ts";
import { weightOf } from "../tool/definition-fields.ts";
import type { PreparedCall, Tool } from "../tool/tool.ts";
import { executedByCall, runsItsArguments } from "./deciding-arguments.ts";
import { projectOf, shownIn } from "./project.ts";

export interface ToolContent {
  readonly hash: string;
  /** Checksums by part: `the commands of \`x\``, `the script x.sh`. */
  readonly parts: Readonly<Record<string, string>>;
  /** The paths of the files among the parts, relative to the working folder. */
  readonly files: readonly string[];
  /** Other things that run and may change unseen: ends of a sentence that begins with "later changes of". */
  readonly rest: readonly string[];
}

const SCRIPT_BYTES_MAX = 8 * 1024 * 1024;
const SCRIPTS_MAX = 500;
const SUM_CHARACTERS = 24;
const SCRIPT_NAME = /\.(sh|bash|zsh|py|js|mjs|cjs|ts|mts|rb|pl|lua|php|ps1|cmd|bat)$/i;

interface Place {
  readonly host: Host;
  /** Absolute. */
  readonly cwd: string;
}

interface BoundPlace extends Place {
  /** Absolute, without links. */
  readonly project: string;
}

export function contentOf(call: PreparedCall, { host, cwd }: Place): ToolContent {
  const project = projectOf(cwd, host);
  const place: BoundPlace = { host, cwd, project };
  const parts: Record<string, string> = {};
  const add = (label: string, text: string | Uint8Array): void =>
    void (parts[label] = host.sha256(text).slice(0, SUM_CHARACTERS));
  const paths = new Set<string>();
  const seen = new Set<Tool>();
  const visit = (one: Tool): void => {
    if (seen.has(one)) return;
    seen.add(one);
    addDefinition(one, add);
    for (const path of scriptsOf(one.definition, place)) paths.add(path);
    for (const below of one.underlying ?? []) visit(below);
  };
  visit(call.tool);
  const given = runsItsArguments(call.tool) ? wordsIn([call.arguments]) : [];
  for (const path of given.flatMap((name) => ownProgram(resolve(cwd, name), place))) paths.add(path);
  const executed = executedByCall(call, place);
  for (const path of executed?.files ?? []) if (isOwnFile(path, place)) paths.add(path);
  const bound = [...paths].slice(0, SCRIPTS_MAX);
  for (const path of bound) add(`the script ${path}`, bytesOf(path, place));
  if (paths.size > SCRIPTS_MAX) add(`the script number ${SCRIPTS_MAX + 1}, which is one too many`, unlikeAny(host));
  return {
    hash: host.sha256(JSON.stringify(Object.entries(parts).toSorted())),
    parts,
    files: bound.map((path) => shownIn(path, cwd)),
    rest: executed ? [...executed.rest] : ["more commands than can be checked"],
  };
}

type Add = (label: string, text: string | Uint8Array) => void;

function addDefinition({ definition, effects }: Tool, add: Add): void {
  const name = definition.name.value;
  for (const [key, value] of Object.entries(definition))
    if (weightOf(key) !== "apart") add(`the ${words(key)} of \`${name}\``, JSON.stringify(value, withoutPlaces) ?? "");
  add(`the effects of \`${name}\``, effects.join(" "));
}

function words(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Removes places, and what dottool itself found out about a command: its effects are a separate part. */
function withoutPlaces(key: string, value: unknown): unknown {
  if (key === "span") return undefined;
  if (isDirect(value)) return { kind: value.kind, words: value.words };
  return isScript(value) ? { ...value, does: undefined, mayRun: undefined, needs: undefined } : value;
}

function isScript(value: unknown): value is ShellCommand {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "shell" && "parts" in value;
}

/** Every key, so that the compiler asks for a new one. */
const keysOfDirect: Readonly<Record<keyof DirectCommand, "written" | "found">> = {
  kind: "written",
  words: "written",
  mayRun: "found",
  does: "found",
  needs: "found",
};

function isDirect(value: unknown): value is DirectCommand {
  if (typeof value !== "object" || value === null || !("kind" in value) || value.kind !== "direct") return false;
  return "words" in value && Object.keys(value).every((key) => Object.hasOwn(keysOfDirect, key));
}

/** Returns the user's own programs that its commands name, or the files of a plugin. */
function scriptsOf(definition: ToolDefinition, place: BoundPlace): readonly string[] {
  const { host, cwd } = place;
  const { origin } = definition;
  const isFile = (path: string): boolean => host.instant.stat(path)?.kind === "file";
  if (origin.kind === "plugin") return moduleFiles(origin.path, SCRIPTS_MAX, host).filter(isFile);
  const folders = [cwd, ...(origin.kind === "file" ? [dirname(resolve(cwd, origin.source.path))] : [])];
  const named = definition.kind === "wrapped" || definition.kind === "steps" ? namesIn(definition) : [];
  return named.flatMap((name) => folders.flatMap((folder) => ownProgram(resolve(folder, name), place)));
}

/** Returns the path if it looks like one of the user's own programs. */
function ownProgram(path: string, place: BoundPlace): readonly string[] {
  if (!isOwnFile(path, place)) return [];
  return SCRIPT_NAME.test(path) || ((place.host.instant.stat(path)?.mode ?? 0) & 0o111) !== 0 ? [path] : [];
}

function isOwnFile(path: string, { host, project }: BoundPlace): boolean {
  return host.instant.stat(path)?.kind === "file" && !isOfSystem(path, project);
}

function namesIn(definition: ToolDefinition): readonly string[] {
  return wordsIn(Object.entries(definition).filter(([key]) => weightOf(key) === "acts"));
}

/** Returns the words of all texts at any depth. */
function wordsIn(values: readonly unknown[]): readonly string[] {
  const texts: string[] = [];
  JSON.stringify(values, (key, value: unknown) => {
    if (key === "span") return undefined;
    if (typeof value === "string") texts.push(value);
    return value;
  });
  return texts.flatMap((text) => text.match(/[\w.~@%+/-]+/g) ?? []);
}

/** Returns whether a path belongs to the system; a project may be there, too. */
function isOfSystem(path: string, project: string): boolean {
  return /^\/(usr|bin|sbin|lib|lib64|etc|dev|proc|sys)\//.test(path) && !path.startsWith(project + sep);
}

/** Returns bytes that equal nothing, for a file that cannot be read. */
function unlikeAny(host: Host): Uint8Array {
  return new TextEncoder().encode(`cannot be read ${host.randomId()}`);
}

function bytesOf(path: string, { host, project }: BoundPlace): Uint8Array {
  try {
    const real = host.instant.realPath(path);
    const stat = host.instant.stat(path);
    // A virtual environment's `python` is the system's.
    if (isOfSystem(real, project)) return new TextEncoder().encode(`link to ${real}`);
    return stat && stat.sizeBytes > SCRIPT_BYTES_MAX ? factsOf(stat) : host.instant.readBytes(path, SCRIPT_BYTES_MAX);
  } catch {
    return unlikeAny(host);
  }
}

/** Returns facts that stand for the content of a large program. No ordinary user can set back its change time. */
function factsOf({ sizeBytes, mtimeMs, ctimeMs, inode }: FileStat): Uint8Array {
  return new TextEncoder().encode(JSON.stringify([sizeBytes, mtimeMs, ctimeMs, inode]));
}

/** Returns the differences as text. */
export function changesSince(before: ToolContent["parts"], now: ToolContent["parts"]): readonly string[] {
  const labels = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return labels.flatMap((label) => {
    if (before[label] === now[label]) return [];
    return [
      before[label] === undefined
        ? `${label} is new`
        : now[label] === undefined
          ? `${label} is gone`
          : `${label} has changed`,
    ];
  });
}

// The files of a plugin: its own, and those that it imports by a path in the text. Computed paths and packages are not
// found; trust in the folder covers them.

const FILE_BYTES_MAX = 8 * 1024 * 1024;
const RELATIVE_IMPORT = /(?:\bfrom|\bimport|\brequire)\s*(?:\(\s*)?["'`](\.{1,2}\/[^"'`\n]{1,1000})["'`]/g;
/** Extensions for a name without one, or with that of a compiled file. */
const ENDINGS = ["", ".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json", "/index.ts", "/index.js"];

/** Returns absolute paths, `path` first. Stops after `filesMax` plus one, which means too many. */
export function moduleFiles(path: string, filesMax: number, host: Host): readonly string[] {
  const found = new Set([path]);
  for (const file of found) {
    for (const imported of importsOf(file, host))
      if (found.size <= filesMax && host.instant.stat(imported)?.kind === "file") found.add(imported);
  }
  return [...found];
}

/** Returns all files that each import may mean: a wrong one does no harm. */
function importsOf(file: string, host: Host): readonly string[] {
  let text: string;
  try {
    text = new TextDecoder().decode(host.instant.readBytes(file, FILE_BYTES_MAX));
  } catch {
    return [];
  }
  return [...text.matchAll(RELATIVE_IMPORT)].flatMap(([, specifier = ""]) => {
    const path = resolve(dirname(file), specifier);
    return [...ENDINGS.map((ending) => path + ending), path.replace(/\.([mc]?)js$/, ".$1ts")];
  });
}
