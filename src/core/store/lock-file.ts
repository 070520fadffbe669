// A lock with one holder at a time, also between processes of one user: a file that names its holder. A holder loses
// the lock when its process, container or system has ended. A holder that is known to run keeps it, whatever any clock
// says. If that is not known, age decides: a holder that hung for too long loses the lock, and notices before it
// writes.
import { join } from "node:path";
import type { Host, ProcessIdentity, WriteLock } from "../tool/host.ts";
import { readTemporaryName, temporaryName } from "../tool/temporary-name.ts";
import { Turns } from "../tool/turns.ts";
import { putAside } from "./checked-file.ts";

const LOCK_TRY_MS = 5;
const LOCK_BYTES_MAX = 16 * 1024;
/**
 * The age at which a lock is given up if it cannot be known whether the holder runs. No change takes that long, and a
 * lasting lock is renewed more often.
 */
const LOCK_AGE_MS_MAX = 20_000;
const RENEWAL_MS = 5_000;
/** Without hard links, a lock is empty between being made and being written. */
const EMPTY_MS_MAX = 100;

interface LockOptions {
  readonly host: Host;
  /** The folder of the file that is changed under the lock. */
  readonly folder?: string;
  /** Set if the lock is held as long as a process runs, and not only for a change. */
  readonly isLasting?: true;
}

interface TakeOptions extends LockOptions {
  readonly waitMsMax: number;
  /** Aborts the wait with `{code: "EBUSY"}`. */
  readonly signal?: AbortSignal;
}

export interface Lock extends WriteLock {
  /** Releases the lock, but not another holder's. */
  release(): void;
}

interface LockText extends Partial<ProcessIdentity> {
  readonly id?: string;
  /** The path of the holder's temporary file, beside the file that it changes. */
  readonly temporary?: string;
}

/** The turns of this process, by path: it tries to take each lock file once at a time. */
const turnsOf = new WeakMap<Host["shared"], Map<string, Turns>>();

/** Throws `{code: "EBUSY"}` if others hold it for too long, and the system's error if no file can be made. */
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
      if (lock) {
        const release = (): void => {
          lock.release();
          leave(path, turns, host);
        };
        return { ...lock, release };
      }
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

/**
 * Takes the lock, or returns undefined if another process holds it. Throws the system's error if no file can be made.
 */
export function tryLock(path: string, { host, folder, isLasting }: LockOptions): Lock | undefined {
  const id = host.randomId();
  const identity = host.shared.identity();
  const name = temporaryName(identity, id);
  const text: LockText = {
    ...identity,
    id,
    ...(folder === undefined ? {} : { temporary: join(folder, name) }),
  };
  const token = JSON.stringify(text);
  const isHeld = (): boolean => textAt(path, host) === token;
  const isMade = host.shared.create(path, token);
  if (!isMade && !takeOver(path, token, host)) return undefined;
  const found = textAt(path, host);
  // Otherwise every process would wait for a lock that its own holder cannot read.
  if (isMade && found === undefined) remove(path, host);
  // A process that hung before writing it may have lost it.
  if (found !== token) return undefined;
  const renewal = new AbortController();
  if (isLasting) renew(path, isHeld, { host, signal: renewal.signal }).catch(() => undefined);
  return {
    temporaryName: name,
    isHeld,
    release: () => {
      renewal.abort();
      // A lock that cannot be read now is most likely still ours, and would stay for as long as this process runs.
      if ([token, undefined].includes(textAt(path, host))) remove(path, host);
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
      // A lock that cannot be renewed becomes too old.
    }
  }
}

/** Whether the lock of a holder that is gone has become ours. */
function takeOver(path: string, token: string, host: Host): boolean {
  const text = textAt(path, host);
  if (!isStale(path, text, host)) return false;
  // One process does it and looks again first: another may have done so already, and a third may hold a new lock.
  const breaker = `${path}.break`;
  const own = JSON.stringify(host.shared.identity());
  if (!host.shared.create(breaker, own) && !(isCleared(breaker, host) && host.shared.create(breaker, own)))
    return false;
  try {
    if (textAt(path, host) !== text || !(host.instant.stat(path) || host.instant.isLink(path))) return false;
    if (host.instant.stat(path)?.kind !== "file") putAside(path, host);
    host.instant.replace(path, token);
    // The late holder may not look at the lock again, but the file that it would rename is gone.
    const { temporary } = readText(text);
    if (temporary !== undefined && readTemporaryName(temporary.slice(temporary.search(/[^/\\]*$/))))
      remove(temporary, host);
    return true;
  } finally {
    remove(breaker, host);
  }
}

/** Whether a lock with this text belongs to nobody any more. */
function isStale(path: string, text: string | undefined, host: Host): boolean {
  const stat = host.instant.stat(path);
  // A dangling link names no holder, and no lock can be made in its place.
  if (!stat) return host.instant.isLink(path) === true;
  // A time in the future comes from a clock that was set back.
  const ageMs = Math.abs(Date.parse(host.timestamp()) - stat.mtimeMs);
  const { processId, ...rest } = readText(text);
  if (processId === undefined) return ageMs > EMPTY_MS_MAX;
  const isRunning = host.shared.isRunning({ processId, ...rest });
  // The id alone may belong to another process by now.
  if (isRunning !== undefined && (!isRunning || rest.start !== undefined)) return !isRunning;
  return ageMs > LOCK_AGE_MS_MAX;
}

/** Reads what a lock says of its holder; nothing if it is not the text of a lock. */
function readText(text: string | undefined): LockText {
  try {
    const read = JSON.parse(text ?? "") as LockText | null;
    return Number.isSafeInteger(read?.processId) && Number(read?.processId) > 0 ? (read ?? {}) : {};
  } catch {
    return {};
  }
}

/** Returns the text of a lock; undefined if it cannot be read. */
function textAt(path: string, host: Host): string | undefined {
  try {
    return new TextDecoder().decode(host.instant.readBytes(path, LOCK_BYTES_MAX));
  } catch {
    return undefined;
  }
}

/** Whether a breaker that belonged to nobody is gone. A folder is only moved, because it may contain wanted files. */
function isCleared(breaker: string, host: Host): boolean {
  const text = textAt(breaker, host);
  if (!isStale(breaker, text, host)) return false;
  let aside: string;
  try {
    aside = putAside(breaker, host);
    // Another process was faster, and this is its new one.
    if (textAt(aside, host) !== text) {
      host.shared.rename(aside, breaker);
      return false;
    }
  } catch {
    return false;
  }
  remove(aside, host);
  return true;
}

/** Removes a lock. Another process may have done so already. A lock that cannot be removed gets too old. */
function remove(path: string, host: Host): void {
  try {
    host.instant.remove(path);
  } catch {
    // The caller has done its work.
  }
}

/** Whether a running process holds the lock, or may hold it. */
export function isLockHeld(path: string, host: Host): boolean {
  const text = textAt(path, host);
  return text !== undefined && !isStale(path, text, host);
}

/** Returns the process that holds the lock; undefined if none does, or it is not known. */
export function holderOf(path: string, host: Host): ProcessIdentity | undefined {
  const text = textAt(path, host);
  const { processId, ...rest } = readText(text);
  return processId === undefined || isStale(path, text, host) ? undefined : { processId, ...rest };
}
