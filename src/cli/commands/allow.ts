// `dottool allow`: the tools that models may call without a question until they change. A person approves them at a
// terminal, or with the hash of exactly that content; a program that a tool started never can.
import { isInsideRun } from "../../core/catalog/trust.ts";
import {
  decidingNames,
  keepApproval,
  type KeptApproval,
  type KeptApprovals,
  keptApprovals,
  removeApproval,
  type Subject,
  subjectOf,
} from "../../core/policy/approvals.ts";
import { contentOf, type ToolContent } from "../../core/policy/content.ts";
import { type Binding, boundFacts, callFacts, unshownText } from "../../core/run/call-facts.ts";
import { exitCodes, failureExitCode } from "../../core/run/exit-code.ts";
import { matchesOf } from "../../core/run/permit.ts";
import { prepareCall } from "../../core/run/prepare.ts";
import { withSuggestion } from "../../core/run/suggest.ts";
import { isJsonObject, type JsonObject } from "../../core/schema/json.ts";
import { validateArguments } from "../../core/schema/validate.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { PreparedCall, Tool } from "../../core/tool/tool.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import { type Caller, callers } from "../../core/tool/policy.ts";
import { factLines, showByPages } from "../view/asked-call.ts";
import { type CommandContext, type CommandInput, reportUsage, type WordsCommand, writeJson } from "../command.ts";
import { printable } from "../../core/text/display.ts";
import { rows, textColumns } from "../view/layout.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import { runsItsArguments } from "../../core/policy/deciding-arguments.ts";
import { openSession } from "../session/open-session.ts";
import { failureLines } from "../view/print-result.ts";

const MODELS: readonly Caller[] = ["mcp", "exec", "agent"];

export const allowCommand: WordsCommand = {
  kind: "words",
  usage: ["allow [--for CALLER] [--arguments JSON] TOOL", "allow", "allow --revoke TOOL"],
  about:
    "Lets models call a tool in this project without asking, until one of its definitions, scripts or plugins changes. " +
    "Shows these and what else the tool runs, and asks. Without a terminal, approve with `--hash` and the hash that `--show` ends with. " +
    "If a tool runs what it is given, such as `run_command` or `sh {script}`, only these exact arguments are " +
    "allowed. Without TOOL, lists what is allowed. Deny rules in config.yaml still apply.",
  options: [
    {
      name: "for",
      value: "CALLER",
      does: `callers: ${callers.join(", ")}, separated by commas; default: ${MODELS.join(", ")}`,
    },
    { name: "arguments", value: "JSON", does: "the only arguments to allow, for a tool that runs what it is given" },
    { name: "hash", value: "HASH", does: "approve the content with this hash, without asking" },
    { name: "show", does: "print what it could run and its hash, without asking" },
    { name: "revoke", does: "revoke what was allowed" },
    { name: "json", does: "list as JSON" },
  ],
  words: [0, 1],
  completes: "tools",
  examples: [
    ["dottool allow", "list what is allowed"],
    ["dottool allow --for mcp git_status", "clients of `dottool mcp` may call it"],
    ["dottool allow --revoke git_status", "revoke that"],
  ],
  run: async (input, context) => {
    const { terminal } = context;
    const opened = await openSession(context);
    if (typeof opened === "number") return opened;
    const [name] = input.words;
    const who = readWho(input.value("for"));
    if ("problem" in who) return reportUsage(terminal, who.problem, "allow");
    if (name === undefined && (input.has("revoke") || input.has("hash") || input.has("arguments")))
      return reportUsage(terminal, "`allow` needs the name of a tool", "allow");
    if (name === undefined) return list(opened, input.has("json"), context);
    if (isInsideRun(opened.host)) {
      terminal.errors.write(
        "failed[denied]: a tool started this command, and only a person may allow tools\n  = run `dottool allow` in your own terminal\n",
      );
      return exitCodes.denied;
    }
    return input.has("revoke")
      ? revoke(name, who.callers, { opened, context })
      : allow(name, { input, callers: who.callers ?? MODELS, opened, context });
  },
};

