// `dottool forge from`: a tool from the calls of a stored conversation. No model is asked.
import type { ForgePlace } from "../forge-place.ts";
import { basename, join, isAbsolute, relative } from "node:path";
import { lastConversationIn, storedEntries } from "../../agent/conversation.ts";
import type { Entry } from "../../agent/entry.ts";
import { runToolTests } from "../../check/run-tool-tests.ts";
import type { TestResult } from "../../check/test-result.ts";
import { AUDIT_BYTES_MAX, AUDIT_FILE } from "../../../core/policy/audit-log.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { withTool } from "../../../core/run/with-tool.ts";
import { printable } from "../../../core/text/display.ts";
import { codeOf } from "../../../core/tool/error-code.ts";
import type { Host } from "../../../core/tool/host.ts";
import type { Tool } from "../../../core/tool/tool.ts";
import { reportUsage } from "../../../cli/command.ts";
import { isAgreed, newFile, refuse, reviewOf, tellTrust, writeKept } from "../commands/forge-keep.ts";
import { printableLines } from "../../../cli/view/layout.ts";
import { type Proposal, proposeTool } from "./proposed-tool.ts";
import { recordedCalls, onlyLooks, type RecordedCall } from "./recorded-calls.ts";
import { singleQuoted } from "../../../core/base/quote.ts";
import { GuardedPlaces } from "../../../core/policy/guarded-places.ts";
import { realPath } from "../../../core/policy/real-path.ts";
import { MASK } from "../../../core/schema/describe.ts";
import { textsIn } from "./recorded-marks.ts";
import { withoutSecrets } from "../../new/secret-guesses.ts";

