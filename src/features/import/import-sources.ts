// From a file, a folder or an address to the texts of definitions.
import type { Host } from "../../core/tool/host.ts";
import type { ImporterSpec } from "../../core/tool/plugin-offers.ts";
import { formatOf, importFormats } from "./formats.ts";
import { type ImportedSource, type ImportedTool, Unreadable, type SourceText } from "./imported-tool.ts";
import { type AskHelp, helpTools } from "./help-tools.ts";
import { checkedTools, type LeftOut, type WrittenTool, writtenTools } from "./written-tools.ts";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { isSuccess, shownUrl } from "../web/web-failure.ts";
import { decodeSource, shownPathOf } from "../../core/catalog/load.ts";
import { codeOf } from "../../core/tool/error-code.ts";

export interface ImportedTools {
  readonly tools: readonly WrittenTool[];
  readonly leftOut: readonly LeftOut[];
  readonly notes: readonly string[];
  /** Text for the user's `config.yaml`; empty for none. */
  readonly settings: string;
  readonly next: readonly string[];
}

/** Why nothing is imported, and what would be. */
export class ImportRefusal extends Error {
  readonly help: string;
  readonly isMissing: boolean;

  constructor(message: string, help: string, { isMissing = false } = {}) {
    super(message);
    this.help = help;
    this.isMissing = isMissing;
  }
}

interface ImportOptions {
  readonly host: Host;
  /** Absolute. */
  readonly cwd: string;
  /** Names in the source; empty for all. */
  readonly only: ReadonlySet<string>;
  /** The address of the API that is described. */
  readonly server: string | undefined;
  /** Returns the formats that plugins add. */
  importers(): Promise<readonly ImporterSpec[]>;
  /** Returns the folder of a source as a tool has to name it; undefined if it need not. */
  folderOf(source: string): string | undefined;
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
  return importedFrom({
    format: "MCP server",
    tools: aliases.map((tool) => ({ name: tool.name, candidates: [tool] })),
    notes: [],
  });
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
  const imported = importedFrom(selected(source, only));
  requireSome(only, imported);
  return imported;
}

function importedFrom(source: ImportedSource): ImportedTools {
  return { ...writtenTools(source, { folder: undefined, taken: new Set() }), notes: [], settings: "", next: [] };
}

