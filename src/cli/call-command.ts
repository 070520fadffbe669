// `dottool call NAME …`.
import { runTool } from "./call.ts";
import { type RawCommand, reportUsage } from "./command.ts";

export const callCommand: RawCommand = {
  kind: "raw",
  usage: ["call NAME [--param VALUE…] [key=value…] [-- WORD…]", "call NAME --json '{…}'", "call NAME --json -"],
  about:
    "Runs a tool. Every parameter is an option; `--name=value`, `--name value` and `name=value` say the same, `--no-name` is false. " +
    "An option given several times fills an array. Words that name no parameter, and all words behind `--`, fill the one array parameter. " +
    "Objects are written as JSON. `--json` gives the arguments as a model would; with `-` they are read from standard input. `dottool call NAME --help` shows what a tool takes.",
  options: [],
  completes: "tools",
  examples: [
    ["dottool call glob -- . -name '*.ts'", "words for the one array parameter"],
    ["dottool call Read --file_path README.md end_line=5", "two ways to give a parameter"],
    ['echo \'{"pattern": "TODO"}\' | dottool call grep --json -', "arguments as JSON"],
  ],
  run: async (words, context) => {
    const [name, ...own] = words;
    if (name === undefined || name.startsWith("-"))
      return reportUsage(context.terminal, "`call` needs the name of a tool", "call");
    return runTool(name, { words: own, form: "call" }, context);
  },
};