interface FromOptions {
  /** An id, or `last`. */
  readonly session: string;
  /** The name of the tool; if absent, it is made from what the person asked for. */
  readonly name: string | undefined;
  readonly isKept: boolean;
  readonly isSure: boolean;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

export async function fromSession({ session, name, isKept, isSure }: FromOptions, place: ForgePlace): Promise<number> {
  const { opened, context } = place;
  const { host } = opened;
  if (name !== undefined && !NAME.test(name))
    return reportUsage(
      context.terminal,
      `\`${name}\` is not a tool name: use at most 64 letters, digits, \`_\` and \`-\`, starting with a letter or \`_\``,
      "forge",
    );
  const id = session === "last" ? lastConversationIn(opened.cwd, host) : session;
  if (id === undefined) return refuseSession("this folder has no conversation", place);
  const read = readConversation(id, host);
  if ("problem" in read) return refuseSession(read.problem, place);
  const [begin] = read.entries;
  await opened.session.registry.complete();
  const recorded = recordedCalls(read.entries, knownTools(place));
  const toolName = name ?? nameFor(recorded.prompts);
  const { cwd, at } = begin?.kind === "begin" ? begin : { cwd: opened.cwd, at: host.timestamp() };
  const proposed = proposeTool(recorded, {
    name: toolName,
    id,
    cwd,
    setupFor: (calls) => setupLines(calls, recorded.calls, { host, cwd, at }),
    problemsOf: (definition) => opened.build(definition).diagnostics.filter(({ severity }) => severity === "error"),
  });
  if ("problem" in proposed) return refuseSession(`no tool can be made from \`${id}\`: ${proposed.problem}`, place);
  const { proposal } = proposed;
  if (isKept) return keep(proposal, { name: toolName, isSure }, place);
  context.terminal.output.write(printableLines(proposal.text));
  const again = `dottool forge from ${id} ${toolName} --keep`;
  context.terminal.errors.write(`nothing is written yet; its test has not run\n  = ${again}\n`);
  return exitCodes.done;
}

/** Asks first, because the test runs the recorded calls again. */
async function keep(
  proposal: Proposal,
  { name, isSure }: { readonly name: string; readonly isSure: boolean },
  place: ForgePlace,
): Promise<number> {
  const { opened, context } = place;
  const { terminal } = context;
  const file = await newFile(name, place);
  if (typeof file === "number") return file;
  const { value: tool } = opened.build(proposal.definition);
  if (!tool) return refuse(`\`${name}\` cannot be built`, "choose another conversation", place);
  const hasTest = proposal.definition.tests.length > 0;
  const review = [
    ...reviewOf(file, proposal.text),
    ...(hasTest ? ["its test runs these steps in an empty folder before it is kept"] : []),
  ];
  if (!(await isAgreed(review, isSure, place))) return exitCodes.failed;
  const reason = hasTest ? await testProblem(tool, name, place) : undefined;
  if (terminal.signal.aborted) return exitCodes.failed;
  const text = reason === undefined ? proposal.text : proposal.untested("it failed in an empty folder");
  if (!(await writeKept({ ...file, text }, place))) return exitCodes.failed;
  if (reason !== undefined) terminal.errors.write(`left out: its test, which failed: ${printable(reason)}\n`);
  terminal.output.write(`wrote ${printable(file.shownPath)}\n`);
  tellTrust(name, file, place);
  return exitCodes.done;
}

/** Returns why the test failed, in one line. */
async function testProblem(tool: Tool, name: string, { opened, context }: ForgePlace): Promise<string | undefined> {
  const [result] = await runToolTests(withTool(opened.session, tool), [name], { signal: context.terminal.signal });
  return result && problemIn(result)?.split("\n", 1)[0];
}

function problemIn(result: TestResult): string | undefined {
  if (result.kind === "passed") return undefined;
  return result.kind === "skipped" ? result.reasons.join("; ") : (result.problems[0]?.actual ?? "no reason is known");
}

function knownTools({ opened }: ForgePlace): ReadonlyMap<string, Tool> {
  const { registry } = opened.session;
  return new Map(
    registry.names().flatMap((name) => {
      const tool = registry.find(name);
      return tool ? [[name, tool] as const] : [];
    }),
  );
}

/** The first words of what the person asked for. */
function nameFor(prompts: readonly string[]): string {
  const words = (prompts[0] ?? "").toLowerCase().match(/(?<![\w./:-])[a-z]{2,}(?![\w./:-]*[/:@\w])/g) ?? [];
  return (
    words
      .filter((word) => !FILLERS.has(word))
      .slice(0, 3)
      .join("_")
      .slice(0, 64) || "recorded"
  );
}

const FILLERS = new Set(
  "the an of in to and for with from please can you me my this that is are it on at how many what".split(" "),
);

/** The problem is a fact. */
function readConversation(
  id: string,
  host: Host,
): { readonly entries: readonly Entry[] } | { readonly problem: string } {
  try {
    const read = storedEntries(id, host);
    if (!("failure" in read)) return read;
    const { failure } = read;
    if (failure.kind === "rejected") return { problem: failure.reason };
    return { problem: isOfLog(id, host) ? `\`${id}\` is of the log of calls, which has no results` : unknown(id) };
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return { problem: `the conversation \`${id}\` cannot be read (${code})` };
  }
}

const unknown = (id: string): string => `there is no conversation \`${id}\``;

/** Whether it names a file of the log, a call or a process of it. */
function isOfLog(session: string, host: Host): boolean {
  if (/^audit(?:\.\d+)?(?:\.jsonl)?$/.test(basename(session))) return true;
  try {
    const log = host.instant.readBytes(join(host.folders.state, AUDIT_FILE), 2 * AUDIT_BYTES_MAX);
    const text = new TextDecoder().decode(log);
    return text.includes(`"id":${JSON.stringify(session)},`) || text.includes(`"pid":${session},`);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return false;
  }
}

function refuseSession(problem: string, place: ForgePlace): number {
  const { cwd, host } = place.opened;
  const last = lastConversationIn(cwd, host);
  return refuse(
    problem,
    last === undefined
      ? "SESSION is `last` or the id of a conversation, which `dottool agent TASK` saves"
      : `SESSION is \`last\` (\`${last}\`), or the id of another conversation that \`dottool agent TASK\` saved: all are in \`${join(host.folders.state, "agents")}\``,
    place,
  );
}

// The files that the calls of a conversation read, for the folder of a test: short texts of the project, as they were
// then.

interface RecordedFilesOptions {
  readonly host: Host;
  /** The folder of the session; absolute. */
  readonly cwd: string;
  /** When the session began: ISO 8601. */
  readonly at: string;
}

const FILES_MAX = 8;
const FILE_BYTES_MAX = 2_000;
const WORDS_MAX = 1_000;

/** Returns the `setup` lines of a test that make the files. `all` are the calls of the conversation. */
function setupLines(
  calls: readonly RecordedCall[],
  all: readonly RecordedCall[],
  options: RecordedFilesOptions,
): readonly string[] {
  const { host, cwd } = options;
  const words = calls.flatMap((call) => textsIn(call.arguments)).flatMap((text) => [text, ...text.split(WORD_END)]);
  const places = new GuardedPlaces({ host, cwd, toolFolders: [] });
  const paths = new Set(words.slice(0, WORDS_MAX).flatMap((word) => ownPath(word, cwd) ?? []));
  return [...paths]
    .flatMap((path) => {
      const real = realPath(join(cwd, path), host);
      if (ownPath(real, realPath(cwd, host)) === undefined || places.at(real, "read")) return [];
      const text = unchangedText(real, options) ?? readText(path, all, cwd);
      const isShort = text !== undefined && text.length <= FILE_BYTES_MAX && !/[\0-\x08\x0b-\x1f\x7f-\x9f]/.test(text);
      return isShort && !holdsSecrets(text) ? [lineFor(path, text)] : [];
    })
    .slice(0, FILES_MAX);
}

const WORD_END = /[\s'"`<>|;&()=,]+/;

/** Returns the path below the folder; undefined if it is elsewhere, or hidden. */
function ownPath(word: string, cwd: string): string | undefined {
  if (word === "" || word.length > 500 || /[\0-\x1f\x7f]/.test(word)) return undefined;
  const path = relative(cwd, isAbsolute(word) ? word : join(cwd, word)).replaceAll("\\", "/");
  const isBelow = path !== "" && !isAbsolute(path) && !path.split("/").some((part) => part.startsWith("."));
  return isBelow ? path : undefined;
}

/** Returns undefined if it is not a short text, or has changed since the session began. */
function unchangedText(path: string, { host, at }: RecordedFilesOptions): string | undefined {
  try {
    const stat = host.instant.stat(path);
    const isOld = stat !== undefined && stat.ctimeMs <= Date.parse(at);
    if (stat?.kind !== "file" || !isOld || stat.sizeBytes > FILE_BYTES_MAX) return undefined;
    return new TextDecoder("utf-8", { fatal: true }).decode(host.instant.readBytes(path, FILE_BYTES_MAX));
  } catch (error) {
    if (error instanceof TypeError || codeOf(error) !== undefined) return undefined;
    throw error;
  }
}

/** Returns what the session read of the file before it changed anything. */
function readText(path: string, all: readonly RecordedCall[], cwd: string): string | undefined {
  const changed = all.findIndex((call) => !onlyLooks(call));
  const found = all.slice(0, changed === -1 ? all.length : changed).find(({ tool, arguments: args }) => {
    const { file_path: given, ...others } = args;
    const isRead = tool.definition.origin.kind === "base" && tool.definition.name.value === "read_file";
    return isRead && Object.keys(others).length === 0 && typeof given === "string" && ownPath(given, cwd) === path;
  });
  // A longer file is read in parts, and says so.
  return found && !/^\[/m.test(found.output) ? `${found.output}\n` : undefined;
}

function holdsSecrets(text: string): boolean {
  return text.includes(MASK) || withoutSecrets(text, { tool: "tool", taken: new Set() }).secrets.length > 0;
}

function lineFor(path: string, text: string): string {
  const folder = path.split("/").slice(0, -1).join("/");
  const format = text.replaceAll("\\", "\\\\").replaceAll("%", "%%").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  const make = folder === "" ? "" : `mkdir -p ${singleQuoted(folder)} && `;
  return `${make}printf ${singleQuoted(format)} > ${singleQuoted(path)}`;
}
