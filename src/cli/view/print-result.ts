// Prints a call's result: text as it comes, the whole result as one JSON document, or what a model would get.
import { stripVTControlCharacters } from "node:util";
import { exitCodeOf } from "../../core/run/exit-code.ts";
import { contentText, hasSandboxNote, modelText } from "../../core/run/model-text.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import type { ToolResult } from "../../core/tool/call.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { Terminal } from "../../core/tool/terminal.ts";
import { progressText, type Tool, type ToolEvent } from "../../core/tool/tool.ts";
import type { ResultForm } from "../words/global-options.ts";
import { jsonText } from "./json-text.ts";
import { optionList } from "../../core/run/find-parameter.ts";

/** The longest string of V8: a little less than 512 Mi. */
const JSON_CHARACTERS_MAX = 536_870_888;

export interface ResultPrinter {
  onEvent(event: ToolEvent): void | Promise<void>;
  /** Returns the exit code; that of a failure if the result is too large for the requested form. */
  print(result: ToolResult, tool: Tool): Promise<number>;
}

export function openPrinter(terminal: Terminal, form: ResultForm): ResultPrinter {
  let hasStreamed = false;
  let progressColumns = 0;
  const clearProgress = (): void => {
    if (progressColumns > 0) terminal.errors.write(`\r${" ".repeat(progressColumns)}\r`);
    progressColumns = 0;
  };
  const onEvent = (event: ToolEvent): void | Promise<void> => {
    if (event.kind === "progress") {
      if (!terminal.errors.isTerminal) return;
      clearProgress();
      const text = stripVTControlCharacters(progressText(event))
        .replaceAll(/\s+/g, " ")
        .slice(0, terminal.errors.columns - 1);
      terminal.errors.write(text);
      progressColumns = text.length;
    } else if (event.kind === "log") {
      clearProgress();
      terminal.errors.write(`${event.level}: ${stripVTControlCharacters(event.text)}\n`);
    } else if (event.kind === "output" && form === "text") {
      clearProgress();
      hasStreamed ||= event.stream === "stdout";
      return (event.stream === "stdout" ? terminal.output : terminal.errors).write(event.bytes);
    }
  };
  const print = async (result: ToolResult, tool: Tool): Promise<number> => {
    clearProgress();
    switch (form) {
      case "text":
        // Streamed output is the content already, and the output of a failed step has gone to standard error.
        if (
          !hasStreamed &&
          !result.process &&
          (result.status === "failed" ? result.failure.kind !== "step-failed" : !result.isShown)
        )
          terminal.output.write(contentText(result.content));
        if (result.status === "failed" && !isOwnExit(result, tool) && terminal.ending === undefined)
          terminal.errors.write(
            `${await failureLines(result.failure, { tool, name: result.call.tool, audience: "person" })}\n`,
          );
        if (hasSandboxNote(result))
          terminal.errors.write((await import("../../core/run/sandbox-note.ts")).sandboxNote(result, "person"));
        return exitCodeOf(result);
      case "json": {
        const [shown, text] = await asJson(result, tool);
        terminal.output.write(`${text}\n`);
        return exitCodeOf(shown);
      }
      case "model":
        terminal.output.write(await modelText(result));
        return exitCodeOf(result);
    }
  };
  return { onEvent, print };
}

/** Returns whether the command itself has reported the failure, so that only its exit code is passed on. */
function isOwnExit(result: ToolResult, { definition, parameters }: Tool): boolean {
  if (result.status === "ok") return false;
  const { failure } = result;
  // A step that gets the caller's own options and passes its output on is a command too.
  const isCommand =
    failure.kind === "step-failed" &&
    optionList(parameters) !== undefined &&
    definition.kind === "steps" &&
    definition.steps.some(({ name, output }) => output?.mode === "stream" && name.value === failure.step);
  const own = isCommand ? failure.cause : failure;
  // The person who pressed Ctrl-C needs no words about it.
  return own.kind === "exit" && !own.help && (own.exitCode !== undefined || own.signalName === "SIGINT");
}

interface FailureLinesOptions {
  /** Absent if no tool has that name. */
  readonly tool?: Tool | undefined;
  /** The name that the caller used. */
  readonly name: string;
  readonly audience: "person" | "model";
  readonly hasArgumentsAlone?: boolean;
}

export async function failureLines(
  failure: Failure,
  { tool, name, audience, hasArgumentsAlone = false }: FailureLinesOptions,
): Promise<string> {
  const [{ failureText }, { printableLines }, { isCommandName }] = await Promise.all([
    import("../../core/run/failure-text.ts"),
    import("./layout.ts"),
    import("../commands.ts"),
  ]);
  const text = failureText(failure, {
    audience,
    hasArgumentsAlone,
    tool: name,
    isCommand: isCommandName,
    ...(tool ? { parameters: tool.parameters } : {}),
  });
  return audience === "person" ? printableLines(text) : text;
}

/** Returns the arguments of the call that the failure suggests. */
export function suggestedArguments(failure: Failure): JsonObject | undefined {
  if (failure.kind === "unknown-tool") return failure.suggested?.arguments;
  return failure.kind === "invalid-arguments" ? failure.example : undefined;
}

async function asJson(result: ToolResult, tool: Tool): Promise<readonly [shown: ToolResult, text: string]> {
  try {
    return [result, jsonText(await jsonOf(result, tool))];
  } catch (error) {
    // A document is one string, which cannot be longer than this.
    if (!(error instanceof RangeError)) throw error;
    const failure: Failure = {
      kind: "limit",
      limit: JSON_CHARACTERS_MAX,
      unit: "characters of JSON",
      help: ["leave out `--result json` to print the output as it comes", "ask for less, for example with `head`"],
    };
    const shown: ToolResult = {
      status: "failed",
      content: [],
      failure,
      call: result.call,
      durationMs: result.durationMs,
    };
    return [shown, jsonText(await jsonOf(shown, tool))];
  }
}

export async function jsonOf(result: ToolResult, tool: Tool | undefined, hasArgumentsAlone = false): Promise<unknown> {
  // `sent` is the same value again, as a server wrote it.
  const content = result.content.map((piece) =>
    piece.type === "json" ? { type: piece.type, value: piece.value } : piece,
  );
  return result.status === "ok"
    ? { ...result, content }
    : {
        ...result,
        content,
        failure: await failureJson(result.failure, { tool, name: result.call.tool, hasArgumentsAlone }),
      };
}

export async function failureJson(failure: Failure, named: Omit<FailureLinesOptions, "audience">): Promise<object> {
  const message = await failureLines(failure, { ...named, audience: "model" });
  const { ISSUES_SHOWN_MAX } = await import("../../core/run/failure-text.ts");
  const issues =
    "issues" in failure && failure.issues.length > ISSUES_SHOWN_MAX
      ? { issues: failure.issues.slice(0, ISSUES_SHOWN_MAX), moreIssues: failure.issues.length - ISSUES_SHOWN_MAX }
      : {};
  return {
    ...failure,
    ...issues,
    ...(failure.kind === "crashed" ? { error: { name: failure.error.name, message: failure.error.message } } : {}),
    message,
  };
}
