// `dottool install --deps`: adds the packages with the tools that a tool needs and that are not here.
import { addPackages } from "../install.ts";
import { findNeededTools, type FoundTool } from "../needed-tools.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import { type CommandContext, type CommandInput, reportUsage, writeJson } from "../../../cli/command.ts";
import type { PackagesSession } from "../packages-session.ts";
import { refusedByPerson } from "../../../cli/session/yes-or-no.ts";
import { writeAdded } from "../added-packages.ts";
import { ownedTool } from "../../../cli/words/find-tools.ts";
import { reportMissingTool } from "../../../cli/words/no-such-tool.ts";

export async function installDependencies(
  session: PackagesSession,
  asked: { readonly input: CommandInput; readonly context: CommandContext },
): Promise<number> {
  const { input, context } = asked;
  const { opened } = session;
  const { terminal } = context;
  if (input.words.length === 0)
    return reportUsage(terminal, "`--deps` needs the name of a tool, whose packages it installs", "install");
  const names: string[] = [];
  for (const word of input.words) {
    const entry = opened.catalogue().entry(word) ?? opened.catalogue().entry((await ownedTool(word, opened)) ?? "");
    // A whole name may be one of a package.
    if (entry ? entry.resolution.kind === "broken" : !word.includes("/"))
      return reportMissingTool(word, opened, context);
    names.push(entry?.name ?? word);
  }
  const found = await findNeededTools(names, opened.catalogue(), session);
  if (found.length === 0) {
    if (input.has("json")) writeJson(terminal, { packages: [] });
    else terminal.errors.write(`nothing is missing: all tools that ${quoted(names)} needs are here\n`);
    return exitCodes.done;
  }
  if (!input.has("json")) terminal.output.write(found.map(lineOf).join(""));
  const question = { text: "add these packages?", does: "adds them", notDone: "nothing was added" };
  const refused = await refusedByPerson(question, asked);
  if (refused !== undefined) return refused;
  await writeAdded(
    await addPackages(
      found.map((one) => one.found),
      session,
    ),
    session,
    asked,
  );
  return exitCodes.done;
}

function lineOf({ needed: { tool, range, by }, found: { manifest } }: FoundTool): string {
  const wanted = range === undefined ? tool : `${tool} ${range}`;
  const why = by === undefined ? "" : `, which \`${by}\` needs`;
  return `${printable(`${manifest.name}@${manifest.version} for the tool \`${wanted}\`${why}`)}\n`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `\`${printable(name)}\``).join(" and ");
}
