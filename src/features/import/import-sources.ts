// From a file, a folder or an address to the texts of definitions.
import type { Host } from "../../core/tool/host.ts";
import type { ImporterSpec } from "../../core/tool/plugin-offers.ts";
import { formatOf, importFormats } from "./formats.ts";
import { type ImportedSource, type ImportedTool, Unreadable, type SourceText } from "./imported-tool.ts";
import { type AskHelp, helpTools } from "./help-tools.ts";
import { checkedTools, type LeftOut, type WrittenTool, writtenTools } from "./written-tools.ts";
import { basename, dirname, join, resolve } from "node:path";
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
  /** The address of the API that is described. */
  readonly server: string | undefined;
  /** Returns the formats that plugins add. */
  importers(): Promise<readonly ImporterSpec[]>;
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
    const { fileName, text } = source;
    const importers = format ? [] : await options.importers();
    const importer = importers.find((one) => one.recognizes({ fileName, text }));
    const name = format?.name ?? importer?.name;
    if (name === undefined)
      return {
        problem: `the format of \`${source.shownPath}\` is not known`,
        help: `the known formats are ${[...importFormats, ...importers].map((one) => one.name).join(", ")}`,
      };
    const { server } = options;
    if (server !== undefined && name !== "OpenAPI")
      return {
        problem: `\`${source.shownPath}\` is read as ${name}, which has no server`,
        help: "`--server` is for descriptions of OpenAPI",
      };
    if (!format) {
      const given = (await importer?.read({ fileName, text })) ?? [];
      const written = checkedTools(
        given.filter((one) => options.only.size === 0 || options.only.has(one.name)),
        names,
      );
      tools.push(...written.tools);
      leftOut.push(...written.leftOut);
      continue;
    }
    const read = await format.load();
    try {
      const imported = selected(read(server === undefined ? source : { ...source, server }), options.only);
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

type FoundSources =
  | { readonly sources: readonly FoundSource[] }
  | { readonly problem: string; readonly help: string; readonly isMissing?: true };

async function readSources(
  wanted: string,
  { host, cwd }: { readonly host: Host; readonly cwd: string },
): Promise<FoundSources> {
  if (/^https?:\/\//i.test(wanted)) return fetched(wanted, host);
  const path = resolve(cwd, wanted);
  const stat = host.instant.stat(path);
  if (!stat)
    return { problem: `there is no file \`${wanted}\``, help: "give a file, a folder or an address", isMissing: true };
  if (stat.kind !== "folder") return readAll([path], { host, cwd });
  const names = await namesIn(path, host);
  const found = importFormats.flatMap(({ fileNames }) => fileNames.filter((name) => names.has(name)).slice(0, 1));
  const folders = importFormats.flatMap(({ folder }) => (folder === undefined ? [] : [folder]));
  const below = await Promise.all(folders.map((folder) => filesBelow(join(path, folder), host)));
  const paths = [...found.map((name) => join(path, name)), ...below.flat()];
  if (paths.length > 0) return readAll([...new Set(paths)], { host, cwd });
  return {
    problem: `\`${shownPathOf(path, cwd)}\` has no file that can be imported`,
    help: `a folder may have ${importFormats.flatMap(({ fileNames }) => fileNames.slice(0, 1)).join(", ")}; other files are named one by one`,
    isMissing: true,
  };
}

async function readAll(
  paths: readonly string[],
  { host, cwd }: { readonly host: Host; readonly cwd: string },
): Promise<FoundSources> {
  const sources: FoundSource[] = [];
  for (const path of paths) {
    const shownPath = shownPathOf(path, cwd);
    const text = textOf(path, shownPath, host);
    if ("problem" in text) return text;
    const neighbours = await namesIn(dirname(path), host);
    sources.push({ shownPath, fileName: basename(path), folder: dirname(path), text: text.text, neighbours });
  }
  return { sources };
}

function textOf(
  path: string,
  shownPath: string,
  host: Host,
): { readonly text: string } | { readonly problem: string; readonly help: string } {
  try {
    const bytes = host.instant.readBytes(path, SOURCE_BYTES_MAX + 1);
    return decoded(bytes, shownPath);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return { problem: `\`${shownPath}\` cannot be read: the system reports ${code}`, help: "check it with `ls -l`" };
  }
}

function decoded(
  bytes: Uint8Array,
  shownPath: string,
): { readonly text: string } | { readonly problem: string; readonly help: string } {
  if (bytes.length > SOURCE_BYTES_MAX)
    return { problem: `\`${shownPath}\` has more than ${SOURCE_BYTES_MAX} bytes`, help: "import a smaller file" };
  const source = decodeSource(shownPath, bytes);
  return "code" in source
    ? { problem: `\`${shownPath}\` is not text: ${source.message}`, help: "import a text in UTF-8" }
    : { text: source.text };
}

async function namesIn(folder: string, host: Host): Promise<ReadonlySet<string>> {
  try {
    return new Set((await host.files.list(folder)).map(({ name }) => name));
  } catch {
    return new Set();
  }
}

/** Folders sort the commands of Claude Code. */
async function filesBelow(folder: string, host: Host, depth = 1): Promise<readonly string[]> {
  const paths = [...(await namesIn(folder, host))].sort().map((name) => join(folder, name));
  const found = paths.map((path) => {
    if (path.endsWith(".md")) return [path];
    const isFolder = depth < DEPTH_MAX && host.instant.stat(path)?.kind === "folder" && !host.instant.isLink(path);
    return isFolder ? filesBelow(path, host, depth + 1) : [];
  });
  return (await Promise.all(found)).flat();
}

const DEPTH_MAX = 3;

async function fetched(url: string, host: Host): Promise<FoundSources> {
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
  if (result.kind !== "response")
    return {
      problem: `\`${shown}\` cannot be fetched: ${"reason" in result ? result.reason : `no answer after ${TIMEOUT_MS / 1_000} s`}`,
      help: "help" in result ? (result.help[0] ?? "check the address") : "try again later",
    };
  if (!isSuccess(result.status))
    return { problem: `\`${shown}\` answers with status ${result.status}`, help: "check the address" };
  if (result.isCut)
    return { problem: `\`${shown}\` has more than ${SOURCE_BYTES_MAX} bytes`, help: "import a smaller file" };
  const text = decoded(result.body, shown);
  if ("problem" in text) return text;
  const fileName = new URL(result.url).pathname.split("/").at(-1) ?? "";
  return { sources: [{ shownPath: shown, fileName, text: text.text, address: result.url, neighbours: new Set() }] };
}
