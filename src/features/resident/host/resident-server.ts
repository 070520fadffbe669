// Listens for the launchers of calls, until nothing has been called for a while, the executable has changed, or it is
// told to stop. Only its user can connect, because the folder of the socket is closed to all others; Node cannot ask the
// system who has connected (SO_PEERCRED).
import { Buffer } from "node:buffer";
import { chmodSync, lstatSync, rmSync, unlinkSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import process from "node:process";
import { nowMs } from "../../../core/host/monotonic-clock.ts";
import { CallClock } from "./call-clock.ts";
import type { ServedCall } from "./call-host.ts";
import { callerRights, readCallerFacts } from "./caller-facts.ts";
import { type Frame, FrameReader, frameOf } from "./frames.ts";
import { LauncherLink } from "./launcher-link.ts";
import { isAnswered, type ResidentStatus } from "./resident-client.ts";
import { executableIdentity, type ResidentPlace } from "./resident-place.ts";

export interface ResidentOptions {
  readonly place: ResidentPlace;
  readonly executable: string;
  /** Without calls for this long, it ends. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
  /** Makes a call, and ends it. It never throws. */
  serve(call: ServedCall): Promise<void>;
}

/** More calls at once are made the ordinary way. */
const CALLS_MAX = 256;
/** How many needs are counted one by one; callers choose the names of variables. */
const NEEDS_MAX = 20;
const CHECK_MS_MIN = 10;
const CHECK_MS_MAX = 5_000;
const SOCKET_MODE = 0o600;

/** Resolves when it has ended; false: another one listens there. */
export async function runResident(options: ResidentOptions): Promise<boolean> {
  const { place, executable, idleMs } = options;
  const server = createServer();
  if (!(await listenAlone(server, place.socket))) return false;
  chmodSync(place.socket, SOCKET_MODE);
  // What the launcher that has started it leaves: takes_turn of scripts/launcher/start.c.
  rmSync(`${place.socket}.starting`, { force: true });
  const resident = new Resident(options);
  server.on("connection", (socket) => receive(socket, resident));
  const ino = inodeOf(place.socket);
  const identity = executableIdentity(executable);
  const check = setInterval(
    () => {
      if (resident.isIdle || inodeOf(place.socket) !== ino || isOther(executable, identity)) resident.stop();
    },
    Math.min(CHECK_MS_MAX, Math.max(CHECK_MS_MIN, idleMs / 4)),
  );
  await resident.stopped;
  clearInterval(check);
  if (inodeOf(place.socket) === ino) unlinkSync(place.socket);
  server.close();
  await resident.allMade();
  return true;
}

function inodeOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.ino;
}

class Resident {
  readonly #options: ResidentOptions;
  readonly #rights = callerRights();
  readonly #identity: string;
  readonly #stop = Promise.withResolvers<void>();
  readonly #ending = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #calls = 0;
  /** The calls that were left to the executable, by what they needed. */
  readonly #left = new Map<string, number>();
  #lastMs = nowMs();

  constructor(options: ResidentOptions) {
    this.#options = options;
    this.#identity = executableIdentity(options.executable);
    options.signal.addEventListener("abort", () => this.stop(), { once: true });
    if (options.signal.aborted) this.stop();
  }

  get stopped(): Promise<void> {
    return this.#stop.promise;
  }

  get isIdle(): boolean {
    return this.#running.size === 0 && nowMs() - this.#lastMs >= this.#options.idleMs;
  }

  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  stop(): void {
    this.#stop.resolve();
    this.#ending.abort();
  }

  async allMade(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  async take(call: ServedCall): Promise<void> {
    this.#calls++;
    const need = this.#needOf(call);
    const made = need === undefined ? this.#options.serve(call) : Promise.resolve(leaveCall(call, need));
    this.#running.add(made);
    await made;
    this.#running.delete(made);
    this.#countLeft(call.link.leftFor);
    this.#lastMs = nowMs();
  }

  #countLeft(need: string | undefined): void {
    if (need === undefined) return;
    const shown = this.#left.has(need) || this.#left.size < NEEDS_MAX ? need : "other things";
    this.#left.set(shown, (this.#left.get(shown) ?? 0) + 1);
  }

  status(): ResidentStatus {
    return {
      pid: process.pid,
      idleMs: Math.round(nowMs() - this.#lastMs),
      calls: this.#calls,
      running: this.#running.size,
      ordinaryWay: [...this.#left.values()].reduce((sum, count) => sum + count, 0),
      needs: Object.fromEntries(this.#left),
      memoryBytes: process.memoryUsage.rss(),
    };
  }

  /** Returns what the call needs that this process has not. */
  #needOf({ facts }: ServedCall): string | undefined {
    if (facts.rights !== this.#rights) return "other rights";
    if (this.#running.size >= CALLS_MAX) return "a free place";
    return isOther(this.#options.executable, this.#identity) ? "another executable" : undefined;
  }
}

function isOther(executable: string, identity: string): boolean {
  try {
    return executableIdentity(executable) !== identity;
  } catch {
    return true;
  }
}

/** Listens in place of a dead one. Returns false if another one is there: it stays. */
async function listenAlone(server: Server, path: string): Promise<boolean> {
  if (await listens(server, path)) return true;
  if (await isAnswered(path)) return false;
  // It was killed, and left its socket behind.
  try {
    unlinkSync(path);
  } catch {
    // Another one has just done the same.
  }
  return listens(server, path);
}

function listens(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void =>
      error.code === "EADDRINUSE" ? resolve(false) : reject(error);
    server.once("error", onError);
    server.listen(path, () => {
      server.off("error", onError);
      resolve(true);
    });
  });
}

/** Reads what comes on a connection: a question, or a call and all that its launcher says of it. */
function receive(socket: Socket, resident: Resident): void {
  const reader = new FrameReader();
  let link: LauncherLink | undefined;
  const take = ({ kind, content }: Frame): void => {
    if (link) return link.take({ kind, content });
    if (kind === "?") return answer(content.toString("utf8"), socket, resident);
    const facts = kind === "C" ? readCallerFacts(content) : undefined;
    if (!facts) return void socket.end(frameOf("c", Buffer.alloc(0)));
    link = new LauncherLink(socket);
    resident.take({ link, facts, clock: new CallClock(), ending: resident.ending }).catch(() => socket.destroy());
  };
  socket.on("error", () => socket.destroy());
  socket.on("data", (bytes) => {
    try {
      for (const frame of reader.read(bytes as Buffer)) take(frame);
    } catch {
      socket.destroy();
    }
  });
  socket.on("close", () => link?.close());
}

function answer(question: string, socket: Socket, resident: Resident): void {
  if (question === "stop") resident.stop();
  socket.end(JSON.stringify(resident.status()));
}

function leaveCall({ link }: ServedCall, need: string): void {
  try {
    link.leave(need);
  } catch {
    link.send("c", Buffer.alloc(0));
  }
}
