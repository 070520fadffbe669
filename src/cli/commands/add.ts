// `dottool add`: adds packages of tools to a project, or to the user's own.
import { isApproved, readInstalled } from "../../catalog/installed-packages.ts";
import { approveCommand } from "../../catalog/unapproved-packages.ts";
import { addPackages } from "../../packages/install.ts";
import { sourceOfWord } from "../../packages/source.ts";
import { exitCodes } from "../../run/exit-code.ts";
import { printable } from "../../text/display.ts";
import { type WordsCommand, writeJson } from "../command.ts";
import { changePackages, userOption } from "../session/packages-session.ts";
import { installedText } from "../view/package-text.ts";

export const addCommand: WordsCommand = {
  kind: "words",
  usage: ["add PACKAGE… [--user] [--json]"],
  about:
    "Adds packages to the project, and locks in `dottool.lock` what was added and what it may do. PACKAGE is a folder with a `package.json`, or a `.tgz` file. " +
    "Their tools are called as OWNER/NAME, run in the sandbox until you approve of the package, and none of their install scripts run.",
  options: [userOption, { name: "json", does: "as JSON" }],
  words: [1, 100],
  examples: [
    ["dottool add ./text-tools", "a folder"],
    ["dottool add ../team-tools-1.2.0.tgz", "what `npm pack` has made"],
  ],
  run: (input, context) =>
    changePackages("add", { input, context }, async (session) => {
      const { host, folder, opened } = session;
      const sources = input.words.map((word) => sourceOfWord(word, { cwd: opened.cwd, host }));
      const added = await addPackages(sources, session);
      if (input.has("json")) {
        writeJson(context.terminal, { packages: added });
        return exitCodes.done;
      }
      const { output, errors } = context.terminal;
      output.write(added.map(installedText).join("\n"));
      const { packages: installed } = readInstalled(folder, host);
      for (const { name } of added)
        if (!installed.some((one) => one.name === name && isApproved(one.content, host)))
          errors.write(
            printable(`its tools run in the sandbox; \`${approveCommand(name)}\` shows what they run, and asks you`) +
              "\n",
          );
      return exitCodes.done;
    }),
};
