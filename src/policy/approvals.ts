// What somebody has agreed to for always: one file for each in the user's state folder, so that nothing has to be locked, and what is
// broken breaks nothing else.
import type { Json, JsonObject } from "../schema/json.ts";
import { maskedArguments } from "../schema/secrets.ts";
import { codeOf } from "../tool/error-code.ts";
import type { Host } from "../tool/host.ts";
import { type FrontEnd, frontEnds } from "../tool/policy.ts";
import type { BaseTool, Tool } from "../tool/tool.ts";
import type { PreparedCall } from "../tool/call.ts";
import type { ToolContent } from "./content.ts";
import { decidingAmong, decidingParameters } from "./deciding-arguments.ts";
import { projectOf } from "./project.ts";
import { putAside, readState, statePath, writeState } from "./state-file.ts";

export interface Subject {
  readonly tool: string;
  readonly frontEnd: FrontEnd;
  /** Absolute, without links: a yes counts there alone. */
  readonly project: string;
  /** Where the arguments are the program, or name a file that runs: these alone. */
  readonly arguments?: JsonObject;
}

export interface KeptApproval extends Subject {
  readonly version: typeof VERSION;
  readonly hash: string;
  readonly parts: ToolContent["parts"];
  /** Fingerprints of the rules that asked. */
  readonly rules: readonly string[];
  /** ISO 8601. */
  readonly agreedAt: string;
}

const FOLDER = "approvals";
/** Of the first, nobody knows for which project it was. */
const VERSION = 2;
const LISTED_MAX = 10_000;

export interface SubjectOptions {
  readonly host: Host;
  /** Absolute. */
  readonly cwd: string;
  readonly frontEnd: FrontEnd;
}

/** The arguments of a tool that runs what it is given decide what it is. */
export function subjectOf({ call, tool, arguments: args }: PreparedCall, options: SubjectOptions): Subject {
  const { host, cwd, frontEnd } = options;
  const names = decidingNames(tool, options);
  const subject: Subject = { tool: call.tool, frontEnd, project: projectOf(cwd, host) };
  if (names.length === 0 && !runsItsArguments(tool)) return subject;
  return { ...subject, arguments: decidingAmong(names, maskedArguments(args, tool.parameters)) };
}

/** Parameters whose values a yes for always has to name. */
export function decidingNames(tool: Tool, { host, cwd }: Pick<SubjectOptions, "host" | "cwd">): readonly string[] {
  if (runsItsArguments(tool)) return tool.parameters.map(({ name }) => name);
  return decidingParameters(tool, { host, cwd, project: projectOf(cwd, host) });
}

/** A base tool with `wrap` is one, and so is another name for it; a wrap with a command of its own is not. */
export function runsItsArguments(tool: Tool): boolean {
  return (tool as BaseTool).wrap !== undefined || (tool.definition.kind === "wrapped" && tool.definition.commands.length === 0 && (tool.standsOn ?? []).some(runsItsArguments));
}

export function subjectKey(subject: Subject, host: Host): string {
  const { tool, frontEnd, project, arguments: args } = subject;
  return host.sha256(JSON.stringify([tool, frontEnd, project, args === undefined ? null : sorted(args)])).slice(0, 32);
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  return value !== null && typeof value === "object" ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, item]) => [name, sorted(item as Json)])) : value;
}

function fileOf(subject: Subject, host: Host): string {
  return `${FOLDER}/${subjectKey(subject, host)}.json`;
}

export type Kept = { readonly kind: "none" } | { readonly kind: "kept"; readonly approval: KeptApproval } | { readonly kind: "unusable"; readonly reason: string };

export function keptApproval(subject: Subject, host: Host): Kept {
  return readAt(fileOf(subject, host), host);
}

function readAt(name: string, host: Host): Kept {
  const { text, trouble } = readState(host, name);
  if (trouble !== undefined) return { kind: "unusable", reason: `what was agreed to does not count: \`${statePath(host, name)}\` ${trouble}` };
  if (text === undefined) return { kind: "none" };
  const approval = parse(text);
  if (approval === "of another version") return { kind: "none" };
  if (approval) return { kind: "kept", approval };
  try {
    return { kind: "unusable", reason: `what was agreed to cannot be read; it is kept as \`${putAside(host, name)}\`` };
  } catch (error) {
    return { kind: "unusable", reason: `what was agreed to cannot be read: \`${statePath(host, name)}\` (${codeOf(error) ?? "error"})` };
  }
}

function parse(text: string): KeptApproval | "of another version" | undefined {
  try {
    const read = JSON.parse(text) as Partial<KeptApproval> | null;
    if (typeof read?.version === "number" && read.version !== VERSION) return "of another version";
    const isWhole = read?.version === VERSION && typeof read.project === "string" && typeof read.tool === "string" && frontEnds.some((one) => one === read.frontEnd) && typeof read.hash === "string" && typeof read.parts === "object" && Array.isArray(read.rules) && typeof read.agreedAt === "string";
    return isWhole ? (read as KeptApproval) : undefined;
  } catch {
    return undefined;
  }
}

export interface Agreed {
  readonly content: ToolContent;
  readonly rules: readonly string[];
}

/** Throws where the state folder cannot be written to. */
export async function keepApproval(subject: Subject, { content, rules }: Agreed, host: Host): Promise<void> {
  const kept: KeptApproval = { version: VERSION, ...subject, hash: content.hash, parts: content.parts, rules, agreedAt: host.timestamp() };
  await writeState(host, fileOf(subject, host), `${JSON.stringify(kept)}\n`);
}

/** Sorted by tool, front end and project. */
export function keptApprovals(host: Host): readonly KeptApproval[] {
  let names: readonly string[];
  try {
    names = host.instant.names(statePath(host, FOLDER)).filter((name) => /^[0-9a-f]{32}\.json$/.test(name)).slice(0, LISTED_MAX);
  } catch {
    return [];
  }
  const kept = names.map((name) => readAt(`${FOLDER}/${name}`, host)).flatMap((read) => (read.kind === "kept" ? [read.approval] : []));
  const order = ({ tool, frontEnd, project }: KeptApproval): string => `${tool} ${frontEnd} ${project}`;
  return kept.toSorted((one, other) => (order(one) < order(other) ? -1 : 1));
}

export function removeApproval(subject: Subject, host: Host): void {
  host.instant.remove(statePath(host, fileOf(subject, host)));
}