function readWho(
  text: string | undefined,
): { readonly callers: readonly Caller[] | undefined } | { readonly problem: string } {
  const words = text?.split(",").map((word) => word.trim());
  const odd = words?.find((word) => !(callers as readonly string[]).includes(word));
  if (odd !== undefined) return { problem: `\`--for\` must be one of ${callers.join(", ")}; got \`${odd}\`` };
  return { callers: words && callers.filter((one) => words.includes(one)) };
}

function list({ host }: OpenedSession, isJson: boolean, { terminal }: CommandContext): number {
  const { approvals: kept, unusable } = keptApprovals(host);
  for (const { reason } of unusable) terminal.errors.write(`warning[file]: ${printable(reason)}\n`);
  if (isJson) writeJson(terminal, { allowed: kept.map(keptJson) });
  else if (kept.length === 0) terminal.output.write("no tool is allowed\n");
  else
    terminal.output.write(
      `${rows(
        kept.map((one) => [printable(one.tool), printable(keptText(one))]),
        { columns: textColumns(terminal.output.columns), indent: 0, nameColumnsMax: 40 },
      ).join("\n")}\n`,
    );
  return exitCodes.done;
}

function keptJson({ tool, frontEnd, project, arguments: args, hash, agreedAt }: KeptApproval): object {
  return { tool, for: frontEnd, project, ...(args ? { arguments: args } : {}), hash, agreedAt };
}

function keptText({ frontEnd, project, arguments: args, agreedAt }: KeptApproval): string {
  return `for ${frontEnd} in ${project} since ${agreedAt.slice(0, 10)}${args ? `, with ${JSON.stringify(args)}` : ""}`;
}

interface Opened {
  readonly opened: OpenedSession;
  readonly context: CommandContext;
}

/** A file that cannot be read may be the approval in question, and would apply again once it can be read. */
function revoke(name: string, who: readonly Caller[] | undefined, { opened, context }: Opened): number {
  const { terminal } = context;
  const { approvals, unusable } = keptApprovals(opened.host);
  const found = approvals.filter(
    ({ tool, frontEnd }) => tool === name && (who === undefined || who.includes(frontEnd)),
  );
  const unremoved = found.flatMap((kept) => {
    try {
      removeApproval(kept, opened.host);
      terminal.output.write(`\`${printable(name)}\` is no longer allowed ${printable(keptText(kept))}\n`);
      return [];
    } catch (error) {
      const why = `its file cannot be removed from \`${printable(opened.host.folders.state)}/approvals\` (${codeOf(error) ?? "error"})`;
      return [`\`${printable(name)}\` is still allowed ${printable(keptText(kept))}: ${why}`];
    }
  });
  for (const fact of unremoved)
    terminal.errors.write(`failed[file]: ${fact}\n  = get permission to change that folder, and run this again\n`);
  for (const one of unusable) terminal.errors.write(unusableText(one, name));
  if (unremoved.length + unusable.length > 0) return exitCodes.failed;
  if (found.length > 0) return exitCodes.done;
  terminal.errors.write(
    `failed[missing]: \`${printable(name)}\` is not allowed, so there is nothing to revoke\n  = \`dottool allow\` lists what is\n`,
  );
  return exitCodes.missing;
}

function unusableText({ reason, path, isAside }: KeptApprovals["unusable"][number], name: string): string {
  if (isAside)
    return `failed[file]: ${printable(reason)}\n  = if it was the approval of \`${printable(name)}\`, that is revoked too\n`;
  const help = `  = make \`${printable(path)}\` readable, make it and its folder writable only by you, and run this again; or remove it\n`;
  return `failed[file]: ${printable(reason)}; if it is the approval of \`${printable(name)}\`, it applies again once it can be read\n${help}`;
}

