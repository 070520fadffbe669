// Makes a call that a launcher hands to the resident process, as main.ts makes one: the same words, the same session,
// the same gate. Whatever it does not know to be the same is left to the executable.
import { callByName, runTool } from "../../cli/call.ts";
import type { CommandContext } from "../../cli/command.ts";
import { isCommandName } from "../../cli/commands.ts";
import { type GlobalOptions, readGlobalOptions } from "../../cli/words/global-options.ts";
import { createCallHost, type ServedCall } from "./host/call-host.ts";
import { openCallTerminal } from "./host/call-terminal.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import type { Step } from "../../core/tool/step.ts";
import type { Tool } from "../../core/tool/tool.ts";

/** Ends the call. An error of dottool itself is reported as main.ts does it, or by the executable. */
export async function serveCall(call: ServedCall): Promise<void> {
  const { link, facts } = call;
  const read = readGlobalOptions(facts.words);
  if ("problem" in read || read.asksFor !== undefined || !isPlain(read.options)) return leave(call);
  if (read.words[0] === "mcp") {
    const { serveSession } = await import("./serve-session.ts");
    return (await serveSession(call, read.words.slice(1), read.options)) ? undefined : leave(call);
  }
  const host = createCallHost(call);
  const terminal = openCallTerminal(call, { isPlain: read.options.isPlain, killAll: () => host.processes.killAll() });
  const context: CommandContext = {
    terminal,
    options: read.options,
    host,
    admit: (tool) => {
      if (!isAdmitted(tool)) link.leave(`the tool ${tool.definition.name.value}`);
    },
  };
  try {
    const exitCode = await run(read.words, context);
    if (exitCode === undefined || link.isLeft) return leave(call);
    await terminal.end(exitCode, exitCode === exitCodes.timeout);
  } catch (error) {
    if (!link.isCommitted) return leave(call);
    const { text, exitCode } = (await import("../../cli/error-report.ts")).errorReport(error);
    terminal.errors.write(text);
    await terminal.end(exitCode, false);
  }
}

function isPlain({ trace, allowsForge, detaches, isConfirmed }: GlobalOptions): boolean {
  return [trace, allowsForge, detaches, isConfirmed].every((option) => option === undefined);
}

/** Returns undefined for what is not a call of a tool. */
async function run(words: readonly string[], context: CommandContext): Promise<number | undefined> {
  const [first, second = "-", ...rest] = words;
  if (first === undefined) return undefined;
  if (!isCommandName(first)) return callByName(words, context);
  if (second.startsWith("-")) return undefined;
  if (first === "run") return callByName([second, ...rest], context);
  return first === "call" ? runTool(second, { words: rest, form: "call" }, context) : undefined;
}

/**
 * Tools whose work is done by processes of the launcher, or only reads. What writes files in this process would give
 * them its own mask.
 */
const admittedBases = new Set(["run_command", "read_file", "search_text", "find_files", "list_dir"]);

function isAdmitted({ definition, underlying = [] }: Tool): boolean {
  switch (definition.kind) {
    case "base":
      return definition.origin.kind === "base" && admittedBases.has(definition.name.value);
    case "alias":
    case "wrapped":
      return underlying.length > 0 && underlying.every(isAdmitted);
    case "steps":
      return [...definition.steps, ...definition.cleanup].every(isAdmittedStep) && underlying.every(isAdmitted);
    case "code":
      return false;
  }
}

function isAdmittedStep({ action, fallback, cacheMs }: Step): boolean {
  return (
    cacheMs === undefined &&
    [action, ...(fallback ? [fallback] : [])].every(({ kind }) => kind === "command" || kind === "tool")
  );
}

function leave({ link }: ServedCall): void {
  try {
    link.leave("another command");
  } catch {
    link.send("c", new Uint8Array(0));
  }
}
