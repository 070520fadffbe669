// A conversation that outlives the program: each entry is a line of a file in the state folder, on the disk before anything follows from it.
import { join } from "node:path";
import { codeOf } from "../tool/error-code.ts";
import type { Failure } from "../tool/failure.ts";
import type { Host } from "../tool/host.ts";
import { type BeginEntry, callsOf, type Entry } from "./entry.ts";
import { readEntries } from "./read-entries.ts";

export interface Conversation {
  readonly id: string;
  readonly entries: readonly Entry[];
  /** Throws what the file system throws. */
  add(entry: Entry): Promise<void>;
  /** Lets other processes go on with it. */
  close(): void;
}

export interface ConversationOptions {
  readonly host: Host;
  /** What is written: without secrets. */
  readonly savedForm: (entry: Entry) => Promise<Entry>;
}

export type Opened = { readonly conversation: Conversation } | { readonly failure: Failure };

/** Older ones go when a new one begins. */
export const CONVERSATIONS_MAX = 200;
const FILE_BYTES_MAX = 256 * 1024 * 1024;
const LINE_BYTES_MAX = 4 * 1024 * 1024;
const MODE = 0o600;
const ID = /^\d{8}-\d{6}-[0-9a-f]{4}$/;
const FILE = /^(\d{8}-\d{6}-[0-9a-f]{4})\.jsonl$/;

export async function beginConversation(begin: Omit<BeginEntry, "kind" | "version" | "id" | "at">, options: ConversationOptions): Promise<Opened> {
  const { host } = options;
  const at = host.timestamp();
  const [day = "", time = ""] = at.split("T").map((part) => part.replaceAll(/\D/g, ""));
  await host.files.makeFolder(folderOf(host), { mode: 0o700 });
  const known = idsIn(host);
  let id: string;
  do id = `${day}-${time.slice(0, 6)}-${host.randomId().slice(-4)}`;
  while (known.includes(id));
  for (const old of known.slice(CONVERSATIONS_MAX - 1)) if (!isOpen(old, host)) remove(fileOf(old, host), host);
  if (!locked(id, host)) return taken(id);
  const conversation = opened(id, [], options);
  await conversation.add({ kind: "begin", version: 1, id, at, ...begin });
  return { conversation };
}

/** Calls that were begun and have no result are answered: whether they ran, nobody knows. */
export async function resumeConversation(id: string, options: ConversationOptions): Promise<Opened> {
  const { host } = options;
  const known = idsIn(host);
  if (!ID.test(id) || !known.includes(id)) return missing(`there is no conversation \`${id}\``, known[0] === undefined ? "none was kept yet" : `the last one is \`${known[0]}\`; all are in \`${folderOf(host)}\``);
  const path = fileOf(id, host);
  // Before it is read: until then another process may write to it.
  if (!locked(id, host)) return taken(id);
  const text = new TextDecoder().decode(host.instant.readBytes(path, FILE_BYTES_MAX));
  const read = readEntries(text);
  if ("problem" in read) {
    remove(lockOf(id, host), host);
    return rejected(`\`${path}\` ${read.problem}`, "mend that line, or begin another conversation");
  }
  const conversation = opened(id, read.entries, options);
  // A line that was cut has no end, and the next one would go on in it.
  if (read.wholeLength < text.length) await host.files.write(path, text.slice(0, read.wholeLength), { mode: MODE });
  for (const call of unanswered(read.entries)) await conversation.add({ kind: "result", id: call.id, name: call.name, isFailed: true, text: INTERRUPTED });
  return { conversation };
}

const INTERRUPTED = "failed[interrupted]: the program was ended during this call, so it may have run in whole, in part or not at all\n  = look at what it left before calling again\n";

/** The last one that ran in this folder. */
export function lastConversationIn(cwd: string, host: Host): string | undefined {
  return idsIn(host).find((id) => beginningOf(id, host)?.cwd === cwd);
}

/** Undefined: there is no such conversation, or it is broken, which going on with it tells. */
export function beginningOf(id: string, host: Host): BeginEntry | undefined {
  if (!idsIn(host).includes(id)) return undefined;
  const [line = ""] = new TextDecoder().decode(host.instant.readStart(fileOf(id, host), LINE_BYTES_MAX)).split("\n", 1);
  const read = readEntries(`${line}\n`);
  const [first] = "entries" in read ? read.entries : [];
  return first?.kind === "begin" ? first : undefined;
}

function folderOf(host: Host): string {
  return join(host.folders.state, "agents");
}

function fileOf(id: string, host: Host): string {
  return join(folderOf(host), `${id}.jsonl`);
}

/** The latest first. */
function idsIn(host: Host): readonly string[] {
  try {
    return host.instant.names(folderOf(host)).flatMap((name) => FILE.exec(name)?.[1] ?? []).sort().reverse();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** False: another process has it. */
function locked(id: string, host: Host): boolean {
  const lock = lockOf(id, host);
  if (!isOpen(id, host)) remove(lock, host);
  return host.shared.create(lock, String(host.shared.processId));
}

/** Of one that is locked. */
function opened(id: string, before: readonly Entry[], { host, savedForm }: ConversationOptions): Conversation {
  const entries = [...before];
  const path = fileOf(id, host);
  return {
    id,
    entries,
    add: async (entry) => {
      entries.push(entry);
      await host.files.append(path, `${JSON.stringify(await savedForm(entry))}\n`, { mode: MODE });
    },
    close: () => remove(lockOf(id, host), host),
  };
}

function taken(id: string): Opened {
  return rejected(`another process goes on with the conversation \`${id}\``, "wait until it has ended");
}

function lockOf(id: string, host: Host): string {
  return join(folderOf(host), `${id}.lock`);
}

/** A killed process keeps nothing. */
function isOpen(id: string, host: Host): boolean {
  try {
    return host.shared.isRunning(Number(new TextDecoder().decode(host.instant.readBytes(lockOf(id, host), 32))));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

/** Another process may have done it already. */
function remove(path: string, host: Host): void {
  try {
    host.instant.remove(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

/** Only the last reply can have such: see read-entries.ts. */
function unanswered(entries: readonly Entry[]): ReturnType<typeof callsOf> {
  const last = entries.findLastIndex(({ kind }) => kind === "reply");
  const reply = entries[last];
  const answered = new Set(entries.slice(last + 1).flatMap((entry) => (entry.kind === "result" ? [entry.id] : [])));
  return reply?.kind === "reply" ? callsOf(reply).filter(({ id }) => !answered.has(id)) : [];
}

export function missing(reason: string, help: string): { readonly failure: Failure } {
  return { failure: { kind: "unavailable", tool: "agent", reasons: [reason], help: [help] } };
}

function rejected(reason: string, help: string): Opened {
  return { failure: { kind: "rejected", reason, help: [help] } };
}
