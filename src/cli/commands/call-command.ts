// `dottool call NAME …`.
import { runTool } from "../call.ts";
import { type RawCommand, reportUsage } from "../command.ts";

export const callCommand: RawCommand = {
  kind: "raw",
  usage: ["call NAME [--param VALUE…] [key=value…] [-- WORD…]", "call NAME --json '{…}'", "call NAME --json -"],
  about:
    "Runs a tool. Every parameter is an option: `--name=value`, `--name value` and `name=value` mean the same, and `--no-name` means false. " +
    "Words without a name go to the required parameters in order. Repeat an option to fill an array; the rest of the words, and all words after `--`, go to the tool's only array parameter. " +
    "Objects are written as JSON. `--json` gives all arguments as one JSON object; `-` reads it from standard input. `dottool call NAME --help` shows a tool's parameters.",
  options: [],
  completes: "tools",
  examples: [
    ["dottool call glob -- . -name '*.ts'", "words for the only array parameter"],
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