export async function importSources(wanted: string, options: ImportOptions): Promise<ImportedTools> {
  const all = { tools: [] as WrittenTool[], leftOut: [] as LeftOut[], notes: [] as string[], next: [] as string[] };
  let settings = "";
  const taken = new Set<string>();
  for (const source of await readSources(wanted, options)) {
    const imported = await importSource(source, options, taken);
    all.tools.push(...imported.tools);
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
  { server, only, importers, folderOf }: ImportOptions,
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
    return { ...writtenTools(imported, { folder, taken }), notes, settings, next };
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

// The files to import: one that is named, those of a folder whose names tell their format, or a page of the web.

/** The largest file that is read. Descriptions of whole APIs have several megabytes. */
const SOURCE_BYTES_MAX = 16 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const REDIRECTS_MAX = 5;

interface FoundSource extends SourceText {
  /** As shown to people. */
  readonly shownPath: string;
  /** The absolute folder of the file; absent for an address. */
  readonly folder?: string;
}

async function readSources(
  wanted: string,
  { host, cwd, folderOf }: Pick<ImportOptions, "host" | "cwd" | "folderOf">,
): Promise<readonly FoundSource[]> {
  if (/^https?:\/\//i.test(wanted)) return [await fetched(wanted, host)];
  const path = resolve(cwd, wanted);
  const stat = host.instant.stat(path);
  if (!stat)
    throw new ImportRefusal(`there is no file \`${wanted}\``, "give a file, a folder or an address", {
      isMissing: true,
    });
  const readFile = (file: string): FoundSource => {
    const folder = dirname(file);
    const shownPath = shownPathOf(file, cwd);
    const text = decoded(bytesOf(file, shownPath, host), shownPath);
    const beside = (other: string): string | undefined =>
      textBeside(join(folder, other), { within: [folder, cwd], host });
    const calledPath = folderOf(folder) === undefined ? "" : `${folderOf(folder)}/`;
    return {
      shownPath,
      fileName: basename(file),
      path: `${calledPath}${basename(file)}`,
      folder,
      text,
      neighbours: new Set(namesIn(folder, host)),
      beside,
      filesIn: (other) =>
        filesBelow(join(folder, other), host).map((one) => relative(folder, one).replaceAll(sep, "/")),
    };
  };
  if (stat.kind !== "folder") return [readFile(path)];
  const names = new Set(namesIn(path, host));
  const found = importFormats.flatMap(({ fileNames }) => fileNames.filter((name) => names.has(name)).slice(0, 1));
  const below = importFormats.flatMap(({ folders }) =>
    (folders?.paths ?? []).flatMap((folder) => {
      // The folder itself may be named, as `.claude/skills`.
      const start = path.endsWith(`${sep}${join(folder)}`) ? path : join(path, folder);
      return filesBelow(start, host).filter((file) => folders?.files.test(file.replaceAll(sep, "/")));
    }),
  );
  const paths = new Set([...found.map((name) => join(path, name)), ...below]);
  if (paths.size === 0)
    throw new ImportRefusal(
      `\`${shownPathOf(path, cwd)}\` has no file that can be imported`,
      `a folder may have ${importFormats.flatMap(({ fileNames }) => fileNames.slice(0, 1)).join(", ")}; other files are named one by one`,
      { isMissing: true },
    );
  return [...paths].map(readFile);
}

/** Only a file in one of these folders is read, since the source may be a stranger's. */
function textBeside(
  path: string,
  { within, host }: { readonly within: readonly string[]; readonly host: Host },
): string | undefined {
  if (host.instant.stat(path)?.kind !== "file") return undefined;
  const real = host.instant.realPath(path);
  if (!within.some((folder) => real.startsWith(`${host.instant.realPath(folder)}${sep}`))) return undefined;
  return decoded(bytesOf(real, path, host), path);
}

function bytesOf(path: string, shownPath: string, host: Host): Uint8Array {
  try {
    return host.instant.readBytes(path, SOURCE_BYTES_MAX + 1);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new ImportRefusal(`\`${shownPath}\` cannot be read: the system reports ${code}`, "check it with `ls -l`");
  }
}

function decoded(bytes: Uint8Array, shownPath: string): string {
  if (bytes.length > SOURCE_BYTES_MAX) throw tooLarge(shownPath);
  const source = decodeSource(shownPath, bytes);
  if ("code" in source)
    throw new ImportRefusal(`\`${shownPath}\` is not text: ${source.message}`, "import a text in UTF-8");
  return source.text;
}

function tooLarge(shownPath: string): ImportRefusal {
  return new ImportRefusal(`\`${shownPath}\` has more than ${SOURCE_BYTES_MAX} bytes`, "import a smaller file");
}

function namesIn(folder: string, host: Host): readonly string[] {
  try {
    return [...host.instant.names(folder)].sort();
  } catch {
    return [];
  }
}

/** Folders sort the files of some formats. */
function filesBelow(folder: string, host: Host, depth = 1): readonly string[] {
  return namesIn(folder, host).flatMap((name) => {
    const path = join(folder, name);
    if (host.instant.isLink(path)) return [];
    const { kind } = host.instant.stat(path) ?? {};
    return kind === "folder" && depth < DEPTH_MAX ? filesBelow(path, host, depth + 1) : kind === "file" ? [path] : [];
  });
}

const DEPTH_MAX = 3;

async function fetched(url: string, host: Host): Promise<FoundSource> {
  const result = await host.web.fetch({
    url,
    headers: {},
    signal: new AbortController().signal,
    bytesMax: SOURCE_BYTES_MAX,
    timeoutMs: TIMEOUT_MS,
    redirectsMax: REDIRECTS_MAX,
    // A person typed the address, so it may be one of this machine.
    allowedHosts: URL.canParse(url) ? [new URL(url).host] : [],
  });
  const shown = shownUrl(url);
  if (result.kind !== "response") {
    const reason = "reason" in result ? result.reason : `no answer after ${TIMEOUT_MS / 1_000} s`;
    const help = "help" in result ? (result.help[0] ?? "check the address") : "try again later";
    throw new ImportRefusal(`\`${shown}\` cannot be fetched: ${reason}`, help);
  }
  if (!isSuccess(result.status))
    throw new ImportRefusal(`\`${shown}\` answers with status ${result.status}`, "check the address");
  if (result.isCut) throw tooLarge(shown);
  const fileName = new URL(result.url).pathname.split("/").at(-1) ?? "";
  const text = decoded(result.body, shown);
  return { shownPath: shown, fileName, text, address: result.url, neighbours: new Set() };
}
