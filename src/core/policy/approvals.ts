// Stored approvals ("always"): one file for each in the user's state folder, so that no lock is needed, and a broken
// file breaks nothing else.
import type { Json, JsonObject } from "../schema/json.ts";
import { maskedArguments } from "../schema/secrets.ts";
import { codeParameters } from "../schema/program-text.ts";
import { codeOf } from "../tool/error-code.ts";
import type { Host } from "../tool/host.ts";
import { type Caller, callers } from "../tool/policy.ts";
import type { PreparedCall, Tool } from "../tool/tool.ts";
import type { ToolContent } from "./content.ts";
import { decidingAmong, decidingParameters, runsItsArguments } from "./deciding-arguments.ts";
import { projectOf } from "./project.ts";
import { putAside } from "../store/checked-file.ts";
import { readState, type StateFile, statePath, writeState } from "../store/state-file.ts";

export interface Subject {
  readonly tool: string;
  readonly frontEnd: Caller;
  /** Absolute, without links: the approval applies only there. */
  readonly project: string;
  /** Present if the arguments are the program, or name a file that runs: only these are approved. */
  readonly arguments?: JsonObject;
}

export interface KeptApproval extends Subject {
  readonly hash: string;
  readonly parts: ToolContent["parts"];
  /** Fingerprints of the rules that asked. */
  readonly rules: readonly string[];
  /** ISO 8601. */
  readonly agreedAt: string;
}

const FOLDER = "approvals";
const FORMAT = { name: "approval", version: 3 };
const LISTED_MAX = 10_000;

interface SubjectOptions {
  readonly host: Host;
  /** Absolute. */
  readonly cwd: string;
  readonly frontEnd: Caller;
}

/** Returns what an approval covers; it includes the arguments of a tool that runs what it is given. */
export function subjectOf({ call, tool, arguments: args }: PreparedCall, options: SubjectOptions): Subject {
  const { host, cwd, frontEnd } = options;
  const names = decidingNames(tool, options);
  const subject: Subject = { tool: call.tool, frontEnd, project: projectOf(cwd, host) };
  if (names.length === 0 && !runsItsArguments(tool)) return subject;
  return { ...subject, arguments: decidingAmong(names, maskedArguments(args, tool.parameters)) };
}

/** Returns the parameters whose values an approval must name. */
export function decidingNames(tool: Tool, { host, cwd }: Pick<SubjectOptions, "host" | "cwd">): readonly string[] {
  if (runsItsArguments(tool)) return tool.parameters.map(({ name }) => name);
  const chosen = decidingParameters(tool, { host, cwd, project: projectOf(cwd, host) });
  const programs = codeParameters(tool.parameters);
  if (programs.length === 0) return chosen;
  return tool.parameters.flatMap(({ name }) => (chosen.includes(name) || programs.includes(name) ? [name] : []));
}

export function subjectKey(subject: Subject, host: Host): string {
  const { tool, frontEnd, project, arguments: args } = subject;
  return host.sha256(JSON.stringify([tool, frontEnd, project, args === undefined ? null : sorted(args)])).slice(0, 32);
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  return value !== null && typeof value === "object"
    ? Object.fromEntries(
        Object.entries(value)
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
          .map(([name, item]) => [name, sorted(item as Json)]),
      )
    : value;
}

function fileOf(subject: Subject, host: Host): StateFile {
  return { name: `${FOLDER}/${subjectKey(subject, host)}.json`, format: FORMAT };
}

/** With `isAside`, it was moved away and never applies again. */
type Unusable = {
  readonly kind: "unusable";
  readonly reason: string;
  readonly path: string;
  readonly isAside: boolean;
};

export type Kept = { readonly kind: "none" } | { readonly kind: "kept"; readonly approval: KeptApproval } | Unusable;

export function keptApproval(subject: Subject, host: Host): Kept {
  return readAt(fileOf(subject, host), host);
}

function unusable(path: string, trouble: string, isAside = false): Unusable {
  return { kind: "unusable", path, isAside, reason: `the approval does not apply: \`${path}\` ${trouble}` };
}

function readAt(file: StateFile, host: Host): Kept {
  const path = statePath(host, file.name);
  const read = readState(host, file);
  if (read.kind === "absent") return { kind: "none" };
  if (read.kind === "newer" || read.kind === "unusable") return unusable(path, read.trouble);
  const approval = read.kind === "text" ? parse(read.text) : undefined;
  if (approval) return { kind: "kept", approval };
  const trouble = read.kind === "damaged" ? read.trouble : "is damaged: it is not an approval";
  try {
    return unusable(path, `${trouble}; it was moved to \`${putAside(path, host)}\``, true);
  } catch (error) {
    return unusable(path, `${trouble} (and cannot be moved away: ${codeOf(error) ?? "error"})`);
  }
}

function parse(text: string): KeptApproval | undefined {
  try {
    const read = JSON.parse(text) as Partial<KeptApproval> | null;
    const isWhole =
      [read?.project, read?.tool, read?.hash, read?.agreedAt].every((one) => typeof one === "string") &&
      callers.some((one) => one === read?.frontEnd) &&
      typeof read?.parts === "object" &&
      Array.isArray(read.rules);
    return isWhole ? (read as KeptApproval) : undefined;
  } catch {
    return undefined;
  }
}

interface Agreed {
  readonly content: ToolContent;
  readonly rules: readonly string[];
}

/** Throws if the state folder cannot be written to. */
export async function keepApproval(subject: Subject, { content, rules }: Agreed, host: Host): Promise<void> {
  const kept: KeptApproval = {
    ...subject,
    hash: content.hash,
    parts: content.parts,
    rules,
    agreedAt: host.timestamp(),
  };
  await writeState(host, fileOf(subject, host), { text: `${JSON.stringify(kept)}\n` });
}

export interface KeptApprovals {
  /** Sorted by tool, front end and project. */
  readonly approvals: readonly KeptApproval[];
  /** Files that may be approvals and cannot be read. */
  readonly unusable: readonly Unusable[];
}

export function keptApprovals(host: Host): KeptApprovals {
  let names: readonly string[];
  try {
    names = host.instant
      .names(statePath(host, FOLDER))
      .filter((name) => /^[0-9a-f]{32}\.json$/.test(name))
      .slice(0, LISTED_MAX);
  } catch (error) {
    const code = codeOf(error);
    const trouble = `cannot be read (${code ?? "error"})`;
    return { approvals: [], unusable: code === "ENOENT" ? [] : [unusable(statePath(host, FOLDER), trouble)] };
  }
  const kept = names.map((name) => readAt({ name: `${FOLDER}/${name}`, format: FORMAT }, host));
  const order = ({ tool, frontEnd, project }: KeptApproval): string => `${tool} ${frontEnd} ${project}`;
  const approvals = kept.flatMap((read) => (read.kind === "kept" ? [read.approval] : []));
  return {
    approvals: approvals.toSorted((one, other) => (order(one) < order(other) ? -1 : 1)),
    unusable: kept.filter((read) => read.kind === "unusable"),
  };
}

/** Throws the system's error. */
export function removeApproval(subject: Subject, host: Host): void {
  host.instant.remove(statePath(host, fileOf(subject, host).name));
}