interface AllowOptions extends Opened {
  readonly input: CommandInput;
  readonly callers: readonly Caller[];
}

async function allow(name: string, options: AllowOptions): Promise<number> {
  const { input, opened, context } = options;
  const { session } = opened;
  const tool = await session.registry.resolve(name);
  if (!tool) return (await import("../words/no-such-tool.ts")).reportMissingTool(name, opened, context);
  const given = readArguments(input.value("arguments"));
  if ("problem" in given) return reportUsage(context.terminal, given.problem, "allow");
  const needsAll = runsItsArguments(tool);
  const deciding = decidingNames(tool, session);
  const usage = usageProblem(name, { isGiven: given.arguments !== undefined, needsAll, deciding });
  if (usage !== undefined) return reportUsage(context.terminal, usage, "allow");
  const distrust = await session.distrust?.(name);
  const args = given.arguments ?? {};
  const call = { id: "allow", tool: name, arguments: {} };
  const plain: PreparedCall = { call, tool, arguments: placeholders(tool) };
  const prepared = distrust
    ? { failure: distrust }
    : needsAll
      ? await prepareCall({ ...call, arguments: args }, session)
      : withDeciding(plain, args, { deciding, session });
  if ("prepared" in prepared) return agree(prepared.prepared, options);
  const failure = await withSuggestion(prepared.failure, { ...call, arguments: args }, session);
  context.terminal.errors.write(`${await failureLines(failure, { tool, name, audience: "person" })}\n`);
  return failureExitCode(failure);
}

interface Needed {
  readonly isGiven: boolean;
  readonly needsAll: boolean;
  readonly deciding: readonly string[];
}

function usageProblem(name: string, { isGiven, needsAll, deciding }: Needed): string | undefined {
  if (isGiven)
    return deciding.length > 0 ? undefined : `\`${name}\` is allowed with any arguments; leave out \`--arguments\``;
  if (needsAll) return `\`${name}\` runs what it is given, so \`--arguments\` must say which arguments are allowed`;
  if (deciding.length === 0) return undefined;
  const values = deciding.length === 1 ? "value is" : "values are";
  return `what \`${name}\` runs depends on ${quotedNames(deciding)}, so \`--arguments\` must say which ${values} allowed`;
}

interface Deciding {
  readonly deciding: readonly string[];
  readonly session: OpenedSession["session"];
}

type Prepared = { readonly prepared: PreparedCall } | { readonly failure: Failure };

/** Returns the call with the given values that decide what runs, and placeholders for the others. */
function withDeciding(plain: PreparedCall, given: JsonObject, { deciding, session }: Deciding): Prepared {
  const { call, tool } = plain;
  const parameters = tool.parameters.filter(({ name }) => deciding.includes(name));
  const read = validateArguments(parameters, given, { owner: call.tool, environment: session.host.environment });
  if (!read.arguments) return { failure: { kind: "invalid-arguments", tool: call.tool, issues: read.issues } };
  return { prepared: { ...plain, arguments: { ...plain.arguments, ...read.arguments } } };
}

function quotedNames(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(" and ");
}

/** Returns a value for each text parameter that shows its name: `{folder}`. */
function placeholders(tool: Tool): JsonObject {
  return Object.fromEntries(
    tool.parameters.flatMap(({ name, schema, secret }) =>
      schema.type === "string" && !schema.choices && !secret ? [[name, `{${name}}`] as const] : [],
    ),
  );
}

