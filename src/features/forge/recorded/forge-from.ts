// `dottool forge from`: a tool from the calls of a stored conversation. No model is asked.
import type { ForgePlace } from "../forge-place.ts";
import { isAbsolute, join, relative, resolve } from "node:path";
import { lastConversationIn, storedEntries } from "../../agent/conversation.ts";
import { runToolTests } from "../../check/run-tool-tests.ts";
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
import { isBase, onlyLooks, recordedCalls, type RecordedCall } from "./recorded-calls.ts";
import { singleQuoted } from "../../../core/base/quote.ts";
import { GuardedPlaces } from "../../../core/policy/guarded-places.ts";
import { realPath } from "../../../core/policy/real-path.ts";
import { textsIn } from "./recorded-values.ts";
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
  const read = storedEntries(id, host);
  if ("failure" in read) {
    const { failure } = read;
    return refuseSession(failure.kind === "rejected" ? failure.reason : `there is no conversation \`${id}\``, place);
  }
  const [begin] = read.entries;
  await opened.session.registry.complete();
  const recorded = recordedCalls(read.entries, opened.session.registry);
  const toolName = name ?? nameFor(recorded.prompts);
  const { cwd, at } = begin?.kind === "begin" ? begin : { cwd: opened.cwd, at: host.timestamp() };
  const proposed = proposeTool(recorded, {
    name: toolName,
    id,
    cwd,
    setupFor: (calls) => setupLines(calls, { host, cwd, at, all: recorded.calls }),
    problemsOf: (definition) => opened.build(definition).diagnostics.filter(({ severity }) => severity === "error"),
  });
  if ("problem" in proposed) return refuseSession(`no tool can be made from \`${id}\`: ${proposed.problem}`, place);
  const { proposal } = proposed;
  if (isKept) return keep(proposal, isSure, place);
  context.terminal.output.write(printableLines(proposal.text));
  const again = `dottool forge from ${id} ${toolName} --keep`;
  context.terminal.errors.write(`nothing is written yet; its test has not run\n  = ${again}\n`);
  return exitCodes.done;
}

/** Asks first, because the test runs the recorded calls again. */
async function keep(proposal: Proposal, isSure: boolean, place: ForgePlace): Promise<number> {
  const { opened, context } = place;
  const { terminal } = context;
  const name = proposal.definition.name.value;
  const file = await newFile(name, place);
  if (typeof file === "number") return file;
  const { value: tool } = opened.build(proposal.definition);
  if (!tool) return refuse(`\`${name}\` cannot be built`, "choose another conversation", place);
  const hasTest = proposal.definition.tests.length > 0;
  const runs = hasTest ? ["its test runs these steps in an empty folder before it is kept"] : [];
  if (!(await isAgreed([...reviewOf(file, proposal.text), ...runs], isSure, place))) return exitCodes.failed;
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
  if (!result || result.kind === "passed") return undefined;
  const reason = result.kind === "skipped" ? result.reasons.join("; ") : result.problems[0]?.actual;
  return (reason ?? "no reason is known").split("\n", 1)[0];
}

/** Returns the first words of what the person asked for. */
function nameFor([prompt = ""]: readonly string[]): string {
  const words = prompt.toLowerCase().split(/\s+/);
  const plain = words.filter((word) => /^[a-z]{2,20}$/.test(word) && !/^(?:the|an|of|in|to|and|for|with)$/.test(word));
  return plain.slice(0, 3).join("_") || "recorded";
}

function refuseSession(problem: string, place: ForgePlace): number {
  const { cwd, host } = place.opened;
  const last = lastConversationIn(cwd, host);
  const which = last === undefined ? "`last`" : `\`last\` (\`${last}\`)`;
  const folder = join(host.folders.state, "agents");
  const help = `SESSION is ${which} or the id of a conversation that \`dottool agent TASK\` saved: all are in \`${folder}\`; the log of calls has no results`;
  return refuse(problem, help, place);
}

interface RecordedFilesOptions {
  readonly host: Host;
  /** The folder of the session; absolute. */
  readonly cwd: string;
  /** When the session began: ISO 8601. */
  readonly at: string;
  /** All calls of the session. */
  readonly all: readonly RecordedCall[];
}

const FILES_MAX = 8;
const FILE_BYTES_MAX = 2_000;
const WORDS_MAX = 1_000;

/** Returns the `setup` lines of a test that make the short files which the calls read, as they were then. */
function setupLines(calls: readonly RecordedCall[], options: RecordedFilesOptions): readonly string[] {
  const { host, cwd } = options;
  const words = calls
    .flatMap((call) => textsIn(call.arguments))
    .flatMap((text) => [text, ...text.split(/[\s'"`<>|;&()=,]+/)]);
  const places = new GuardedPlaces({ host, cwd, toolFolders: [] });
  const lines = [...new Set(words.slice(0, WORDS_MAX).map((word) => pathBelow(cwd, word)))].flatMap((path) => {
    if (path === undefined) return [];
    const real = realPath(join(cwd, path), host);
    if (pathBelow(realPath(cwd, host), real) === undefined || places.at(real, "read")) return [];
    const text = textThen(path, options);
    const isPlain = text.length <= FILE_BYTES_MAX && !/[\0-\x08\x0b-\x1f\x7f-\x9f]|•••/.test(text);
    const hasSecrets = withoutSecrets(text, { tool: "tool", taken: new Set() }).secrets.length > 0;
    return text !== "" && isPlain && !hasSecrets ? [lineFor(path, text)] : [];
  });
  return lines.slice(0, FILES_MAX);
}

/** Returns undefined for a path that is not below the folder, or is hidden. */
function pathBelow(folder: string, word: string): string | undefined {
  if (word.length > 500 || /[\0-\x1f\x7f]/.test(word)) return undefined;
  const path = relative(folder, resolve(folder, word)).replaceAll("\\", "/");
  return path === "" || isAbsolute(path) || /(?:^|\/)\./.test(path) ? undefined : path;
}

/** Returns the short text of a file that has not changed since, or what was read of it first; else an empty text. */
function textThen(path: string, { host, cwd, at, all }: RecordedFilesOptions): string {
  try {
    const stat = host.instant.stat(join(cwd, path));
    const isOld = stat?.kind === "file" && stat.ctimeMs <= Date.parse(at) && stat.sizeBytes <= FILE_BYTES_MAX;
    if (isOld)
      return new TextDecoder("utf-8", { fatal: true }).decode(host.instant.readBytes(join(cwd, path), FILE_BYTES_MAX));
  } catch (error) {
    if (!(error instanceof TypeError) && codeOf(error) === undefined) throw error;
    return "";
  }
  const changed = all.findIndex((call) => !onlyLooks(call));
  const read = all.slice(0, changed === -1 ? all.length : changed).find((call) => {
    const { file_path: given, ...others } = call.arguments;
    const isOfPath = typeof given === "string" && pathBelow(cwd, given) === path;
    return isBase(call, "read_file") && Object.keys(others).length === 0 && isOfPath;
  });
  // A longer file is read in parts, and says so.
  return read && !/^\[/m.test(read.output) ? `${read.output}\n` : "";
}

function lineFor(path: string, text: string): string {
  const folder = path.split("/").slice(0, -1).join("/");
  const format = text.replaceAll("\\", "\\\\").replaceAll("%", "%%").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  const make = folder === "" ? "" : `mkdir -p ${singleQuoted(folder)} && `;
  return `${make}printf ${singleQuoted(format)} > ${singleQuoted(path)}`;
}
