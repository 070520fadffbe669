// `dottool choose`: finds a tool as one types, asks for its arguments, shows the line that makes the same call, and
// makes it.
import { exitCodes } from "../../../core/run/exit-code.ts";
import { callLine } from "../../../core/run/call-line.ts";
import { maskedArguments } from "../../../core/schema/secrets.ts";
import { surveyTools } from "../../../core/session/listed-tool.ts";
import { inOwnName } from "../../../core/text/program-name.ts";
import type { WordsCommand } from "../../../cli/command.ts";
import { isCommandName } from "../../../cli/commands.ts";
import { findTool, runTool } from "../../../cli/call.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import { printableLines } from "../../../cli/view/layout.ts";
import { grouped } from "../../list/commands/list-tools.ts";
import { askArguments } from "../ask-arguments.ts";
import { openPrompts } from "../host/prompts.ts";

export const chooseCommand: WordsCommand = {
  kind: "words",
  usage: ["choose [WORD…]"],
  about:
    "Lets you pick a tool and asks for its arguments, with their choices and defaults. Then it shows the line that makes the same call, and makes it. Words are what the list is searched for at first.",
  options: [],
  words: [0, Number.POSITIVE_INFINITY],
  completes: "tools",
  examples: [["dottool choose", "pick one of your tools and run it"]],
  run: async ({ words }, context) => {
    const { terminal } = context;
    if (!terminal.input.isTerminal || !terminal.errors.isTerminal) {
      terminal.errors.write(
        inOwnName(
          "failed[usage]: `dottool choose` asks at a terminal, and there is none\n  = `dottool list` shows the tools, and `dottool NAME --help` what one takes\n",
        ),
      );
      return exitCodes.usage;
    }
    const opened = await openSession(context, { isQuiet: true });
    if (typeof opened === "number") return opened;
    const { listed } = await surveyTools(opened);
    const usable = grouped(listed).filter(({ unavailable }) => unavailable.length === 0);
    const prompts = openPrompts(terminal);
    const name = await prompts.find(
      "Which tool?",
      usable.map(({ name: value, summary, title }) => ({
        value,
        label: printableLines(value),
        hint: printableLines(summary === "" ? title : summary).replaceAll("\n", " "),
      })),
      words.join(" "),
    );
    if (name === undefined) return exitCodes.interrupted;
    const found = await findTool(name, { words: [], form: "call" }, { context, waiting: undefined });
    if (typeof found === "number") return found;
    if (!found.tool || (await found.opened.session.distrust?.(found.name))) {
      terminal.errors.write("not trusted\n");
      return exitCodes.denied;
    }
    const { parameters } = found.tool;
    const args = await askArguments(parameters, prompts);
    if (!args) return exitCodes.interrupted;
    const isCall = isCommandName(found.name);
    const shown = callLine(found.name, maskedArguments(args, parameters), { parameters, isCall });
    terminal.errors.write(`${inOwnName(shown)}\n`);
    return runTool(found.name, { words: ["--json", JSON.stringify(args)], form: "call" }, found.context);
  },
};
