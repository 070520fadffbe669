// What a person who is asked about a call has to know of it: rows of a name and a text, as they are. Whoever shows them makes them safe to look at.
import { commandLine } from "../base/quote.ts";
import { callViews, type CallView } from "../policy/call-views.ts";
import { isJsonObject } from "../schema/json.ts";
import { maskedArguments } from "../schema/secrets.ts";
import { positionOf } from "../text/source.ts";
import type { PreparedCall } from "../tool/call.ts";
import type { FrontEnd, Verdict } from "../tool/policy.ts";
import type { Tool } from "../tool/tool.ts";

export type Facts = readonly (readonly [name: string, text: string])[];

export const callerWords: Readonly<Record<FrontEnd, string>> = { person: "you", program: "the program that embeds dottool", mcp: "a client of `dottool mcp`", exec: "`dottool exec`", agent: "`dottool agent`" };

/** Secrets are dots. `cwd`: absolute, where the call would run. */
export function callFacts(call: PreparedCall, verdict: Verdict, cwd: string): Facts {
  const { tool } = call;
  const { question, matched, decision } = verdict;
  const rules = matched.filter((rule) => rule.decision === decision);
  return [
    ["tool", `\`${call.call.tool}\` ${placeOf(tool)}`],
    ...(question && question.frontEnd !== "person" ? [["called by", callerWords[question.frontEnd]] as const] : []),
    ...whatRuns({ ...call, arguments: maskedArguments(call.arguments, tool.parameters) }, cwd),
    ["folder", cwd],
    ["effects", tool.effects.length === 0 ? "unknown, so it may do anything" : tool.effects.join(", ")],
    ...rules.map(({ name, reason }) => ["rule", `${name}: ${reason}`] as const),
    ...(question?.changes ?? []).map((change) => ["changed", change] as const),
  ];
}

function placeOf({ definition }: Tool): string {
  const { origin, name } = definition;
  switch (origin.kind) {
    case "base":
      return "of dottool itself";
    case "plugin":
      return `of the plugin ${origin.path}`;
    case "file":
      return `in ${origin.source.path}:${positionOf(name.span.source, name.span.start).line}`;
  }
}

/** Each process that it may start; a tool that starts none, with its arguments. */
function whatRuns(call: PreparedCall, cwd: string): Facts {
  const views = callViews(call, cwd) ?? [];
  const processes = views.filter(({ name }) => name === "run_command").flatMap(processFacts);
  const calls = views.filter(({ name, tool }) => name !== "run_command" && (tool === undefined || (tool.below === undefined && tool.outline === undefined)));
  const named = views[0];
  return [...(named && processes.length === 0 && calls.length === 0 ? [["calls", callText(named)] as const] : []), ...calls.map((view) => ["calls", callText(view)] as const), ...processes];
}

function callText({ name, arguments: args }: CallView): string {
  return `${name} ${JSON.stringify(args)}`;
}

function processFacts({ arguments: args }: CallView): Facts {
  const { argv, command, stdin, env, working_dir: folder, inherit_env: inherits } = args;
  const words = Array.isArray(argv) ? argv.map(String) : undefined;
  return [
    ...(words ? [["runs", commandLine(words)] as const] : []),
    ...(typeof command === "string" ? [["runs in a shell", command] as const] : []),
    ...(typeof folder === "string" ? [["in", folder] as const] : []),
    ...(isJsonObject(env) && Object.keys(env).length > 0 ? [["with variables", JSON.stringify(env)] as const] : []),
    ...(inherits === true ? [["with variables", "all that are set here"] as const] : []),
    ...(typeof stdin === "string" ? [["reads", stdin] as const] : []),
  ];
}
