// `dottool run NAME …`: the same as `dottool NAME …`, also for a tool that has the name of a command.
import { callByName } from "../call.ts";
import { type RawCommand, reportUsage } from "../command.ts";

export const runCommand: RawCommand = {
  kind: "raw",
  usage: ["run NAME [ARG…]"],
  about:
    "Runs a tool, as `dottool NAME` does. Use it for a tool that has the same name as a command. `dottool run NAME --help` shows the parameters of the tool.",
  options: [],
  completes: "tools",
  examples: [
    ["dottool run glob . -name '*.ts'", "the same as `dottool glob . -name '*.ts'`"],
    ["dottool run test --help", "the parameters of your own tool `test`"],
  ],
  run: async (words, context) => {
    const [name] = words;
    if (name === undefined || name.startsWith("-"))
      return reportUsage(context.terminal, "`run` needs the name of a tool", "run");
    return callByName(words, context);
  },
};
