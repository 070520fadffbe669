// Pins: the tools of an MCP server as they were when the user accepted them, stored below the state folder in one file
// for each server. Definitions are built from pins, so listing, showing and checking start no server, and a tool that
// has changed since is noticed.
import { join } from "node:path";
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import { printable } from "../../core/text/display.ts";
import {
  readCheckedFile,
  readCheckedJson,
  requireNotNewer,
  putAside,
  troubleOf,
  withChecksum,
} from "../../core/store/checked-file.ts";
import type { Host } from "../../core/tool/host.ts";

export interface PinnedTool {
  /** The name that its server uses. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  /** The annotations that its server claims. */
  readonly annotations?: JsonObject;
}

export interface ServerPins {
  /** The era in which the server was spoken to last. If absent, the server is asked. */
  readonly era?: "legacy" | "modern";
  readonly tools: ReadonlyMap<string, PinnedTool>;
  /** Set if the pins were read from an undamaged file. */
  readonly isKept?: true;
}

const FORMAT = { name: "pins", version: 2 };
const FILE_BYTES_MAX = 64 * 1024 * 1024;
/** The limit of one tool as JSON. Models get it, so a larger one is an attack. */
export const PIN_BYTES_MAX = 256 * 1024;

function pinFile(server: string, host: Host): string {
  return join(host.folders.state, "mcp", `${server}.json`);
}

/** Reads the pins of a server. There are none if the file is missing, damaged or another user's. */
export function readPins(server: string, host: Host): ServerPins {
  const path = pinFile(server, host);
  try {
    const stat = host.instant.stat(path);
    if (!stat?.isOwn) return { tools: new Map() };
    const kept = readCheckedJson(path, { host, format: FORMAT, bytesMax: FILE_BYTES_MAX }) as Json | undefined;
    if (!isJsonObject(kept) || !isJsonObject(kept["tools"] ?? null)) return { tools: new Map() };
    const { era } = kept;
    const tools = Object.values(kept["tools"] as JsonObject).flatMap((tool) => pinnedTool(tool) ?? []);
    return {
      isKept: true,
      ...(era === "legacy" || era === "modern" ? { era } : {}),
      tools: new Map(tools.map((tool) => [tool.name, tool])),
    };
  } catch {
    return { tools: new Map() };
  }
}

/** Returns why the pins are ignored, as a whole sentence, or undefined if they are used or there are none. */
export function pinTrouble(server: string, host: Host): string | undefined {
  const path = pinFile(server, host);
  if (!host.instant.stat(path) || readPins(server, host).isKept) return undefined;
  const read = readCheckedFile(path, { host, format: FORMAT, bytesMax: FILE_BYTES_MAX });
  return `the pin is ignored: \`${path}\` ${troubleOf(read) ?? "is not a pin of dottool"}`;
}

/**
 * Writes the pins. With `isKept`, `tools` includes all that the file held, so nothing has to be put aside. Throws
 * errors of the file system.
 */
export function writePins(server: string, { era, tools, isKept }: ServerPins, host: Host): void {
  const text = JSON.stringify(
    { ...(era === undefined ? {} : { era }), tools: Object.fromEntries(tools) },
    undefined,
    1,
  );
  const path = pinFile(server, host);
  requireNotNewer(path, { host, format: FORMAT, bytesMax: FILE_BYTES_MAX });
  if (!isKept && pinTrouble(server, host) !== undefined) putAside(path, host);
  host.instant.replace(path, withChecksum(FORMAT, `${text}\n`), { isSynced: true });
}

/**
 * Returns the part of a listed tool that decides what callers are told and may send. Its properties are sorted, so that
 * equal tools are equal texts. Throws a RangeError if the tool is nested too deep.
 */
export function pinnedTool(listed: unknown): PinnedTool | undefined {
  if (typeof listed !== "object" || listed === null) return undefined;
  const { name, title, description, inputSchema, outputSchema, annotations } = listed as {
    readonly [key: string]: Json | undefined;
  };
  if (typeof name !== "string" || !isJsonObject(inputSchema ?? null)) return undefined;
  return {
    name,
    ...(typeof title === "string" ? { title } : {}),
    description: typeof description === "string" ? description : "",
    inputSchema: sorted(inputSchema as JsonObject),
    ...(isJsonObject(outputSchema ?? null) ? { outputSchema: sorted(outputSchema as JsonObject) } : {}),
    ...(isJsonObject(annotations ?? null) ? { annotations: sorted(annotations as JsonObject) } : {}),
  };
}

/** Servers do not promise the order of properties. */
function sorted<T extends Json>(value: T, depth = 0): T {
  if (depth > DEPTH_MAX) throw new RangeError(`nested deeper than ${DEPTH_MAX} levels`);
  if (Array.isArray(value)) return value.map((item: Json) => sorted(item, depth + 1)) as unknown as T;
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return Object.fromEntries(entries.map(([name, item]) => [name, sorted(item, depth + 1)])) as T;
}

const DEPTH_MAX = 100;

export function isSamePin(one: PinnedTool, other: PinnedTool): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the removed lines with `-` before them, and the added ones with `+`. */
export function pinDifference(pinned: PinnedTool, live: PinnedTool): readonly string[] {
  const before = leaves(pinned as unknown as Json, "");
  const after = leaves(live as unknown as Json, "");
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  const lines = paths.flatMap((path) => [...line("-", path, before.get(path)), ...line("+", path, after.get(path))]);
  return lines.length > DIFFERENCE_LINES_MAX
    ? [...lines.slice(0, DIFFERENCE_LINES_MAX), `and ${lines.length - DIFFERENCE_LINES_MAX} more lines`]
    : lines;
}

const DIFFERENCE_LINES_MAX = 40;
const SHOWN_CHARACTERS_MAX = 300;

function line(sign: "-" | "+", path: string, value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  return [
    `${sign} ${printable(path)}: ${value.length > SHOWN_CHARACTERS_MAX ? `${printable(value.slice(0, SHOWN_CHARACTERS_MAX))}…` : printable(value)}`,
  ];
}

/** Returns every value that holds no others, as JSON, by its path. */
function leaves(value: Json, path: string): ReadonlyMap<string, string> {
  const entries = Array.isArray(value)
    ? value.map((item: Json, index) => [`${path}[${index}]`, item] as const)
    : isJsonObject(value)
      ? Object.entries(value).map(([name, item]) => [path === "" ? name : `${path}.${name}`, item] as const)
      : [];
  if (entries.length === 0) return new Map([[path, JSON.stringify(value)]]);
  return new Map(entries.flatMap(([at, item]) => [...leaves(item, at)]));
}
