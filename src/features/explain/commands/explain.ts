// `dottool explain`: shows what a call would do. Runs nothing, not even to ask a program for its version.
import { failureExitCode, exitCodes } from "../../../core/run/exit-code.ts";
import { prepareCall } from "../../../core/run/prepare.ts";
import { withSuggestion } from "../../../core/run/suggest.ts";
import type { Failure } from "../../../core/tool/failure.ts";
import type { Tool } from "../../../core/tool/tool.ts";
import { argumentsOf, stepFlagsOf } from "../../../cli/words/read-call.ts";
import { refusal } from "../../../cli/words/refused-words.ts";
import { type CommandContext, type RawCommand, reportUsage, writeJson } from "../../../cli/command.ts";
import { type Explanation, explainCall } from "../explain-call.ts";
import { callRows, stepRows, stepTitle, type TextRows } from "../explain-text.ts";
import { printableLines, rows, textColumns } from "../../../cli/view/layout.ts";
import { type OpenedSession, openSession } from "../../../cli/session/open-session.ts";
import { failureJson, failureLines } from "../../../cli/view/print-result.ts";
import type { ReadyStepFlags } from "../../../cli/words/step-flags.ts";
import type { CallForm } from "../../../cli/words/tool-words.ts";

export const explainCommand: RawCommand = {
  kind: "raw",
  usage: ["explain [--json] NAME [ARG…]", "explain [--json] run|call NAME [ARG…]"],
  about:
    "Shows what a call would do, without running it: the command or the script, the folder, the environment, the limits, and what policy decides; for a tool of several steps, each of them in order. " +
    "Put `explain` before the words of the call. Secrets are shown as dots. `dottool trust --show` shows what tools could run that are not trusted yet.",
  options: [{ name: "json", does: "print as JSON; put it before the tool's name" }],
  completes: "tools",
  examples: [["dottool explain glob . -name '*.ts'", "what `dottool glob . -name '*.ts'` would run"]],
  run: async (words, context) => {
    const isJson = words[0] === "--json";
    const given = isJson ? words.slice(1) : words;
    const rest = given[0] === "run" ? given.slice(1) : given;
    const form: CallForm = rest[0] === "call" ? "call" : "short";
    const [name, ...own] = form === "call" ? rest.slice(1) : rest;
    if (name === undefined || name.startsWith("-"))
      return reportUsage(context.terminal, "`explain` needs the name of a tool", "explain");
    return explain(name, own, { form, isJson, context });
  },
};

interface ExplainOptions {
  readonly form: CallForm;
  readonly isJson: boolean;
  readonly context: CommandContext;
}

async function explain(
  name: string,
  words: readonly string[],
  { form, isJson, context }: ExplainOptions,
): Promise<number> {
  const opened = await openSession(context);
  if (typeof opened === "number") return opened;
  const tool = await opened.session.registry.resolve(name);
  if (tool) return explainFound({ name, tool, opened }, { words, form, isJson, context });
  const { ownedTool, toolInFile } = await import("../../../cli/words/find-tools.ts");
  const owned = await ownedTool(name, opened);
  if (owned !== undefined) return explain(owned, words, { form, isJson, context });
  const inFile = await toolInFile(name, opened, context);
  if (inFile) return explain(inFile.name, words, { form, isJson, context: inFile.context });
  return (await import("../../../cli/words/no-such-tool.ts")).reportMissingTool(name, opened, { ...context, isJson });
}

interface FoundTool {
  readonly name: string;
  readonly tool: Tool;
  readonly opened: OpenedSession;
}

interface ExplainFoundOptions extends ExplainOptions {
  readonly words: readonly string[];
  /** Those of the words, if they have been read. */
  readonly flags?: ReadyStepFlags | undefined;
}

/** Explains a call, for `--dry-run` too. */
export async function explainFound(
  { name, tool, opened }: FoundTool,
  { words, form, isJson, context, flags: known }: ExplainFoundOptions,
): Promise<number> {
  // Of a tool that is not trusted nothing runs, not even a transform; `dottool trust --show` has what it could run.
  const untrusted = await opened.session.distrust?.(name);
  if (untrusted) return fail(untrusted, { name, tool, isJson, context });
  const flags = known ?? (await stepFlagsOf(words, { name, tool, form, context, opened }));
  if (typeof flags === "number") return flags;
  const read = await argumentsOf(words, { name, tool, form, context, flags });
  if (typeof read === "number") return read;
  const session = flags?.provider === undefined ? opened.session : { ...opened.session, provider: flags.provider };
  const call = { id: "explain", tool: name, arguments: read.arguments };
  const step =
    read.issues.length > 0 ? { failure: await refusal(call, read, session) } : await prepareCall(call, session);
  if ("failure" in step) {
    const failure = read.issues.length > 0 ? step.failure : await withSuggestion(step.failure, call, session);
    return fail(failure, { name, tool, isJson, context });
  }
  const prompts = flags?.showsPrompts
    ? (await import("../../../core/session/prompts.ts")).promptsOf(step.prepared, session)
    : undefined;
  const explanation: Explanation = {
    ...(await explainCall(step.prepared, session)),
    ...(prompts ? { prompts } : {}),
    ...(flags?.outputFile === undefined ? {} : { outputFile: flags.outputFile }),
  };
  if (isJson) writeJson(context.terminal, explanation);
  else writeExplanation(explanation, context);
  if (prompts && !isJson)
    context.terminal.output.write(`\n${(await import("../../../cli/view/show-prompts.ts")).promptsText(prompts)}`);
  return explanation.decisions[0]?.decision === "deny" ? exitCodes.denied : exitCodes.done;
}

/** Returns the exit code, which is that of the call. */
async function fail(
  failure: Failure,
  { name, tool, isJson, context }: Pick<FoundTool, "name" | "tool"> & Pick<ExplainOptions, "isJson" | "context">,
): Promise<number> {
  if (isJson)
    writeJson(context.terminal, { status: "failed", content: [], failure: await failureJson(failure, { tool, name }) });
  else context.terminal.errors.write(`${await failureLines(failure, { tool, name, audience: "person" })}\n`);
  return failureExitCode(failure);
}

function writeExplanation(explanation: Explanation, { terminal }: CommandContext): void {
  const columns = textColumns(terminal.output.columns);
  const lines = (entries: TextRows, indent = 0): readonly string[] =>
    rows(
      entries.map(([name, text]) => [name, printableLines(text)]),
      { columns, indent, nameColumnsMax: 20 },
    );
  const steps = (explanation.steps ?? []).flatMap((step) => [
    "",
    printableLines(stepTitle(step)),
    ...lines(stepRows(step, explanation.folder), 2),
  ]);
  terminal.output.write(`${[...lines(callRows(explanation)), ...steps].join("\n")}\n`);
}
