// One holder at a time, also between processes of one user: a file that names its holder, which a killed process does
// not keep, nor one of a container or of a system that is gone. Whoever stood still for too long loses it, and notices
// before it writes.
import { join } from "node:path";
import type { ProcessIdentity } from "./host-shared.ts";
import type { Host, WriteLock } from "./host.ts";
import { Turns } from "./turns.ts";

const LOCK_TRY_MS = 5;
const LOCK_BYTES_MAX = 16 * 1024;
/** No change takes that long. A lock that lasts is renewed more often. */
const LOCK_AGE_MS_MAX = 20_000;
const RENEWAL_MS = 5_000;
/** Where there are no hard links, a lock is empty between being made and being written. */
const EMPTY_MS_MAX = 100;
const TEMPORARY = /^\.dottool-[0-9a-f]{16}\.tmp$/;

export interface LockOptions {
  readonly host: Host;
  /** The folder of the file that is changed under the lock. */
  readonly folder?: string;
  /** Held for as long as a process runs, and not only for a change. */
  readonly isLasting?: true;
}

export interface TakeOptions extends LockOptions {
  readonly waitMsMax: number;
  /** Waits no longer then: `{code: "EBUSY"}`. */
  readonly signal?: AbortSignal;
}

export interface Lock extends WriteLock {
  /** Another holder's lock stays. */
  release(): void;
}

interface LockText extends Partial<ProcessIdentity> {
  readonly id?: string;
  /** Of the holder, beside the file that it changes. */
  readonly temporary?: string;
}

/** Of this process, one after the other, so that it asks for the file once at a time. */
const turnsOf = new WeakMap<Host["shared"], Map<string, Turns>>();

/** Throws `{code: "EBUSY"}` when others hold it for too long, and what the system says where no file can be made. */
export async function takeLock(path: string, options: TakeOptions): Promise<Lock> {
  const { host, waitMsMax } = options;
  const untilMs = host.nowMs() + waitMsMax;
  const ended = new AbortController();
  const given = options.signal ?? ended.signal;
  const turns = turnsFor(path, host);
  void host.sleep(waitMsMax, AbortSignal.any([ended.signal, given])).then(() => ended.abort());
  if (!(await turns.enter(AbortSignal.any([ended.signal, given])))) throw busy(path);
  try {
    for (;;) {
      const lock = tryLock(path, options);
      if (lock) return { ...lock, release: () => (lock.release(), leave(path, turns, host)) };
      if (ended.signal.aborted || given.aborted || host.nowMs() > untilMs) throw busy(path);
      await host.sleep(LOCK_TRY_MS, given);
    }
  } catch (error) {
    leave(path, turns, host);
    throw error;
  } finally {
    ended.abort();
  }
}

function turnsFor(path: string, host: Host): Turns {
  const all = turnsOf.get(host.shared) ?? new Map<string, Turns>();
  turnsOf.set(host.shared, all);
  const turns = all.get(path) ?? new Turns(1);
  all.set(path, turns);
  return turns;
}

function leave(path: string, turns: Turns, host: Host): void {
  if (turns.waiting === 0) turnsOf.get(host.shared)?.delete(path);
  turns.leave();
}

function busy(path: string): Error {
  return Object.assign(new Error(`\`${path}\` is held by another process`), { code: "EBUSY" });
}

/** Undefined: another process holds it. Throws what the system says where no file can be made. */
export function tryLock(path: string, { host, folder, isLasting }: LockOptions): Lock | undefined {
  const id = host.randomId();
  const temporaryName = `.dottool-${id.slice(0, 16)}.tmp`;
  const text: LockText = {
    ...host.shared.identity(),
    id,
    ...(folder === undefined ? {} : { temporary: join(folder, temporaryName) }),
  };
  const token = JSON.stringify(text);
  const isHeld = (): boolean => textAt(path, host) === token;
  // Whoever stood still before writing it may have lost it.
  const isTaken = (host.shared.create(path, token) || takeOver(path, token, { host, isLasting })) && isHeld();
  if (!isTaken) return undefined;
  const renewal = new AbortController();
  if (isLasting) renew(path, isHeld, { host, signal: renewal.signal }).catch(() => undefined);
  return {
    temporaryName,
    isHeld,
    release: () => {
      renewal.abort();
      if (isHeld()) remove(path, host);
    },
  };
}

