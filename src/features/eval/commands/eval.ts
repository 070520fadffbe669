// `dottool eval`: whether what people ask for leads to the right tool.
import { type CommandContext, type CommandInput, reportUsage, type WordsCommand } from "../../../cli/command.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import { projectAsks } from "../project-asks.ts";

export const evalCommand: WordsCommand = {
  kind: "words",
  usage: ["eval --offline [NAME…] [--json]"],
  about:
    "Finds out whether what people ask for leads to the right tool. Each `@ask` of a definition is one such text, with the arguments that are meant. " +
    "`--offline` needs no model: it says where the search finds the tool of each ask among all tools, and what descriptions lack for a model. These are hints: the exit code is 0.",
  options: [
    { name: "offline", does: "without a model: the rank of each ask in the search, and hints about descriptions" },
    { name: "json", does: "print as JSON" },
  ],
  words: [0, Number.POSITIVE_INFINITY],
  completes: "tools",
  examples: [["dottool eval --offline", "how well your tools are found"]],
  run: evaluate,
};

async function evaluate(input: CommandInput, context: CommandContext): Promise<number> {
  const { terminal } = context;
  if (!input.has("offline")) return reportUsage(terminal, "`eval` needs `--offline`", "eval");
  const opened = await openSession(context);
  if (typeof opened === "number") return opened;
  const asked = await projectAsks(opened, input.words);
  if ("unknown" in asked) {
    terminal.errors.write(
      `failed[missing]: this project has no tool \`${printable(asked.unknown)}\`\n  = \`dottool list\` lists the tools\n`,
    );
    return exitCodes.missing;
  }
  const { evaluateOffline } = await import("../offline.ts");
  return evaluateOffline(asked, { names: input.words, isJson: input.has("json") }, context);
}
