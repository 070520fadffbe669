// `dottool install`: installs exactly what `dottool.lock` says.
import { type InstalledNow, installLocked } from "../install.ts";
import { LOCK_NAME } from "../lock.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import { reportUsage, type WordsCommand, writeJson } from "../../../cli/command.ts";
import { addWords } from "./add.ts";
import { changePackages, userOption } from "../packages-session.ts";
import { askToApprove } from "../added-packages.ts";
import { leftOutText, powersLines, rulesLines } from "../package-text.ts";

export const installCommand: WordsCommand = {
  kind: "words",
  usage: [
    "install [--frozen] [--user] [--json]",
    "install PACKAGE… [--user] [--json]",
    "install --deps TOOL… [--yes] [--user] [--json]",
  ],
  about:
    "Installs the packages in the project's `dottool.lock`, for example after `git clone` or `git pull`. " +
    "The content, the version and what the tools may do are compared with the lock before anything is installed. Packages that are already here are not fetched again. With PACKAGE, does what `add` does. " +
    "With `--deps`, finds the packages with the tools that TOOL needs and that are not here, and those that these need; shows them, and asks.",
  options: [
    { name: "frozen", does: "for CI: never change the lock, and fail if it is missing or incomplete" },
    { name: "deps", does: "add what the named tools need, from the registry that npm uses" },
    { name: "yes", does: "add it without a question, as in CI" },
    userOption,
    { name: "json", does: "print as JSON" },
  ],
  words: [0, 100],
  examples: [
    ["dottool install", "the packages of this project"],
    ["dottool install --deps translate_all", "the packages with the tools that `translate_all` needs"],
    ["dottool install --frozen", "the same in CI, where the lock must not change"],
  ],
  run: (input, context) =>
    changePackages("install", { input, context }, async (session) => {
      if (input.has("deps"))
        return input.has("frozen")
          ? reportUsage(
              context.terminal,
              "`--deps` changes the lock, and `--frozen` keeps it; leave one out",
              "install",
            )
          : (await import("./install-deps.ts")).installDependencies(session, { input, context });
      if (input.has("yes")) return reportUsage(context.terminal, "`--yes` is for `--deps`; leave it out", "install");
      if (input.words.length > 0)
        return input.has("frozen")
          ? reportUsage(context.terminal, "`--frozen` installs what the lock says; leave out the packages", "install")
          : addWords(session, { input, context });
      const installed = await installLocked(session, { isFrozen: input.has("frozen") });
      const { errors } = context.terminal;
      if (input.has("json")) writeJson(context.terminal, { packages: installed });
      else if (installed.length === 0) errors.write(`there are no packages in a \`${LOCK_NAME}\` here\n`);
      else {
        errors.write(installed.map(installedLines).join(""));
        await askToApprove(installed, session, context.terminal);
      }
      return exitCodes.done;
    }),
};

function installedLines(installed: InstalledNow): string {
  const { name, version, may, rules } = installed;
  const powers = powersLines(may).map((line) => `  ${line}`);
  const lines = [`installed ${name}@${version}`, ...powers, ...rulesLines(rules)];
  return lines.map((line) => `${printable(line)}\n`).join("") + leftOutText(installed);
}
