// The tools that an export describes: those of the folder, of its project's packages, and of the plugins of both, which
// are known once the plugins have run. They do only if they are trusted.
import { dirname } from "node:path";
import { quoteWord } from "../../core/base/quote.ts";
import type { PluginDiagnostic } from "../../core/tool/loaded-plugins.ts";
import type { ExporterSpec } from "../../core/tool/plugin-offers.ts";
import type { CommandContext } from "../../cli/command.ts";
import { openSession } from "../../cli/session/open-session.ts";
import type { SharedFolder } from "../bundle/shared-folder.ts";
import type { ExportedTool } from "./facts.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import { firstSentence } from "../../core/text/first-sentence.ts";
import { forModels } from "../../core/text/hidden-characters.ts";
import type { TerminalPort } from "../../core/tool/terminal.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { ToolRegistry } from "../../core/tool/registry.ts";
import { writeToolHelp } from "../../cli/view/tool-help.ts";

interface DescribedTools {
  readonly tools: readonly ExportedTool[];
  /** What is not described, each with the reason and lines of help. */
  readonly notes: readonly (readonly string[])[];
}

/** Returns an exit code if there is no folder to work in; the reason has been printed. */
export async function describedTools(folder: SharedFolder, context: CommandContext): Promise<DescribedTools | number> {
  const { toolNames, opened, path } = folder;
  const ofPlugins = hasPlugins(folder) ? await pluginTools(folder, context) : undefined;
  if (typeof ofPlugins === "number") return ofPlugins;
  const names = [...toolNames, ...(ofPlugins?.names ?? [])];
  const tools = await toolHelps(names, [opened, ...(ofPlugins ? [ofPlugins.opened] : [])]);
  const known = new Set(tools.map(({ name }) => name));
  return {
    tools,
    notes: [
      ...(ofPlugins?.diagnostics ?? []).map(({ message, help }) => [
        `the tools of a plugin are not described: ${message}`,
        ...help,
      ]),
      ...names
        .filter((name) => !known.has(name))
        .map((name) => [`\`${name}\` is not described`, `\`dottool check ${quoteWord(path)}\` shows what it lacks`]),
    ],
  };
}

/** Returns the forms that plugins add; an exit code if there is no folder to work in. */
export async function pluginExporters(context: CommandContext): Promise<readonly ExporterSpec[] | number> {
  const opened = await openSession(context);
  if (typeof opened === "number") return opened;
  await opened.session.registry.complete();
  return opened.pluginOffers().exporters;
}

/** Whether there are plugins in the folder, or in a package of its project. */
export function hasPlugins({ opened, holds }: SharedFolder): boolean {
  return opened.catalogue().plugins.some(({ path }) => holds(path));
}

interface PluginTools {
  readonly names: readonly string[];
  /** The session in which they run. */
  readonly opened: OpenedSession;
  /** Why plugins were not loaded. */
  readonly diagnostics: readonly PluginDiagnostic[];
}

async function pluginTools(
  { path, holds, toolNames }: SharedFolder,
  context: CommandContext,
): Promise<PluginTools | number> {
  // Not with `--tools`: to name a folder here is not to trust it.
  const options = { ...context.options, toolFolders: [], cwd: dirname(path) };
  const opened = await openSession(
    { ...context, options },
    { isQuiet: true, lookedAtFolders: [{ scope: "project", path }] },
  );
  if (typeof opened === "number") return opened;
  const diagnostics = (await opened.pluginDiagnostics()).filter(({ plugin }) => holds(plugin));
  const made = opened
    .pluginTools()
    .filter(({ definition: { origin } }) => origin.kind === "plugin" && holds(origin.path))
    .map(({ definition }) => definition.name.value);
  const catalogue = opened.catalogue();
  const contributed = catalogue.entries.filter(
    (entry) =>
      entry.resolution.kind === "used" &&
      !toolNames.includes(entry.name) &&
      holds(catalogue.absolutePathOf(entry) ?? ""),
  );
  return { names: [...made, ...contributed.map(({ name }) => name)], opened, diagnostics };
}

// Tools as `--help` describes them.

const COLUMNS = 100;

/** Each tool is that of the first session that knows it. Leaves out what none can build. */
export async function toolHelps(
  names: readonly string[],
  sessions: readonly OpenedSession[],
): Promise<readonly ExportedTool[]> {
  const all: ExportedTool[] = [];
  for (const name of names)
    for (const { session } of sessions) {
      const tool = await session.registry.resolve(name);
      if (!tool) continue;
      all.push(await described(name, tool, session.registry));
      break;
    }
  return all;
}

async function described(name: string, tool: Tool, registry: ToolRegistry): Promise<ExportedTool> {
  let help = "";
  const port: TerminalPort = {
    isTerminal: false,
    hasColor: false,
    movesCursor: false,
    columns: COLUMNS,
    rows: Number.POSITIVE_INFINITY,
    write: (text) => void (help += String(text)),
  };
  await writeToolHelp(port, { name, tool, registry });
  const { description, title } = tool.definition;
  return { name, tool, summary: forModels(firstSentence(description) || title), help };
}
