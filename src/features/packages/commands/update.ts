// `dottool update`: replaces packages by the newest versions that fit.
import { updatePackages } from "../install.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import type { WordsCommand } from "../../../cli/command.ts";
import { changePackages, userOption } from "../packages-session.ts";
import { writeAdded } from "../added-packages.ts";

export const updateCommand: WordsCommand = {
  kind: "words",
  usage: ["update [PACKAGE…] [--user] [--json]"],
  about:
    "Replaces packages by the newest versions that fit the range with which they were added, and those of git by the newest commit of their branch. " +
    "Shows what a new version may do that the old one could not. An approval counts for one content, so a new version runs in the sandbox until you approve it.",
  options: [userOption, { name: "json", does: "print as JSON" }],
  words: [0, 100],
  examples: [
    ["dottool update", "all packages"],
    ["dottool update @team/text", "one of them"],
  ],
  run: (input, context) =>
    changePackages("update", { input, context }, async (session) => {
      const updated = await updatePackages(input.words, session);
      await writeAdded(updated, session, { input, context });
      if (updated.length === 0 && !input.has("json")) context.terminal.errors.write("no package has a newer version\n");
      return exitCodes.done;
    }),
};
