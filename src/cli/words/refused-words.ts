// A call whose words cannot be read does not run: its failure has the problems of the words and those of the call.
import { shownCall } from "../../core/run/call-tool.ts";
import { prepareCall } from "../../core/run/prepare.ts";
import { secretMasks } from "../../core/run/secret-masks.ts";
import type { Session } from "../../core/run/session.ts";
import { withSuggestion } from "../../core/run/suggest.ts";
import type { ArgumentIssue } from "../../core/schema/argument-issue.ts";
import { MASK } from "../../core/schema/describe.ts";
import { hasSecrets } from "../../core/schema/secrets.ts";
import type { ToolCall, ToolResult } from "../../core/tool/call.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { globalOption } from "./global-options.ts";
import type { ToolWords } from "./tool-words.ts";

/** What an issue is about that concerns a whole line of `dottool batch`. */
export const LINE_PATH = "line";

export async function refused(call: ToolCall, read: ToolWords, session: Session): Promise<ToolResult> {
  const span = session.span?.begin({ kind: "call", name: call.tool });
  const result: ToolResult = {
    status: "failed",
    content: [],
    failure: await refusal(call, read, session),
    call: await shownCall(call, session),
    durationMs: 0,
  };
  span?.end(result);
  return result;
}

/**
 * The problems of the command line together with those that the gate finds, so that the caller learns of everything at
 * once.
 */
export async function refusal(call: ToolCall, read: ToolWords, session: Session): Promise<Failure> {
  const isWhole = read.whole !== undefined && !hasSecrets(session.registry.find(call.tool)?.parameters ?? []);
  const sent = isWhole ? { ...call, arguments: read.whole } : call;
  const step = await prepareCall(sent, session);
  const failure: Failure =
    "prepared" in step
      ? { kind: "invalid-arguments", tool: call.tool, issues: [], example: read.arguments }
      : await withSuggestion(step.failure, sent, session);
  if (failure.kind !== "invalid-arguments") return failure;
  const tool = session.registry.find(call.tool);
  const masks = tool && (await secretMasks(tool, [call.arguments], session.host));
  const told = tool && masks ? read.issues.map((issue) => withoutWords(issue, tool)) : read.issues;
  const known = new Set(told.map((issue) => issue.path));
  const whole: Failure = {
    ...failure,
    issues: [...told, ...failure.issues.filter((issue) => !known.has(issue.path) && !(isWhole && issue.path === ""))],
  };
  return masks ? masks.failure(whole) : whole;
}

/** Hides the word: it may be the secret of a tool that has one, and JSON that does not parse may contain it. */
function withoutWords({ path, message }: ArgumentIssue, tool: Tool): ArgumentIssue {
  if (globalOption(path)) return { path, message };
  const isPlain = path === "--json" || path === LINE_PATH || tool.parameters.some(({ name }) => name === path);
  return { path: isPlain ? path : MASK, message: message.replace(/^(is not JSON):.*$/s, "$1") };
}