async function renew(
  path: string,
  isHeld: () => boolean,
  { host, signal }: { readonly host: Host; readonly signal: AbortSignal },
): Promise<void> {
  for (;;) {
    await host.sleep(RENEWAL_MS, signal);
    if (signal.aborted || !isHeld()) return;
    try {
      host.shared.touch(path);
    } catch {
      // What cannot be renewed is too old one day.
    }
  }
}

interface TakeOver {
  readonly host: Host;
  readonly isLasting: true | undefined;
}

/** Whether the lock of a holder that is gone has become ours. */
function takeOver(path: string, token: string, { host, isLasting }: TakeOver): boolean {
  const text = textAt(path, host);
  if (!isStale(path, text, { host, isLasting })) return false;
  // One process does it, and looks again first: another may have done so already, and a third one hold a new lock.
  const breaker = `${path}.break`;
  if (!host.shared.create(breaker, JSON.stringify(host.shared.identity()))) {
    if (isStale(breaker, textAt(breaker, host), { host, isLasting: undefined })) clear(breaker, host);
    return false;
  }
  try {
    if (textAt(path, host) !== text || !(host.instant.stat(path) || host.instant.isLink(path))) return false;
    if (!isFile(path, host)) putAside(path, host);
    host.instant.replace(path, token);
    // Its last look at the lock may be over, but what it would rename is gone then.
    const { temporary } = readText(text);
    if (temporary !== undefined && TEMPORARY.test(temporary.slice(temporary.search(/[^/\\]*$/))))
      remove(temporary, host);
    return true;
  } finally {
    remove(breaker, host);
  }
}

function isStale(path: string, text: string | undefined, { host, isLasting }: TakeOver): boolean {
  const stat = host.instant.stat(path);
  // A link to nothing names no holder, and no lock can be made in its place.
  if (!stat) return host.instant.isLink(path);
  // One from the future is of a clock that was set back.
  const ageMs = Math.abs(Date.parse(host.timestamp()) - stat.mtimeMs);
  const { processId, ...rest } = readText(text);
  if (processId === undefined) return ageMs > EMPTY_MS_MAX;
  const isRunning = host.shared.isRunning({ processId, ...rest });
  if (isRunning === false) return true;
  return ageMs > LOCK_AGE_MS_MAX && !(isLasting && isRunning === true && rest.start !== undefined);
}

function readText(text: string | undefined): LockText {
  try {
    const read = JSON.parse(text ?? "") as LockText | null;
    return Number.isSafeInteger(read?.processId) && Number(read?.processId) > 0 ? (read ?? {}) : {};
  } catch {
    return {};
  }
}

function textAt(path: string, host: Host): string | undefined {
  try {
    return new TextDecoder().decode(host.instant.readBytes(path, LOCK_BYTES_MAX));
  } catch {
    return undefined;
  }
}

function isFile(path: string, host: Host): boolean {
  return host.instant.stat(path)?.kind === "file";
}

function putAside(path: string, host: Host): void {
  host.shared.rename(path, `${path}.broken-${host.randomId().slice(0, 8)}`);
}

/** A folder is not removed, as it may hold what somebody wants. */
function clear(path: string, host: Host): void {
  if (host.instant.stat(path)?.kind === "folder") putAside(path, host);
  else remove(path, host);
}

/** Another process may have done it already; what cannot be removed is too old one day. */
function remove(path: string, host: Host): void {
  try {
    host.instant.remove(path);
  } catch {
    // Whoever asked for it has done its work.
  }
}
