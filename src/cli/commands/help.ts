// `dottool help`: shows help on dottool, a command or a tool.
import { exitCodes } from "../../core/run/exit-code.ts";
import { programName, DOTTOOL } from "../../core/text/program-name.ts";
import type { CommandContext, WordsCommand } from "../command.ts";
import { writeCommandHelp, writeProgramHelp } from "../view/command-help.ts";
import { loadCommand } from "../commands.ts";
import { openSession } from "../session/open-session.ts";
import type { CatalogueEntry } from "../../core/catalog/entry.ts";

export const helpCommand: WordsCommand = {
  kind: "words",
  usage: ["help [COMMAND|NAME]"],
  about: "Shows help on dottool, a command or a tool.",
  options: [],
  words: [0, Number.POSITIVE_INFINITY],
  completes: "commands",
  examples: [
    ["dottool help check", "help on a command"],
    ["dottool help glob", "help on a tool"],
  ],
  run: async ({ words: [name] }, context) => {
    const port = context.terminal.output;
    const command = name === undefined ? undefined : await loadCommand(name);
    if (name === undefined) await writeProgramHelp(port, await teamTools(context));
    else if (command) await writeCommandHelp(port, command);
    else return (await import("../call.ts")).runTool(name, { words: ["--help"], form: "call" }, context);
    return exitCodes.done;
  },
};

/** Returns the tools of the team whose executable this is. */
async function teamTools(context: CommandContext): Promise<readonly CatalogueEntry[]> {
  if (programName() === DOTTOOL) return [];
  const opened = await openSession(context, { withoutPlugins: true, isForLists: true, isQuiet: true });
  if (typeof opened === "number") return [];
  return opened.catalogue().entries.filter(({ scope, resolution }) => scope === "bundle" && resolution.kind === "used");
}
