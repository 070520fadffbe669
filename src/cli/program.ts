// Runs the command that the first word names: loads only its file, reads its words, prints its help.
import { exitCodes } from "../core/run/exit-code.ts";
import { type Command, type CommandContext, reportUsage } from "./command.ts";
import type { CommandWords } from "./words/command-words.ts";
import { type CommandName, isCommandName } from "./commands.ts";
import { isHelp } from "./words/option-words.ts";

/** Runs a command and returns the exit code. `words` start with its name. */
export async function runProgram(words: readonly string[], context: CommandContext): Promise<number> {
  const [name = "help", ...own] = words;
  if (!isCommandName(name)) return reportUsage(context.terminal, `unknown command \`${name}\``);
  const command = await loadCommand[name]();
  if (context.options.trace !== undefined && !["run", "call", "batch", "exec", "agent", "help"].includes(name))
    return reportUsage(
      context.terminal,
      `\`--trace\` works with \`run\`, \`call\`, \`batch\`, \`exec\` and \`agent\`, not with \`${name}\``,
    );
  if (context.options.detaches && !["run", "call", "help"].includes(name))
    return reportUsage(context.terminal, `\`--detach\` works with a tool, \`run\` and \`call\`, not with \`${name}\``);
  const read = await readWords(name, command, own);
  if (read === "help") {
    await (await import("./view/command-help.ts")).writeCommandHelp(context.terminal.output, command);
    return exitCodes.done;
  }
  if ("problem" in read) return reportUsage(context.terminal, read.problem, name);
  if (command.kind === "raw") return command.run(own, context);
  if (command.completes !== "tools" || command.takesFiles || read.input.words.length === 0)
    return command.run(read.input, context);
  const named = await (await import("./words/find-tools.ts")).withNamesOfFiles(read.input, context);
  return command.run(named.input, named.context);
}

async function readWords(name: string, command: Command, words: readonly string[]): Promise<CommandWords> {
  if (command.kind === "raw") return isHelp(words) ? "help" : noWords;
  if (words.length === 0 && command.words[0] === 0) return noWords;
  return (await import("./words/command-words.ts")).readCommandWords(name, command, words);
}

/** Used if there are no words, because the reader of words takes 1 ms to load. */
const noWords: CommandWords = { input: { words: [], has: () => false, value: () => undefined, values: () => [] } };

export const loadCommand: Readonly<Record<CommandName, () => Promise<Command>>> = {
  init: async () => (await import("../features/new/commands/init.ts")).initCommand,
  run: async () => (await import("./commands/run.ts")).runCommand,
  call: async () => (await import("./commands/call-command.ts")).callCommand,
  batch: async () => (await import("../features/queue/commands/batch.ts")).batchCommand,
  worker: async () => (await import("../features/queue/commands/worker.ts")).workerCommand,
  runs: async () => (await import("../features/runs/commands/runs.ts")).runsCommand,
  list: async () => (await import("../features/list/commands/list.ts")).listCommand,
  show: async () => (await import("../features/list/commands/show.ts")).showCommand,
  explain: async () => (await import("../features/explain/commands/explain.ts")).explainCommand,
  graph: async () => (await import("../features/graph/commands/graph.ts")).graphCommand,
  check: async () => (await import("../features/check/commands/check.ts")).checkCommand,
  fmt: async () => (await import("../features/convert/commands/fmt.ts")).fmtCommand,
  convert: async () => (await import("../features/convert/commands/convert.ts")).convertCommand,
  import: async () => (await import("../features/import/commands/import.ts")).importCommand,
  new: async () => (await import("../features/new/commands/new.ts")).newCommand,
  test: async () => (await import("../features/check/commands/test.ts")).testCommand,
  schema: async () => (await import("../features/dialects/commands/schema.ts")).schemaCommand,
  export: async () => (await import("../features/export/commands/export.ts")).exportCommand,
  exec: async () => (await import("../features/dialects/commands/exec.ts")).execCommand,
  mcp: async () => (await import("../features/mcp-server/commands/mcp.ts")).mcpCommand,
  agent: async () => (await import("../features/agent/commands/agent.ts")).agentCommand,
  add: async () => (await import("../features/packages/commands/add.ts")).addCommand,
  remove: async () => (await import("../features/packages/commands/remove.ts")).removeCommand,
  search: async () => (await import("../features/packages/commands/search.ts")).searchCommand,
  publish: async () => (await import("../features/packages/commands/publish.ts")).publishCommand,
  update: async () => (await import("../features/packages/commands/update.ts")).updateCommand,
  outdated: async () => (await import("../features/packages/commands/outdated.ts")).outdatedCommand,
  audit: async () => (await import("../features/packages/commands/audit.ts")).auditCommand,
  install: async () => (await import("../features/packages/commands/install.ts")).installCommand,
  bundle: async () => (await import("../features/bundle/commands/bundle.ts")).bundleCommand,
  pin: async () => (await import("../features/mcp-client/commands/pin.ts")).pinCommand,
  trust: async () => (await import("./commands/trust.ts")).trustCommand,
  untrust: async () => (await import("./commands/untrust.ts")).untrustCommand,
  forge: async () => (await import("../features/forge/commands/forge.ts")).forgeCommand,
  allow: async () => (await import("./commands/allow.ts")).allowCommand,
  hook: async () => (await import("../features/hook/commands/hook.ts")).hookCommand,
  try: async () => (await import("../features/confinement/commands/try.ts")).tryCommand,
  sandbox: async () => (await import("../features/confinement/commands/sandbox.ts")).sandboxCommand,
  resident: async () => (await import("../features/resident/commands/resident.ts")).residentCommand,
  doctor: async () => (await import("../features/check/commands/doctor.ts")).doctorCommand,
  completions: async () => (await import("../features/completions/commands/completions.ts")).completionsCommand,
  "explain-code": async () => (await import("../features/check/commands/explain-code.ts")).explainCodeCommand,
  help: async () => (await import("./commands/help.ts")).helpCommand,
  __complete: async () => (await import("../features/completions/commands/complete.ts")).completeCommand,
  __detached: async () => (await import("../features/runs/commands/detached.ts")).detachedCommand,
  __resident: async () => (await import("../features/resident/serve.ts")).serveCommand,
  "__shared-server": async () => (await import("../features/mcp-client/commands/shared-server.ts")).sharedServerCommand,
  __relay: async () => (await import("../features/confinement/commands/relay.ts")).relayCommand,
};
