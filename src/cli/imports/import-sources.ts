// From a file, a folder or an address to the texts of definitions.
import type { Host } from "../../tool/host.ts";
import { formatOf, importFormats } from "./formats.ts";
import { type ImportedSource, type ImportedTool, Unreadable } from "./imported-tool.ts";
import { type AskHelp, helpTools } from "./help-tools.ts";
import { readSources } from "./read-sources.ts";
import { type LeftOut, type WrittenTool, writtenTools } from "./written-tools.ts";

export interface ImportedTools {
  readonly tools: readonly WrittenTool[];
  readonly leftOut: readonly LeftOut[];
  readonly notes: readonly string[];
  /** Text for the user's `config.yaml`; empty for none. */
  readonly settings: string;
  readonly next: readonly string[];
}

export interface ImportProblem {
  readonly problem: string;
  readonly help: string;
  readonly isMissing?: true;
}

interface ImportOptions {
  readonly host: Host;
  /** Absolute. */
  readonly cwd: string;
  /** Names in the source; empty for all. */
  readonly only: ReadonlySet<string>;
  /** Returns the folder of a source as a tool has to name it; undefined if it need not. */
  folderOf(source: string): string | undefined;
}

/** Tools of an MCP server under their own names. */
export function importRemoteTools(server: string, tools: readonly string[]): ImportedTools | ImportProblem {
  if (tools.length === 0)
    return {
      problem: `no tool of the MCP server \`${server}\` is pinned`,
      help: `run: dottool pin ${server}`,
      isMissing: true,
    };
  const source: ImportedSource = {
    format: "MCP server",
    tools: tools.map((name) => ({ name, candidates: [remoteAlias(server, name)] })),
    notes: [],
  };
  return { ...writtenTools(source, { folder: undefined, taken: new Set() }), notes: [], settings: "", next: [] };
}

/** It takes its description and parameters from the server. */
function remoteAlias(server: string, name: string): ImportedTool {
  return {
    name,
    description: "",
    parameters: [],
    runs: { kind: "wraps", tool: `mcp:${server}/${name}`, presets: [] },
    notes: [],
  };
}

/** The commands of a program, by what it prints for `--help`. */
export async function importHelp(
  words: readonly string[],
  { only, ask }: { readonly only: ReadonlySet<string>; readonly ask: AskHelp },
): Promise<ImportedTools | ImportProblem> {
  const source = await helpTools(words, ask);
  if (!source)
    return {
      problem: `\`${words.join(" ")} --help\` prints nothing`,
      help: "check the name of the program",
      isMissing: true,
    };
  const { tools, leftOut } = writtenTools(selected(source, only), { folder: undefined, taken: new Set() });
  return nothingOf(only, tools, leftOut) ?? { tools, leftOut, notes: [], settings: "", next: [] };
}

export async function importSources(wanted: string, options: ImportOptions): Promise<ImportedTools | ImportProblem> {
  const found = await readSources(wanted, options);
  if ("problem" in found) return found;
  const tools: WrittenTool[] = [];
  const leftOut: LeftOut[] = [];
  const notes: string[] = [];
  const next: string[] = [];
  let settings = "";
  const names = new Set<string>();
  for (const source of found.sources) {
    const format = formatOf(source);
    if (!format)
      return {
        problem: `the format of \`${source.shownPath}\` is not known`,
        help: `the known formats are ${importFormats.map(({ name }) => name).join(", ")}`,
      };
    const read = await format.load();
    try {
      const imported = selected(read(source), options.only);
      const written = writtenTools(imported, {
        folder: source.folder === undefined || format.isAnywhere ? undefined : options.folderOf(source.folder),
        taken: names,
      });
      tools.push(...written.tools);
      leftOut.push(...written.leftOut);
      settings += imported.settings ?? "";
      next.push(...(imported.next ?? []));
      notes.push(...imported.notes.map((note) => `${source.shownPath}: ${note}`));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return {
        problem: `\`${source.shownPath}\` cannot be read as ${format.name}: ${error.message}`,
        help: "correct the file",
      };
    }
  }
  const nothing = settings === "" ? nothingOf(options.only, tools, leftOut) : undefined;
  return nothing ?? { tools, leftOut, notes, settings, next };
}

function selected(source: ImportedSource, only: ReadonlySet<string>): ImportedSource {
  return only.size === 0 ? source : { ...source, tools: source.tools.filter(({ name }) => only.has(name)) };
}

function nothingOf(
  only: ReadonlySet<string>,
  tools: readonly WrittenTool[],
  leftOut: readonly LeftOut[],
): ImportProblem | undefined {
  const known = new Set([...tools, ...leftOut].map(({ original }) => original));
  const unknown = [...only].find((name) => !known.has(name));
  if (unknown !== undefined)
    return { problem: `the source has no \`${unknown}\``, help: "run it with `--print` to see all", isMissing: true };
  if (known.size === 0)
    return {
      problem: "the source has nothing to import",
      help: "it has no scripts, recipes or tasks",
      isMissing: true,
    };
  return undefined;
}
