// `dottool forge from`: a tool from the calls of a stored conversation. No model is asked.
import { basename, join } from "node:path";
import { lastConversationIn, storedEntries } from "../../agent/conversation.ts";
import type { Entry } from "../../agent/entry.ts";
import { runToolTests } from "../../check/run-tool-tests.ts";
import type { TestResult } from "../../check/test-result.ts";
import { AUDIT_BYTES_MAX, AUDIT_FILE } from "../../policy/audit-log.ts";
import { exitCodes } from "../../run/exit-code.ts";
import { withTool } from "../../run/with-tool.ts";
import { printable } from "../../text/display.ts";
import { codeOf } from "../../tool/error-code.ts";
import type { Host } from "../../tool/host.ts";
import type { Tool } from "../../tool/tool.ts";
import { reportUsage } from "../command.ts";
import type { ForgePlace } from "../commands/forge.ts";
import { isAgreed, newFile, refuse, reviewOf, tellTrust, writeKept } from "../commands/forge-keep.ts";
import { printable as printableLines } from "../view/layout.ts";
import { type Proposal, proposeTool } from "./proposed-tool.ts";
import { recordedCalls } from "./recorded-calls.ts";
import { setupLines } from "./recorded-files.ts";

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
