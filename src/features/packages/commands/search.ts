// `dottool search`: finds packages of tools in the registry.
import { searchPackages } from "../search.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import { type WordsCommand, writeJson } from "../../../cli/command.ts";
import { readPackages } from "../packages-session.ts";

export const searchCommand: WordsCommand = {
  kind: "words",
  usage: ["search QUERY… [--json]"],
  about:
    "Finds packages of tools in the registry that npm uses: those with the keyword `dottool`. `dottool list QUERY` finds the tools that you have.",
  options: [{ name: "json", does: "print as JSON" }],
  words: [1, 100],
  examples: [["dottool search translate", "packages with tools that translate"]],
  run: (input, context) =>
    readPackages({ input, context }, async ({ host }) => {
      const found = await searchPackages(input.words.join(" "), host);
      if (input.has("json")) writeJson(context.terminal, { packages: found });
      else if (found.length === 0) context.terminal.errors.write("no package matches\n");
      else
        context.terminal.output.write(
          found
            .map(({ name, version, description }) => `${printable(`${name}@${version}  ${description}`).trimEnd()}\n`)
            .join(""),
        );
      return exitCodes.done;
    }),
};
