// A conversation that survives the program: each entry is a line of a file in the state folder, and is on the disk
// before the program acts on it.
import { join } from "node:path";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { Host } from "../../core/tool/host.ts";
import { type Lock, tryLock } from "../../core/store/lock-file.ts";
import { type BeginEntry, callsOf, type Entry, type CallPart, type ReplyEntry } from "./entry.ts";
import { readEntries } from "./read-entries.ts";
import { argumentsOf } from "../dialects/text-call.ts";
import { secretMasks } from "../../core/run/secret-masks.ts";
import type { Session } from "../../core/run/session.ts";
import { maskedArguments } from "../../core/schema/secrets.ts";
import type { Offered } from "./offered.ts";

export interface Conversation {
  readonly id: string;
  readonly entries: readonly Entry[];
  /** Throws the errors of the file system. */
  add(entry: Entry): Promise<void>;
  /** Lets other processes continue it. */
  close(): void;
}

export interface ConversationOptions {
  readonly host: Host;
  /** Returns the entry as it is written: without secrets. */
  readonly savedForm: (entry: Entry) => Promise<Entry>;
}

export type Opened = { readonly conversation: Conversation } | { readonly failure: Failure };

/** Older ones are removed when a new one begins. */
export const CONVERSATIONS_MAX = 200;
const FILE_BYTES_MAX = 256 * 1024 * 1024;
const LINE_BYTES_MAX = 4 * 1024 * 1024;
const MODE = 0o600;
const ID = /^\d{8}-\d{6}-[0-9a-f]{4}$/;
const FILE = /^(\d{8}-\d{6}-[0-9a-f]{4})\.jsonl$/;

export async function beginConversation(
  begin: Omit<BeginEntry, "kind" | "version" | "id" | "at">,
  options: ConversationOptions,
): Promise<Opened> {
  const { host } = options;
  const at = host.timestamp();
  const [day = "", time = ""] = at.split("T").map((part) => part.replaceAll(/\D/g, ""));
  await host.files.makeFolder(folderOf(host), { mode: 0o700 });
  const known = idsIn(host);
  let id: string;
  do id = `${day}-${time.slice(0, 6)}-${host.randomId().slice(-4)}`;
  while (known.includes(id));
  for (const old of known.slice(CONVERSATIONS_MAX - 1)) removeUnlessOpen(old, host);
  const lock = locked(id, host);
  if (!lock) return taken(id);
  const conversation = opened([], { id, lock, ...options });
  try {
    await conversation.add({ kind: "begin", version: 1, id, at, ...begin });
  } catch (error) {
    conversation.close();
    throw error;
  }
  return { conversation };
}

/** Continues a conversation. Calls without a result are answered, because it is not known whether they ran. */
export async function resumeConversation(id: string, options: ConversationOptions): Promise<Opened> {
  const { host } = options;
  const known = idsIn(host);
  if (!ID.test(id) || !known.includes(id)) return noConversation(id, host);
  const path = fileOf(id, host);
  // Locked before it is read, because until then another process may write to it.
  const lock = locked(id, host);
  if (!lock) return taken(id);
  try {
    return await goOn(path, { id, lock, ...options });
  } catch (error) {
    lock.release();
    throw error;
  }
}

interface OpenedOptions extends ConversationOptions {
  readonly id: string;
  readonly lock: Lock;
}

async function goOn(path: string, options: OpenedOptions): Promise<Opened> {
  const { host, lock } = options;
  const text = new TextDecoder().decode(host.instant.readBytes(path, FILE_BYTES_MAX));
  const read = readEntries(text);
  if ("problem" in read) {
    lock.release();
    return rejected(`\`${path}\` ${read.problem}`, "fix that line, or start another conversation");
  }
  const conversation = opened(read.entries, options);
  // A truncated line has no end, and the next one would continue it.
  if (read.wholeLength < text.length)
    await host.files.write(path, text.slice(0, read.wholeLength), { mode: MODE, lock });
  for (const call of unanswered(read.entries))
    await conversation.add({ kind: "result", id: call.id, name: call.name, isFailed: true, text: INTERRUPTED });
  return { conversation };
}

const INTERRUPTED =
  "failed[interrupted]: the program ended during this call, so it may have run completely, partly or not at all\n  = check what it has done before you call again\n";

export function lastConversationIn(cwd: string, host: Host): string | undefined {
  return idsIn(host).find((id) => beginningOf(id, host)?.cwd === cwd);
}

