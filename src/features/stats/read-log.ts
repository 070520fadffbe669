// Reads the log of calls, the oldest file first, piece by piece, while others write to it and rotate it. Anything may
// stand in a file, so every part of a line is checked.
import { join } from "node:path";
import { AUDIT_FILE, AUDIT_FILES_KEPT } from "../../core/policy/audit-log.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import { lineReader } from "../../core/text/line-reader.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host } from "../../core/tool/host.ts";
import { callers } from "../../core/tool/policy.ts";

/**
 * `repair`: the call could not be made as it was written, and its caller was told how to write it. `refused`: a rule, a
 * person or a lack of trust kept it. `judged`: another agent was to make it with a tool of its own.
 */
export type Ending = "ok" | "failed" | "repair" | "refused" | "judged";

const repairs = ["invalid-arguments", "unknown-tool"];
const refusals = ["denied", "untrusted", "too-often", "deny"];

export interface LoggedCall {
  readonly timeMs: number;
  readonly caller: string;
  /** Which one, if the caller is `hook`. */
  readonly client: string | undefined;
  readonly tool: string;
  /** The tool whose step made the call. */
  readonly parent: string | undefined;
  readonly cwd: string;
  /** A text if they were too long to be logged. */
  readonly arguments: JsonObject | string;
  readonly ending: Ending;
  /** `ok`, or why it is not: the kind of the failure, or what a hook answered. */
  readonly status: string;
  readonly durationMs: number;
  /** The whole line. */
  readonly line: JsonObject;
}

const PIECE_BYTES = 64 * 1024;
/** The log's own lines are at most a quarter of it. */
const LINE_CHARACTERS_MAX = 64 * 1024;

export interface LogReader {
  /** Reads what is there, or has come since. `isLast`: a line without an end counts as it is. */
  read(isLast: boolean): Promise<void>;
  /** The number of lines that are no calls. */
  damaged(): number;
}

/** `signal` ends the reading early. */
export function openLog(
  { host, signal }: { readonly host: Host; readonly signal: AbortSignal },
  onCall: (call: LoggedCall) => void | Promise<void>,
): LogReader {
  let damaged = 0;
  const waiting: LoggedCall[] = [];
  /** A file is known by its number, because its name changes when the log is rotated. */
  let at = { inode: -1, offset: 0, decoder: new TextDecoder() };
  const take = lineReader({
    charactersMax: LINE_CHARACTERS_MAX,
    onLine: (line) => {
      const call = loggedCall(line);
      if (call) waiting.push(call);
      else if (line.trim() !== "") damaged++;
    },
    onTooLong: () => void damaged++,
  });
  /** A promise that `onCall` returns holds the reading back. */
  const pass = async (text: string): Promise<void> => {
    take(text);
    for (const call of waiting.splice(0)) await onCall(call);
  };
  const readFile = async (): Promise<void> => {
    while (!signal.aborted) {
      const bytes = await nextPiece(at, host);
      if (bytes.length === 0) return;
      at.offset += bytes.length;
      await pass(at.decoder.decode(bytes, { stream: true }));
    }
  };
  return {
    damaged: () => damaged,
    read: async (isLast) => {
      const files = logFiles(host);
      const known = files.findIndex(({ inode }) => inode === at.inode);
      if (known >= 0) await readFile();
      for (const { inode } of files.slice(known + 1)) {
        // A file that is followed by another one gets no more lines.
        await pass("\n");
        at = { inode, offset: 0, decoder: new TextDecoder() };
        await readFile();
      }
      if (isLast) await pass("\n");
    },
  };
}

/** Returns the files that there are, the oldest first. */
function logFiles(host: Host): readonly { readonly path: string; readonly inode: number }[] {
  const newest = join(host.folders.state, AUDIT_FILE);
  const numbers = Array.from({ length: AUDIT_FILES_KEPT }, (_, index) => AUDIT_FILES_KEPT - index);
  const paths = [...numbers.map((number) => newest.replace(/jsonl$/, `${number}.jsonl`)), newest];
  return paths.flatMap((path) => {
    const stat = host.instant.stat(path);
    return stat?.kind === "file" ? [{ path, inode: stat.inode }] : [];
  });
}

async function nextPiece(at: { readonly inode: number; readonly offset: number }, host: Host): Promise<Uint8Array> {
  const path = logFiles(host).find(({ inode }) => inode === at.inode)?.path;
  try {
    if (path !== undefined) return await host.files.readBytes(path, { offset: at.offset, lengthMax: PIECE_BYTES });
  } catch (error) {
    // It was rotated away in this moment.
    if (codeOf(error) !== "ENOENT") throw error;
  }
  return new Uint8Array();
}

function loggedCall(text: string): LoggedCall | undefined {
  let line: Json = null;
  try {
    line = JSON.parse(text) as Json;
  } catch {}
  if (!isJsonObject(line)) return undefined;
  const texts = Object.fromEntries(Object.entries(line).filter(([, value]) => typeof value === "string"));
  const { time, front_end: caller, tool, status, client, failure, cwd } = texts as Record<string, string | undefined>;
  const { within, ms, arguments: args = {} } = line;
  const timeMs = Date.parse(time ?? "");
  if (tool === undefined || status === undefined || Number.isNaN(timeMs) || typeof ms !== "number") return undefined;
  if (!callers.some((one) => one === caller) || !(isJsonObject(args) || typeof args === "string")) return undefined;
  const parent = Array.isArray(within) ? within.at(-1) : undefined;
  return {
    timeMs,
    caller: caller ?? "",
    client,
    tool,
    parent: typeof parent === "string" ? parent : undefined,
    cwd: cwd ?? "",
    arguments: args,
    ending: endingOf(failure ?? status, caller === "hook"),
    status: failure ?? status,
    durationMs: ms,
    line,
  };
}

function endingOf(status: string, isHook: boolean): Ending {
  if (status === "ok") return "ok";
  if (refusals.includes(status)) return "refused";
  return isHook ? "judged" : repairs.includes(status) ? "repair" : "failed";
}
