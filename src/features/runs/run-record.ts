// What is stored of a run: one folder each in the state folder, with what was called and how it ended.
import { join } from "node:path";
import type { JsonObject } from "../../core/schema/json.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import { type CheckedFile, type FileFormat, readCheckedFile, troubleOf } from "../../core/store/checked-file.ts";
import type { Host } from "../../core/tool/host.ts";
import { isLockHeld } from "../../core/store/lock-file.ts";

/** A call that a person approved: it is not asked about again, as long as its content is the same. */
export interface RunApproval {
  readonly tool: string;
  /** A hash of the arguments without secrets, and of all that was approved with them. */
  readonly key: string;
}

/** How the call was made, besides its arguments. */
export interface RunOptions {
  /** Absolute. */
  readonly toolFolders: readonly string[];
  /** The form of its result, as `--result` names it. */
  readonly result: string;
  readonly provider?: string;
  /** Absolute. */
  readonly outputFile?: string;
}

export interface RunRecord {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Set if it was resumed: when last, and how long its earlier processes took, as far as that is stored. */
  readonly resumed?: { readonly at: string; readonly earlierMs: number };
  readonly tool: string;
  /** Without secrets. */
  readonly arguments: JsonObject;
  /** The names of the arguments that miss their secrets. Absent: none. */
  readonly secrets?: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly options: RunOptions;
  /** The hash of each definition and script that decides what it does, by a name that a person understands. */
  readonly content: Readonly<Record<string, string>>;
  readonly approvals: readonly RunApproval[];
  /** Its steps in the order written, and the steps that each waits for. Absent: it has none. */
  readonly steps?: readonly { readonly name: string; readonly after: readonly string[] }[];
  readonly processId: number;
  /** Set if a server makes the call for its client. The key is a part of the handle that the client has. */
  readonly served?: { readonly key: string };
}

export interface RunEnd {
  readonly endedAt: string;
  readonly status: "done" | "failed" | "cancelled";
  readonly exitCode: number;
  /** The time of all its processes, without the pauses between them. */
  readonly durationMs: number;
  /** Why it failed, as `dottool NAME` says it. */
  readonly message?: string;
  /** The step whose failure ended it. */
  readonly failedStep?: string;
  /** The steps whose output lacks its end, because it could not be stored. */
  readonly cutSteps?: readonly string[];
}

/** `lost`: its process ended without storing a result, so it was killed, or the machine stopped. */
export type RunState = "running" | "lost" | RunEnd["status"];

export interface Run {
  readonly record: RunRecord;
  readonly state: RunState;
  readonly end?: RunEnd;
}

/** `trouble` is the end of a sentence that begins with the path. */
type ReadRun = { readonly run: Run } | { readonly path: string; readonly trouble: string };

export const RUN_FORMAT: FileFormat = { name: "run", version: 1 };
export const END_FORMAT: FileFormat = { name: "run-end", version: 1 };
/** Arguments may come from standard input, up to 64 MiB. */
export const RECORD_BYTES_MAX = 128 * 1024 * 1024;
const END_BYTES_MAX = 1024 * 1024;
const ID = /^\d{8}-\d{6}-[0-9a-f]{6}$/;

export function runsFolder(host: Host): string {
  return join(host.folders.state, "runs");
}

/** The files of a run. `stdout` and `stderr` are what its call printed, `step.NAME.0` and `step.NAME.1` what a step wrote. */
export type RunFile =
  | "run.json"
  | "end.json"
  | "lock"
  | "stdout"
  | "stderr"
  | "steps.jsonl"
  | "result.json"
  | "cancel"
  | "spare"
  | `step.${string}`;

export function runFile(id: string, file: RunFile, host: Host): string {
  return join(runsFolder(host), id, file);
}

/** Returns the latest first. */
export function runIds(host: Host): readonly string[] {
  try {
    return host.instant
      .names(runsFolder(host))
      .filter((name) => ID.test(name))
      .sort()
      .reverse();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/**
 * Returns a new id: its time in UTC, and six digits that hold the milliseconds and chance, so that ids are in the order
 * in which the runs began.
 */
export function newRunId(host: Host): string {
  const [day = "", time = ""] = host.timestamp().split("T");
  const second = time.replaceAll(":", "").slice(0, 6);
  const ms = Number(/\.(\d{3})/.exec(time)?.[1] ?? 0)
    .toString(16)
    .padStart(3, "0");
  const known = new Set(runIds(host));
  for (;;) {
    const id = `${day.replaceAll("-", "")}-${second}-${ms}${host.randomId().slice(-3)}`;
    if (!known.has(id)) return id;
  }
}

/** Returns undefined if there is no such run. */
export function readRun(id: string, host: Host): ReadRun | undefined {
  const path = runFile(id, "run.json", host);
  const read = readCheckedFile(path, { host, format: RUN_FORMAT, bytesMax: RECORD_BYTES_MAX });
  if (read.kind === "absent") return undefined;
  if (read.kind !== "content") return { path, trouble: troubleOf(read) ?? "" };
  // Its folder names a run, whatever the file says.
  const record: RunRecord = { ...(parsed(read.bytes) as RunRecord), id };
  // The end is read after the lock: a process stores it before it gives up the lock.
  const isHeld = isLockHeld(runFile(id, "lock", host), host);
  const end = readEnd(id, host);
  if (end.kind === "content") {
    const value = parsed(end.bytes) as RunEnd;
    return { run: { record, state: isHeld ? "running" : value.status, ...(isHeld ? {} : { end: value }) } };
  }
  return { run: { record, state: isHeld ? "running" : "lost" } };
}

function readEnd(id: string, host: Host): CheckedFile {
  return readCheckedFile(runFile(id, "end.json", host), { host, format: END_FORMAT, bytesMax: END_BYTES_MAX });
}

function parsed(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}
