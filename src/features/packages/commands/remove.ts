// `dottool remove`: removes packages from a project, or from the user's own.
import { removePackages } from "../install.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import type { WordsCommand } from "../../../cli/command.ts";
import { changePackages, userOption } from "../packages-session.ts";

export const removeCommand: WordsCommand = {
  kind: "words",
  usage: ["remove PACKAGE… [--user]"],
  about: "Removes packages from the project and from its `dottool.lock`, and also the packages that only they needed.",
  options: [userOption],
  words: [1, 100],
  examples: [["dottool remove text-tools", "one package"]],
  run: (input, context) =>
    changePackages("remove", { input, context }, async (session) => {
      const removed = await removePackages(input.words, session);
      context.terminal.errors.write(removed.map((name) => `removed \`${printable(name)}\`\n`).join(""));
      return exitCodes.done;
    }),
};