async function agree(call: PreparedCall, { input, callers: who, opened, context }: AllowOptions): Promise<number> {
  const { session, host } = opened;
  const { terminal } = context;
  const name = call.call.tool;
  const unshown = unshownText(call, session.cwd);
  if (unshown !== undefined) {
    terminal.errors.write(`failed[denied]: a tool that cannot be shown in full cannot be allowed\n  ${unshown}\n`);
    return exitCodes.denied;
  }
  const content = contentOf(call, session);
  const subjects = who.map((frontEnd) => subjectOf(call, { ...session, frontEnd }));
  const hash = hashOf(content, subjects, host.sha256);
  const [{ project, arguments: named } = { project: session.cwd }] = subjects;
  const deciding = named === undefined || runsItsArguments(call.tool) ? [] : Object.keys(named);
  const isShown = await showWhat(call, { who, binding: { project, deciding, ...content }, opened, context });
  if (input.has("show")) {
    terminal.output.write(`${hash}\n`);
    return exitCodes.done;
  }
  if (!isShown) return exitCodes.denied;
  const isYes =
    input.value("hash") === undefined
      ? await isAgreed(name, context)
      : input.value("hash") === hash || wrongHash(context);
  if (!isYes) return exitCodes.denied;
  if (contentOf(call, session).hash !== content.hash) {
    terminal.errors.write(`failed[denied]: \`${printable(name)}\` changed while you were asked\n  = review it again\n`);
    return exitCodes.denied;
  }
  const config = await session.guard?.current();
  try {
    for (const subject of subjects) {
      const rules = matchesOf(call, { config, session, frontEnd: subject.frontEnd })
        .filter(({ decision }) => decision === "ask")
        .map(({ fingerprint }) => fingerprint);
      await keepApproval(subject, { content, rules: [...rules, ...codeRules(call, subject.frontEnd, opened)] }, host);
    }
  } catch (error) {
    terminal.errors.write(
      `failed[file]: the approval cannot be stored in \`${host.folders.state}\` (${codeOf(error) ?? "error"})\n`,
    );
    return exitCodes.failed;
  }
  terminal.output.write(`\`${printable(name)}\` is allowed for ${who.join(", ")}\n`);
  return exitCodes.done;
}

function codeRules(call: PreparedCall, frontEnd: Caller, { session }: OpenedSession): readonly string[] {
  return session.policy
    .filter((rule) => rule.decision === "ask" && rule.matches(call, frontEnd))
    .map(({ name }) => name);
}

function readArguments(text: string | undefined): { readonly arguments?: JsonObject } | { readonly problem: string } {
  if (text === undefined) return {};
  try {
    const read: unknown = JSON.parse(text);
    return isJsonObject(read) ? { arguments: read as JsonObject } : { problem: "`--arguments` must be a JSON object" };
  } catch {
    return { problem: "`--arguments` must be a JSON object; this is not JSON" };
  }
}

/** Returns the hash of the content together with what is allowed. */
function hashOf(content: ToolContent, subjects: readonly Subject[], sha256: (text: string) => string): string {
  return sha256(JSON.stringify([content.hash, subjects]));
}

interface Shown extends Opened {
  readonly who: readonly Caller[];
  readonly binding: Binding;
}

function showWhat(prepared: PreparedCall, { who, binding, opened, context }: Shown): Promise<boolean> {
  const { terminal } = context;
  const facts = callFacts(prepared, { decision: "ask", matched: [] }, opened.session.cwd);
  const all = [...facts, ...boundFacts(binding), ["allowed for", who.join(", ")] as const];
  return showByPages(factLines(all, terminal.errors.columns), terminal);
}

async function isAgreed(name: string, { terminal }: CommandContext): Promise<boolean> {
  if (!terminal.input.isTerminal || !terminal.errors.isTerminal) {
    terminal.errors.write(
      `failed[denied]: cannot ask for approval without a terminal\n  = review it with \`dottool allow ${printable(name)} --show\`, and repeat this with \`--hash\` and the hash that it ends with\n`,
    );
    return false;
  }
  const answer = await terminal.input.ask("allow it until it changes? [y/N] ");
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}

function wrongHash({ terminal }: CommandContext): false {
  terminal.errors.write("failed[denied]: `--hash` is not the hash of this content\n");
  return false;
}
