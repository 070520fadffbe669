// `dottool install`: installs exactly what `dottool.lock` says.
import { installLocked } from "../../packages/install.ts";
import { LOCK_NAME } from "../../packages/lock.ts";
import { exitCodes } from "../../run/exit-code.ts";
import { printable } from "../../text/display.ts";
import { type WordsCommand, writeJson } from "../command.ts";
import { changePackages, userOption } from "../session/packages-session.ts";

export const installCommand: WordsCommand = {
  kind: "words",
  usage: ["install [--user] [--json]"],
  about:
    "Installs the packages of the project's `dottool.lock`, such as after `git clone` or `git pull`. " +
    "Everything is compared with the lock before anything is installed: content, version, and what the tools may do. What is here already is not fetched again.",
  options: [userOption, { name: "json", does: "as JSON" }],
  words: [0, 0],
  examples: [["dottool install", "the packages of this project"]],
  run: (input, context) =>
    changePackages("install", { input, context }, async (session) => {
      const installed = await installLocked(session);
      const { errors } = context.terminal;
      if (input.has("json")) writeJson(context.terminal, { packages: installed });
      else if (installed.length === 0) errors.write(`there are no packages in a \`${LOCK_NAME}\` here\n`);
      else
        errors.write(installed.map(({ name, version }) => `installed ${printable(`${name}@${version}`)}\n`).join(""));
      return exitCodes.done;
    }),
};
