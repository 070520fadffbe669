// `dottool forge from`: a tool from the calls of a stored conversation. No model is asked.
import type { ForgePlace } from "../forge-place.ts";
import { join } from "node:path";
import { lastConversationIn, storedEntries } from "../../agent/conversation.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import { reportUsage } from "../../../cli/command.ts";
import { isAgreed, newFile, refuse, reviewOf, tellTrust, writeKept } from "../commands/forge-keep.ts";
import { printableLines } from "../../../cli/view/layout.ts";
import { type Proposal, proposeTool } from "./proposed-tool.ts";
import { recordedCalls } from "./recorded-calls.ts";

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
  const { cwd } = begin?.kind === "begin" ? begin : opened;
  const proposed = proposeTool(recorded, {
    name: toolName,
    id,
    cwd,
    problemsOf: (definition) => opened.build(definition).diagnostics.filter(({ severity }) => severity === "error"),
  });
  if ("problem" in proposed) return refuseSession(`no tool can be made from \`${id}\`: ${proposed.problem}`, place);
  const { proposal } = proposed;
  if (isKept) return keep(proposal, isSure, place);
  context.terminal.output.write(printableLines(proposal.text));
  const again = `dottool forge from ${id} ${toolName} --keep`;
  context.terminal.errors.write(`nothing is written yet\n  = ${again}\n`);
  return exitCodes.done;
}

async function keep(proposal: Proposal, isSure: boolean, place: ForgePlace): Promise<number> {
  const { opened, context } = place;
  const name = proposal.definition.name.value;
  const file = await newFile(name, place);
  if (typeof file === "number") return file;
  if (!opened.build(proposal.definition).value)
    return refuse(`\`${name}\` cannot be built`, "choose another conversation", place);
  if (!(await isAgreed(reviewOf(file, proposal.text), isSure, place))) return exitCodes.failed;
  if (!(await writeKept({ ...file, text: proposal.text }, place))) return exitCodes.failed;
  context.terminal.output.write(`wrote ${printable(file.shownPath)}\n`);
  context.terminal.errors.write(`it has no test; \`@test\` adds one\n`);
  tellTrust(name, file, place);
  return exitCodes.done;
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
