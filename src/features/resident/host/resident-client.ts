// Asks a resident process, and starts one.
import { Buffer } from "node:buffer";
import { connect } from "node:net";
import process from "node:process";
import { frameOf } from "./frames.ts";
import type { ResidentPlace } from "./resident-place.ts";

export interface ResidentStatus {
  readonly pid: number;
  /** Since the last call. */
  readonly idleMs: number;
  /** Since its start. */
  readonly calls: number;
  readonly running: number;
  /** The calls that it left to the executable. */
  readonly ordinaryWay: number;
  /** How many of these needed what. */
  readonly needs: Readonly<Record<string, number>>;
  readonly memoryBytes: number;
}

const ANSWER_MS_MAX = 2_000;
const START_MS_MAX = 10_000;
const RETRY_MS = 20;

/** Whether a process listens there. */
export function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once("connect", () => end(true)).once("error", () => end(false));
  });
}

/** Returns undefined if there is none, or it does not answer. */
export function askResident(
  { socket: path }: ResidentPlace,
  question: "status" | "stop",
): Promise<ResidentStatus | undefined> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(path, () => void socket.write(frameOf("?", Buffer.from(question))));
    const end = (): void => {
      socket.destroy();
      resolve(statusIn(text));
    };
    socket.setTimeout(ANSWER_MS_MAX, end);
    socket.on("data", (bytes) => void (text += bytes.toString("utf8")));
    socket.on("end", end).on("error", end);
  });
}

function statusIn(text: string): ResidentStatus | undefined {
  try {
    return JSON.parse(text) as ResidentStatus;
  } catch {
    return undefined;
  }
}

/** The variables that the process itself gets. Those of a call come with the call. */
const ownVariables = ["PATH", "HOME", "LANG", "XDG_RUNTIME_DIR", "TZ"];

/** Starts one that outlives this program, and waits until it answers. Returns undefined if it does not. */
export async function startResident(
  place: ResidentPlace,
  words: readonly string[],
): Promise<ResidentStatus | undefined> {
  const { spawn } = await import("node:child_process");
  const variables = ownVariables.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const child = spawn(process.execPath, words, {
    cwd: "/",
    env: Object.fromEntries(variables),
    stdio: "ignore",
    detached: true,
  });
  child.on("error", () => undefined).unref();
  for (let waitedMs = 0; waitedMs < START_MS_MAX && child.exitCode === null; waitedMs += RETRY_MS) {
    if (await isAnswered(place.socket)) return askResident(place, "status");
    await new Promise((resolve) => void setTimeout(resolve, RETRY_MS));
  }
  return askResident(place, "status");
}

/** Waits until it has stopped to listen. */
export async function stopResident(place: ResidentPlace): Promise<ResidentStatus | undefined> {
  const status = await askResident(place, "stop");
  for (let waitedMs = 0; status && waitedMs < START_MS_MAX && (await isAnswered(place.socket)); waitedMs += RETRY_MS)
    await new Promise((resolve) => void setTimeout(resolve, RETRY_MS));
  return status;
}
