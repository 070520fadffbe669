// What a launcher tells of its call, and whether the caller sees and may do the same as this process.
import type { Buffer } from "node:buffer";
import { readFileSync, readlinkSync, statSync } from "node:fs";

export interface CallerFacts {
  /** See callerRights. */
  readonly rights: string;
  readonly workingFolder: string;
  readonly hasInputTerminal: boolean;
  readonly processId: number;
  readonly words: readonly string[];
  /** All variables; the value is undefined if the launcher has kept it. */
  readonly environment: ReadonlyMap<string, string | undefined>;
}

/** The texts before the words. */
const HEAD_TEXTS = 5;

/** Reads the content of a call. Returns undefined if a text is not UTF-8, so that it cannot be passed on unchanged. */
export function readCallerFacts(content: Buffer): CallerFacts | undefined {
  let all: readonly string[];
  try {
    all = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content).split("\0");
  } catch {
    return undefined;
  }
  const [rights = "", workingFolder = "", input, processId, count] = all;
  const end = HEAD_TEXTS + Number(count);
  return {
    rights,
    workingFolder,
    hasInputTerminal: input === "terminal",
    processId: Number(processId),
    words: all.slice(HEAD_TEXTS, end),
    // Nothing follows the last NUL.
    environment: new Map(all.slice(end, -1).map(variableOf)),
  };
}

function variableOf(text: string): readonly [name: string, value: string | undefined] {
  const at = text.indexOf("=");
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

const RIGHTS_LINE = /^(?:Uid:|Gid:|Groups:|CapEff:|NoNewPrivs:|Seccomp).*$/gm;
const namespaces = ["mnt", "user", "pid", "net", "ipc", "uts"] as const;

/** The limit of files is the only one under which this process itself writes for a call: the log, caches. */
const FILE_SIZE_LINE = /^Max file size\s+(\S+)/m;
const UNLIMITED = String(2n ** 64n - 1n);

/**
 * Returns a text that two processes share if they have the same user, groups, capabilities, filters of system calls,
 * namespaces, root folder and limit of files. add_rights of scripts/launcher/request.c makes the same.
 */
export function callerRights(): string {
  const lines = readFileSync("/proc/self/status", "latin1").match(RIGHTS_LINE) ?? [];
  const links = namespaces.map((name) => readlinkSync(`/proc/self/ns/${name}`));
  const { dev, ino } = statSync("/", { bigint: true });
  const [, limit = ""] = FILE_SIZE_LINE.exec(readFileSync("/proc/self/limits", "latin1")) ?? [];
  return [...lines, ...links, `${dev}:${ino}`, limit === "unlimited" ? UNLIMITED : limit].join("\n");
}