/** Returns undefined if there is no such conversation, or it is broken, which resuming it reports. */
export function beginningOf(id: string, host: Host): BeginEntry | undefined {
  if (!idsIn(host).includes(id)) return undefined;
  let start: Uint8Array;
  try {
    start = host.instant.readStart(fileOf(id, host), LINE_BYTES_MAX);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
  const [line = ""] = new TextDecoder().decode(start).split("\n", 1);
  const read = readEntries(`${line}\n`);
  const [first] = "entries" in read ? read.entries : [];
  return first?.kind === "begin" ? first : undefined;
}

/** Reads a conversation without continuing it, also while another process does. */
export function storedEntries(
  id: string,
  host: Host,
): { readonly entries: readonly Entry[] } | { readonly failure: Failure } {
  if (!ID.test(id) || !idsIn(host).includes(id)) return noConversation(id, host);
  const path = fileOf(id, host);
  const read = readEntries(new TextDecoder().decode(host.instant.readBytes(path, FILE_BYTES_MAX)));
  return "problem" in read ? rejected(`\`${path}\` ${read.problem}`, "choose another conversation") : read;
}

function noConversation(id: string, host: Host): { readonly failure: Failure } {
  const [last] = idsIn(host);
  return missing(
    `there is no conversation \`${id}\``,
    last === undefined ? "none is stored yet" : `the last one is \`${last}\`; all are in \`${folderOf(host)}\``,
  );
}

function folderOf(host: Host): string {
  return join(host.folders.state, "agents");
}

function fileOf(id: string, host: Host): string {
  return join(folderOf(host), `${id}.jsonl`);
}

/** Returns the latest first. */
function idsIn(host: Host): readonly string[] {
  try {
    return host.instant
      .names(folderOf(host))
      .flatMap((name) => FILE.exec(name)?.[1] ?? [])
      .sort()
      .reverse();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** Returns undefined if another process has the lock. */
function locked(id: string, host: Host): Lock | undefined {
  return tryLock(join(folderOf(host), `${id}.lock`), { host, folder: folderOf(host), isLasting: true });
}

/** Returns the conversation, which is locked. */
function opened(before: readonly Entry[], { id, lock, host, savedForm }: OpenedOptions): Conversation {
  const entries = [...before];
  const path = fileOf(id, host);
  return {
    id,
    entries,
    add: async (entry) => {
      entries.push(entry);
      const line = `${JSON.stringify(await savedForm(entry))}\n`;
      if (!lock.isHeld())
        throw Object.assign(new Error(`another process is using the conversation \`${id}\``), {
          code: "ESTALE",
          path,
        });
      await host.files.append(path, line, { mode: MODE });
    },
    close: lock.release,
  };
}

function taken(id: string): Opened {
  return rejected(`another process is using the conversation \`${id}\``, "wait until it ends");
}

/** Removes a conversation unless another process uses it; errors are ignored. */
function removeUnlessOpen(id: string, host: Host): void {
  try {
    const lock = locked(id, host);
    if (!lock) return;
    try {
      host.instant.remove(fileOf(id, host));
    } finally {
      lock.release();
    }
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
  }
}

/** Returns calls without a result; only the last reply can have them: see read-entries.ts. */
function unanswered(entries: readonly Entry[]): ReturnType<typeof callsOf> {
  const last = entries.findLastIndex(({ kind }) => kind === "reply");
  const reply = entries[last];
  const answered = new Set(entries.slice(last + 1).flatMap((entry) => (entry.kind === "result" ? [entry.id] : [])));
  return reply?.kind === "reply" ? callsOf(reply).filter(({ id }) => !answered.has(id)) : [];
}

export function missing(reason: string, help: string): { readonly failure: Failure } {
  return { failure: { kind: "unavailable", tool: "agent", reasons: [reason], help: [help] } };
}

function rejected(reason: string, help: string): { readonly failure: Failure } {
  return { failure: { kind: "rejected", reason, help: [help] } };
}

interface SavedFormOptions {
  readonly session: Session;
  readonly offered: Offered;
  readonly mask: (text: string) => string;
}

export async function savedForm(entry: Entry, options: SavedFormOptions): Promise<Entry> {
  const { mask } = options;
  switch (entry.kind) {
    case "begin":
      return { ...entry, system: mask(entry.system) };
    case "user":
    case "result":
      return { ...entry, text: mask(entry.text) };
    case "reply":
      return savedReply(entry, options);
    case "end":
      return entry;
  }
}

/** The text may repeat the content of a call, and in the text form it contains the calls. */
async function savedReply(reply: ReplyEntry, { session, offered, mask }: SavedFormOptions): Promise<ReplyEntry> {
  let maskText = mask;
  const calls = new Map<CallPart, string>();
  for (const part of callsOf(reply)) {
    const read = argumentsOf(part.arguments);
    const tool = offered.find(part);
    const masks = tool && "arguments" in read ? await secretMasks(tool, [read.arguments], session.host) : undefined;
    if (!tool || !masks || "problem" in read) continue;
    const before = maskText;
    maskText = (text) => masks.text(before(text));
    calls.set(part, JSON.stringify(maskedArguments(read.arguments, tool.parameters)));
  }
  const parts = reply.parts.map((part) =>
    part.type === "call"
      ? { ...part, arguments: maskText(calls.get(part) ?? part.arguments) }
      : { ...part, text: maskText(part.text) },
  );
  return { ...reply, parts };
}
