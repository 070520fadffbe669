// `--show-prompt`: the prompts that the steps of a call would send, with those of the tools that they call. Nothing
// runs.
import { exitCodes, failureExitCode } from "../../core/run/exit-code.ts";
import { prepareCall } from "../../core/run/prepare.ts";
import { withSuggestion } from "../../core/run/suggest.ts";
import type { Session } from "../../core/run/session.ts";
import { promptsOf, type ShownPrompt } from "../../core/session/prompts.ts";
import type { ToolCall } from "../../core/tool/call.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { type CommandContext, writeJson } from "../command.ts";
import { printableLines } from "./layout.ts";
import { failureLines } from "./print-result.ts";

interface ShowOptions {
  readonly session: Session;
  readonly context: CommandContext;
  readonly tool: Tool;
}

/** Returns the exit code. */
export async function showPrompts(call: ToolCall, { session, context, tool }: ShowOptions): Promise<number> {
  const { terminal, options } = context;
  const step = await prepareCall(call, session);
  if ("prepared" in step) {
    const prompts = promptsOf(step.prepared, session);
    if (options.result === "json") writeJson(terminal, prompts);
    else terminal.output.write(promptsText(prompts));
    return exitCodes.done;
  }
  const failure = await withSuggestion(step.failure, call, session);
  terminal.errors.write(`${await failureLines(failure, { tool, name: call.tool, audience: "person" })}\n`);
  return failureExitCode(failure);
}

/** Returns the prompts, each under a line that names its steps. */
export function promptsText(prompts: readonly ShownPrompt[]): string {
  return prompts
    .map(
      ({ steps, provider, prompt }) =>
        `${steps.map((step) => `\`${step}\``).join(" > ")} asks ${provider === undefined ? "the default model" : `\`${provider}\``}:\n\n${prompt
          .split("\n")
          .map((line) => (line === "" ? "" : `    ${printableLines(line)}`))
          .join("\n")}\n`,
    )
    .join("\n");
}
