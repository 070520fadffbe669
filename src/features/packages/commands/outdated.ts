// `dottool outdated`: which packages have newer versions.
import { outdatedPackages, type OutdatedPackage } from "../outdated.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import { type WordsCommand, writeJson } from "../../../cli/command.ts";
import { readPackages, userOption } from "../packages-session.ts";

export const outdatedCommand: WordsCommand = {
  kind: "words",
  usage: ["outdated [--user] [--json]"],
  about:
    "Lists the packages of which there is a newer version, with the one that `update` would install, and those whose version its author has deprecated. Exits with 1 if there are any.",
  options: [userOption, { name: "json", does: "print as JSON" }],
  words: [0, 0],
  examples: [["dottool outdated", "the packages of this project"]],
  run: (input, context) =>
    readPackages({ input, context }, async (session) => {
      const found = await outdatedPackages(session);
      const { output, errors } = context.terminal;
      if (input.has("json")) writeJson(context.terminal, { packages: found });
      else if (found.length === 0) errors.write("no package has a newer version\n");
      else output.write(found.map(lineOf).join(""));
      return found.length === 0 ? exitCodes.done : exitCodes.failed;
    }),
};

function lineOf({ name, current, wanted, latest, deprecated }: OutdatedPackage): string {
  const parts = [
    `${name} ${current}`,
    ...(wanted === current ? [] : [`\`dottool update\` installs ${wanted}`]),
    ...(latest === wanted ? [] : [`the latest is ${latest}`]),
    ...(deprecated === undefined ? [] : [`deprecated: ${deprecated}`]),
  ];
  return `${printable(parts.join("; "))}\n`;
}
