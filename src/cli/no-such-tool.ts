// A name that is no tool: misspelled, or a definition that has errors, which are shown then.
import { DEFINITION_ENDING } from "../catalog/discover.ts";
import { resolve } from "node:path";
import type { CatalogueEntry } from "../catalog/entry.ts";
import { quoteWord } from "../base/quote.ts";
import { exitCodes } from "../run/exit-code.ts";
import { failureText } from "../run/failure-text.ts";
import { nearestNames } from "../text/suggest.ts";
import type { CommandContext } from "./command.ts";
import { commands, isCommandName } from "./commands.ts";
import { lostPluginsText } from "./lost-plugins.ts";
import { openSession, type OpenedSession } from "./open-session.ts";
import { printable } from "./layout.ts";
import { renderAll } from "./diagnostics-text.ts";

export async function reportMissingTool(name: string, opened: OpenedSession, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const { session } = opened;
  const catalogue = opened.catalogue();
  const entry = catalogue.entry(name);
  const diagnostics = entry ? [...(await catalogue.diagnosticsOf(entry)), ...(await opened.buildDiagnostics(name))] : [];
  if (diagnostics.length > 0) {
    terminal.errors.write(`${await renderAll(diagnostics, terminal.errors)}failed[definition]: \`${name}\` cannot run until its definition is mended\n`);
    return exitCodes.definitions;
  }
  // A mistyped command is as likely as a mistyped tool, unless a tool was asked for by `call`.
  const known = [...session.registry.names(), ...commands.map((command) => command.name)].filter((one) => one !== name);
  // An owner that was left out is a surer guess than a name that looks alike.
  const owned = known.filter((one) => one.endsWith(`/${name}`));
  terminal.errors.write(`${printable(failureText({ kind: "unknown-tool", name, nearest: owned.length > 0 ? owned : nearestNames(name, known) }, { audience: "person", tool: name }))}\n`);
  terminal.errors.write(await lostPluginsText(opened));
  // Somebody who names a file wants the tool in it.
  const file = resolve(opened.cwd, name);
  if (DEFINITION_ENDING.test(name) && opened.host.instant.stat(file)) terminal.errors.write(`  = to call the tool in that file: ${printable(await lineFor(file, name, { opened, context }))}\n`);
  return exitCodes.missing;
}

/** `--tools` only where the file is not among the tools anyway. */
async function lineFor(file: string, shown: string, { opened, context }: { readonly opened: OpenedSession; readonly context: CommandContext }): Promise<string> {
  const entriesIn = (session: OpenedSession): readonly CatalogueEntry[] => session.catalogue().entries.filter((entry) => session.catalogue().absolutePathOf(entry) === file);
  const used = entriesIn(opened).find(({ standing }) => standing.kind === "used");
  if (used) return `dottool ${isCommandName(used.name) ? "call " : ""}${used.name}`;
  const wider = await openSession({ ...context, options: { ...context.options, toolFolders: [...context.options.toolFolders, file] } }, { isQuiet: true });
  const [entry] = typeof wider === "number" ? [] : entriesIn(wider);
  return `dottool --tools ${quoteWord(shown)} ${entry?.name ?? "NAME"}`;
}
