// What a person has to know of a call before answering: rows of a name and a text, as they are. The code that shows
// them makes them safe to display.
import { commandLine } from "../base/quote.ts";
import { callViews, type CallView, VIEWS_MAX } from "../policy/call-views.ts";
import { isJsonObject } from "../schema/json.ts";
import { programTexts } from "../schema/program-text.ts";
import { maskedArguments } from "../schema/secrets.ts";
import { printable } from "../text/display.ts";
import { positionOf } from "../text/source.ts";
import { addedWords } from "../tool/added-words.ts";
import type { Caller, PolicyQuestion, Verdict } from "../tool/policy.ts";
import type { PreparedCall, Tool } from "../tool/tool.ts";

export type Facts = readonly (readonly [name: string, text: string])[];

const callerWords: Readonly<Record<Caller, string>> = {
  person: "you",
  program: "the program that embeds dottool",
  mcp: "a client of `dottool mcp`",
  exec: "`dottool exec`",
  agent: "`dottool agent`",
  worker: "workers of a queue",
  hook: "another agent, whose hook asks dottool",
};

/** Returns rows with dots for secrets. `cwd` is the absolute path where the call would run. */
export function callFacts(call: PreparedCall, verdict: Verdict, cwd: string): Facts {
  const { tool } = call;
  const { question, matched, decision } = verdict;
  const rules = matched.filter((rule) => rule.decision === decision);
  return [
    ["tool", `\`${call.call.tool}\` ${printable(placeOf(tool))}`],
    ...(question && question.frontEnd !== "person" ? [["called by", callerWords[question.frontEnd]] as const] : []),
    ...runFacts(call, cwd),
    ...programFacts(call),
    ...(question?.edits ?? []).map((edit) => ["change", edit.trimEnd()] as const),
    ["folder", printable(cwd)],
    ["effects", tool.effects.length === 0 ? "unknown, so it may do anything" : tool.effects.join(", ")],
    ...rules.map(({ name, reason }) => ["rule", `${name}: ${reason}`] as const),
    ...(question === undefined || question.scope === "tool" ? addedFacts(tool) : []),
    ...(question && isBoundFurther(question) ? boundFacts(question) : []),
    ...(question?.changes ?? []).map((change) => ["changed", change] as const),
  ];
}

/** Returns what other calls of the tool could add to its commands. An answer may cover them. */
export function addedFacts({ definition, underlying = [] }: Tool): Facts {
  const own = definition.kind === "base" ? [] : addedWords(definition);
  return [...own.map((text) => ["other calls", text] as const), ...underlying.flatMap(addedFacts)];
}

export type Binding = Pick<PolicyQuestion, "project" | "deciding" | "files" | "rest">;

/** Whether the approval is bound to more than the tool and its folder. */
function isBoundFurther({ scope, files, rest, deciding }: PolicyQuestion): boolean {
  return scope !== "call" && (files.length > 0 || rest.length > 0 || deciding !== undefined);
}

/** Returns what "always" covers, and what it cannot be bound to. */
export function boundFacts({ project, deciding = [], files, rest }: Binding): Facts {
  const held = ["the tool", ...files.map(printable)];
  const last = held.pop() ?? "";
  const change = held.length === 0 ? `${last} changes` : `${held.join(", ")} or ${last} changes`;
  const names = deciding.map((name) => `\`${name}\``).join(", ");
  const values =
    deciding.length === 0 ? "" : `with ${deciding.length === 1 ? "this value" : "these values"} of ${names}, `;
  const covered = `later changes of ${rest.map(printable).join("; of ")}`;
  const row = ["always means", `${values}in ${printable(project)}, until ${change}`] as const;
  return rest.length === 0 ? [row] : [row, ["and covers", covered]];
}

function placeOf({ definition }: Tool): string {
  const { origin, name } = definition;
  switch (origin.kind) {
    case "base":
      return "of dottool itself";
    case "plugin":
      return `of the plugin ${origin.path}`;
    case "forged":
      return "made by a model";
    case "file":
      return `in ${origin.source.path}:${positionOf(name.span.source, name.span.start).line}`;
  }
}

const UNSHOWN = `more than ${VIEWS_MAX.toLocaleString("en")} calls of other tools, which cannot be shown`;

/** Returns why a person cannot be shown what a call runs. */
export function unshownText(call: PreparedCall, cwd: string): string | undefined {
  return callViews(call, cwd)
    ? undefined
    : `the call cannot be approved: it runs ${UNSHOWN}; call its parts one by one`;
}

/** Returns each process that it may start; for a tool that starts none, its arguments. Secrets are dots. */
export function runFacts(made: PreparedCall, cwd: string): Facts {
  const call = { ...made, arguments: maskedArguments(made.arguments, made.tool.parameters) };
  const views = callViews(call, cwd);
  if (!views) return [["runs", UNSHOWN]];
  const processes = views.filter(({ name }) => name === "run_command").flatMap(processFacts);
  const calls = views.filter(
    ({ name, tool }) =>
      name !== "run_command" && (tool === undefined || (tool.below === undefined && tool.outline === undefined)),
  );
  const named = views[0];
  return [
    ...(named && processes.length === 0 && calls.length === 0 ? [["calls", callText(named)] as const] : []),
    ...calls.map((view) => ["calls", callText(view)] as const),
    ...processes,
  ];
}

/** The values that are program text, whole. Secrets are dots. */
function programFacts({ arguments: given, tool: { parameters } }: PreparedCall): Facts {
  const args = maskedArguments(given, parameters);
  return parameters.flatMap(({ name, schema }) =>
    programTexts(args[name], schema).map(
      (text) =>
        ["program text", `${name}: ${Array.isArray(text) ? commandLine(text.map(String)) : String(text)}`] as const,
    ),
  );
}

function callText({ name, arguments: args }: CallView): string {
  return `${name} ${JSON.stringify(args)}`;
}

function processFacts({ arguments: args }: CallView): Facts {
  const { argv, command, stdin, env, working_dir: folder, inherit_env: inherits, pass_env: passed } = args;
  const words = Array.isArray(argv) ? argv.map(String) : undefined;
  return [
    ...(words ? [["runs", commandLine(words)] as const] : []),
    ...(typeof command === "string" ? [["runs in a shell", command] as const] : []),
    ...(typeof folder === "string" ? [["in", folder] as const] : []),
    ...(isJsonObject(env) && Object.keys(env).length > 0 ? [["with variables", JSON.stringify(env)] as const] : []),
    ...(inherits === true ? [["with variables", "all that are set here"] as const] : []),
    ...(typeof args["env_file"] === "string" ? [["with the variables of", args["env_file"]] as const] : []),
    ...(Array.isArray(passed) ? [["with your variables", passed.map(String).join(", ")] as const] : []),
    ...(typeof stdin === "string" ? [["reads", stdin] as const] : []),
  ];
}
