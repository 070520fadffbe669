// `dottool help`: shows help on dottool, a command or a tool.
import { exitCodes } from "../../core/run/exit-code.ts";
import { ownProgramName, DOTTOOL } from "../../core/text/program-name.ts";
import { type CommandContext, reportUsage, type WordsCommand } from "../command.ts";
import {
  type NamedSummary,
  writeAllHelp,
  writeCommandHelp,
  writeExitCodes,
  writeProgramHelp,
} from "../view/command-help.ts";
import { loadCommand } from "../commands.ts";
import { openSession } from "../session/open-session.ts";
import { isAtOrBelow } from "../../core/run/system-failure.ts";
import { firstSentence } from "../../core/text/first-sentence.ts";

export const helpCommand: WordsCommand = {
  kind: "words",
  usage: ["help [COMMAND|NAME]", "help --all", "help exit-codes"],
  about: "Shows help on dottool, a command or a tool.",
  options: [{ name: "all", does: "list every command and option" }],
  words: [0, Number.POSITIVE_INFINITY],
  completes: "commands",
  examples: [
    ["dottool help check", "help on a command"],
    ["dottool help glob", "help on a tool"],
    ["dottool help exit-codes", "what the exit codes mean"],
  ],
  run: async (input, context) => {
    const [name] = input.words;
    const port = context.terminal.output;
    if (input.has("all")) {
      if (name !== undefined)
        return reportUsage(context.terminal, `\`--all\` is for all commands; leave out \`${name}\``, "help");
      await writeAllHelp(port);
      return exitCodes.done;
    }
    const command = name === undefined ? undefined : await loadCommand(name);
    if (name === undefined) await writeProgramHelp(port, await teamTools(context));
    else if (command) await writeCommandHelp(port, command);
    else if (name === "exit-codes") await writeExitCodes(port);
    else return (await import("../call.ts")).runTool(name, { words: ["--help"], form: "call" }, context);
    return exitCodes.done;
  },
};

/** Returns the tools of the team whose executable this is, those of its plugins too. */
async function teamTools(context: CommandContext): Promise<readonly NamedSummary[]> {
  if (ownProgramName() === DOTTOOL) return [];
  const opened = await openSession(context, { isQuiet: true });
  if (typeof opened === "number") return [];
  await opened.loadPlugins();
  const folder = opened.host.bundle?.folder ?? "";
  const entries = opened
    .catalogue()
    .entries.filter(({ scope, resolution }) => scope === "bundle" && resolution.kind === "used");
  const ofPlugins = opened
    .pluginTools()
    .map(({ definition }) => definition)
    .filter(({ origin }) => origin.kind === "plugin" && isAtOrBelow(origin.path, folder))
    .map(({ name, description }) => ({ name: name.value, summary: firstSentence(description) }));
  return [...entries, ...ofPlugins].sort((a, b) => (a.name < b.name ? -1 : 1));
}
