// From a file, a folder or an address to the texts of definitions.
import type { ImporterSpec } from "../../core/tool/plugin-offers.ts";
import { formatOf, importFormats } from "./formats.ts";
import { type ImportedSource, type ImportedTool, Unreadable } from "./imported-tool.ts";
import { join, sep } from "node:path";
import { type FoundSource, ImportRefusal, type ReadOptions, readSources } from "./read-sources.ts";
import { type AskHelp, helpTools } from "./help-tools.ts";
import { checkedTools, type LeftOut, type WrittenTool, writtenTools } from "./written-tools.ts";
import { keyOf } from "./follow-source.ts";

export interface ImportedTools {
  readonly tools: readonly WrittenTool[];
  readonly leftOut: readonly LeftOut[];
  readonly notes: readonly string[];
  /** Text for the user's `config.yaml`; empty for none. */
  readonly settings: string;
  readonly next: readonly string[];
}

interface ImportOptions extends ReadOptions {
  /** Names in the source; empty for all. */
  readonly only: ReadonlySet<string>;
  /** The address of the API that is described. */
  readonly server: string | undefined;
  /** Returns the formats that plugins add. */
  importers(): Promise<readonly ImporterSpec[]>;
  /** What was imported before, by `keyOf`. */
  readonly before: ReadonlyMap<string, { readonly name: string }>;
}

/** Tools of an MCP server under their own names; descriptions and parameters are the server's. */
export function importRemoteTools(server: string, tools: readonly string[]): ImportedTools {
  if (tools.length === 0)
    throw new ImportRefusal(`no tool of the MCP server \`${server}\` is pinned`, `run: dottool pin ${server}`, {
      isMissing: true,
    });
  const aliases = tools.map((name): ImportedTool => {
    const runs = { kind: "wraps", tool: `mcp:${server}/${name}`, presets: [] } as const;
    return { name, description: "", parameters: [], runs, notes: [] };
  });
  const source = {
    format: "MCP server",
    tools: aliases.map((tool) => ({ name: tool.name, candidates: [tool] })),
    notes: [],
  };
  return importedFrom(source, `mcp:${server}`);
}

/** The commands of a program, by what it prints for `--help`. */
export async function importHelp(
  words: readonly string[],
  { only, ask }: { readonly only: ReadonlySet<string>; readonly ask: AskHelp },
): Promise<ImportedTools> {
  const source = await helpTools(words, ask);
  if (!source)
    throw new ImportRefusal(`\`${words.join(" ")} --help\` prints nothing`, "check the name of the program", {
      isMissing: true,
    });
  const imported = importedFrom(selected(source, only), `help of ${words.join(" ")}`);
  requireSome(only, imported);
  return imported;
}

function importedFrom(source: ImportedSource, name: string): ImportedTools {
  const { tools, leftOut } = writtenTools(source, { folder: undefined, taken: new Set() });
  return { tools: tools.map((tool) => ({ ...tool, source: name })), leftOut, notes: [], settings: "", next: [] };
}

export async function importSources(wanted: string, options: ImportOptions): Promise<ImportedTools> {
  const all = { tools: [] as WrittenTool[], leftOut: [] as LeftOut[], notes: [] as string[], next: [] as string[] };
  let settings = "";
  const taken = new Set([...options.before.values()].map(({ name }) => name.toLowerCase()));
  for (const source of await readSources(wanted, options)) {
    const imported = await importSource(source, options, taken);
    all.tools.push(...imported.tools.map((tool) => ({ ...tool, source: source.path ?? source.shownPath })));
    all.leftOut.push(...imported.leftOut);
    all.notes.push(...imported.notes.map((note) => `${source.shownPath}: ${note}`));
    all.next.push(...imported.next);
    settings += imported.settings;
  }
  if (settings === "") requireSome(options.only, all);
  const { tools, leftOut, notes, next } = all;
  return { tools, leftOut, notes, settings, next };
}

/** `taken` are names of tools of other sources; those of this one are added. */
async function importSource(
  source: FoundSource,
  { server, only, importers, folderOf, before }: ImportOptions,
  taken: Set<string>,
): Promise<ImportedTools> {
  const { fileName, text, shownPath } = source;
  const format = formatOf(source);
  const added = format ? [] : await importers();
  const importer = added.find((one) => one.recognizes({ fileName, text }));
  const name = format?.name ?? importer?.name;
  if (name === undefined && /^mcp:/m.test(text) && /^\s+tools:/m.test(text))
    throw new ImportRefusal(
      `\`${shownPath}\` is a file of MCPShell, which is not imported`,
      "write each tool as a `.tool` file: its `command` as `@command`, its `params` as `@param` lines",
    );
  if (name === undefined)
    throw new ImportRefusal(
      `the format of \`${shownPath}\` is not known`,
      `the known formats are ${[...importFormats, ...added].map((one) => one.name).join(", ")}`,
    );
  if (server !== undefined && name !== "OpenAPI")
    throw new ImportRefusal(
      `\`${shownPath}\` is read as ${name}, which has no server`,
      "`--server` is for descriptions of OpenAPI",
    );
  if (!format) {
    const given = ((await importer?.read({ fileName, text })) ?? []).filter(
      (one) => only.size === 0 || only.has(one.name),
    );
    return { ...checkedTools(given, taken), notes: [], settings: "", next: [] };
  }
  const read = await format.load();
  try {
    const imported = selected(read(server === undefined ? source : { ...source, server }), only);
    const folder =
      source.folder === undefined || format.isAnywhere ? undefined : folderOf(projectOf(source.folder, format));
    const { notes, settings = "", next = [] } = imported;
    const known = (original: string): string | undefined =>
      before.get(keyOf({ source: source.path ?? shownPath, original }))?.name;
    return { ...writtenTools(imported, { folder, taken, known }), notes, settings, next };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new ImportRefusal(`\`${shownPath}\` cannot be read as ${name}: ${error.message}`, "correct the file");
  }
}

/** Returns the folder in which the tools of a file run: the one above the folder of its format. */
function projectOf(folder: string, { folders }: (typeof importFormats)[number]): string {
  const at = (folders?.paths ?? [])
    .map((one) => `${folder}${sep}`.indexOf(`${sep}${join(one)}${sep}`))
    .find((one) => one > 0);
  return at === undefined ? folder : folder.slice(0, at);
}

function selected(source: ImportedSource, only: ReadonlySet<string>): ImportedSource {
  return only.size === 0 ? source : { ...source, tools: source.tools.filter(({ name }) => only.has(name)) };
}

function requireSome(only: ReadonlySet<string>, { tools, leftOut }: Pick<ImportedTools, "tools" | "leftOut">): void {
  const known = new Set([...tools, ...leftOut].map(({ original }) => original));
  const unknown = [...only].find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new ImportRefusal(`the source has no \`${unknown}\``, "run it with `--print` to see all", {
      isMissing: true,
    });
  if (known.size === 0)
    throw new ImportRefusal("the source has nothing to import", "it has no scripts, recipes or tasks", {
      isMissing: true,
    });
}
