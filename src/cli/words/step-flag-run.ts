// Prepares the options of tools of steps before the call: a file to read, a file to write, a model that exists.
import { needPart } from "../../core/tool/feature.ts";
import type {} from "../parts.ts";
import { resolve } from "node:path";
import { exitCodes, failureExitCode } from "../../core/run/exit-code.ts";
import { printable } from "../../core/text/display.ts";
import { reachedFrom, underlyingTools } from "../../core/tool/definition.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host } from "../../core/tool/host.ts";
import type { ToolRegistry } from "../../core/tool/registry.ts";
import type { Terminal } from "../../core/tool/terminal.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { CommandContext } from "../command.ts";
import { failureLines } from "../view/print-result.ts";
import { inputParameter, type ReadyStepFlags, takeStepFlags } from "./step-flags.ts";
import { isSameFile, targetProblem } from "./target-file.ts";
import { findParameter } from "../../core/run/find-parameter.ts";
import type { CallForm } from "./tool-words.ts";

const INPUT_BYTES_MAX = 64 * 1024 * 1024;
const MODEL_TOOL = "ask_model";

interface StepFlagOptions {
  readonly name: string;
  readonly tool: Tool;
  readonly form: CallForm;
  readonly registry: ToolRegistry;
  readonly host: Host;
  readonly context: CommandContext;
}

/** Returns an exit code if one of them cannot be used; the reason has been printed, and nothing has run. */
export async function readyStepFlags(
  words: readonly string[],
  { name, tool, form, registry, host, context }: StepFlagOptions,
): Promise<ReadyStepFlags | number> {
  const { terminal } = context;
  const flags = takeStepFlags(words, tool.parameters, form);
  const refuse = (message: string, exitCode: number = exitCodes.usage): number => {
    terminal.errors.write(`failed[usage]: ${message}\n  = nothing has run\n`);
    return exitCode;
  };
  const asksModel = flags.provider === undefined && !flags.showsPrompts ? true : asks(tool, registry);
  if (!asksModel)
    return refuse(
      `\`${name}\` does not ask a model, so \`${flags.showsPrompts ? "--show-prompt" : "--provider"}\` has no effect`,
    );
  // Loaded here, because reading the user's models needs YAML, and other calls should not load that.
  const failure = flags.provider === undefined ? undefined : (await needPart("providerFailure"))(flags.provider, host);
  if (failure) {
    terminal.errors.write(`${await failureLines(failure, { tool, name, audience: "person" })}\n`);
    return failureExitCode(failure);
  }
  if (flags.outputFile !== undefined && flags.showsPrompts && !flags.isDryRun)
    return refuse("`--show-prompt` calls nothing, so there is no result for `--output-file`");
  if (flags.outputFile !== undefined) {
    const problem = await targetProblem(flags.outputFile, "result", { host, terminal });
    if (problem !== undefined) return refuse(problem, exitCodes.missing);
    const { trace } = context.options;
    if (trace !== undefined && (await isSameFile(trace, flags.outputFile, { host, terminal }))) {
      terminal.errors.write(
        `failed[usage]: \`--trace\` and \`--output-file\` name the same file, \`${printable(trace)}\`\n  = nothing has run; give each its own file\n`,
      );
      return exitCodes.usage;
    }
  }
  if (flags.inputFile === undefined) return { ...flags, given: {} };
  const parameter = inputParameter(tool.parameters);
  if (!parameter) return refuse(`\`${name}\` has no parameter \`input\`, so \`--input-file\` cannot be used`);
  if (flags.words.some((word) => givenName(word, tool) === parameter.name))
    return refuse(`\`${parameter.name}\` is given both as a file and as an argument`);
  const text = await readInput(flags.inputFile, host, terminal);
  return typeof text === "string"
    ? { ...flags, given: { [parameter.name]: text } }
    : refuse(text.problem, text.exitCode);
}

/** Returns whether the tool or a dependency asks a model. */
function asks(tool: Tool, registry: ToolRegistry): boolean {
  const below = (next: string): readonly string[] => {
    const found = registry.find(next);
    return found ? underlyingTools(found.definition) : [];
  };
  for (const next of reachedFrom(underlyingTools(tool.definition), below)) if (next === MODEL_TOOL) return true;
  return false;
}

function givenName(word: string, tool: Tool): string | undefined {
  const name = /^(?:--)?([A-Za-z_][\w-]*)(?:=|$)/.exec(word)?.[1];
  return name !== undefined && (word.startsWith("--") || word.includes("="))
    ? findParameter(name, tool.parameters)?.name
    : undefined;
}

async function readInput(
  path: string,
  host: Host,
  terminal: Terminal,
): Promise<string | { readonly problem: string; readonly exitCode: number }> {
  const { decodedText, readInputText } = await import("./input-text.ts");
  const given = (
    text: string | { readonly problem: string },
  ): string | { readonly problem: string; readonly exitCode: number } =>
    typeof text === "string" ? text : { ...text, exitCode: exitCodes.usage };
  if (path === "-") return given(await readInputText(terminal.input, INPUT_BYTES_MAX));
  const shown = printable(path);
  try {
    const bytes = await host.files.readBytes(resolve(terminal.workingFolder(), path), {
      offset: 0,
      lengthMax: INPUT_BYTES_MAX + 1,
    });
    if (bytes.length > INPUT_BYTES_MAX)
      return { problem: `\`${shown}\` has more than ${INPUT_BYTES_MAX} bytes`, exitCode: exitCodes.usage };
    return given(decodedText(bytes, `\`${shown}\``));
  } catch (error) {
    const code = codeOf(error);
    const why =
      code === "ENOENT" || code === "ENOTDIR"
        ? `there is no file \`${shown}\``
        : code === "EISDIR"
          ? `\`${shown}\` is a folder`
          : `\`${shown}\` cannot be read: ${code ?? "unknown error"}`;
    return { problem: why, exitCode: exitCodes.missing };
  }
}
