// The files to import: one that is named, those of a folder whose names tell their format, or a page of the web.
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { decodeSource, shownPathOf } from "../../core/catalog/load.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host } from "../../core/tool/host.ts";
import { isSuccess, shownUrl } from "../web/web-failure.ts";
import { importFormats } from "./formats.ts";
import type { SourceText } from "./imported-tool.ts";

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

export interface ReadOptions {
  readonly host: Host;
  /** Absolute. */
  readonly cwd: string;
  /** Returns the folder of a source as a tool has to name it; undefined if it need not. */
  folderOf(source: string): string | undefined;
  /** Is told each file and folder that is read. */
  onRead?(path: string): void;
}

/** The largest file that is read. Descriptions of whole APIs have several megabytes. */
const SOURCE_BYTES_MAX = 16 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const REDIRECTS_MAX = 5;

export interface FoundSource extends SourceText {
  /** As shown to people. */
  readonly shownPath: string;
  /** The absolute folder of the file; absent for an address. */
  readonly folder?: string;
}

export async function readSources(
  wanted: string,
  { host, cwd, folderOf, onRead }: ReadOptions,
): Promise<readonly FoundSource[]> {
  if (/^https?:\/\//i.test(wanted)) return [await fetched(wanted, host)];
  const path = resolve(cwd, wanted);
  const stat = host.instant.stat(path);
  if (!stat)
    throw new ImportRefusal(`there is no file \`${wanted}\``, "give a file, a folder or an address", {
      isMissing: true,
    });
  onRead?.(path);
  const readFile = (file: string): FoundSource => {
    const folder = dirname(file);
    const shownPath = shownPathOf(file, cwd);
    onRead?.(file);
    const text = decoded(bytesOf(file, shownPath, host), shownPath);
    const beside = (other: string): string | undefined => {
      onRead?.(join(folder, other));
      return textBeside(join(folder, other), { within: [folder, cwd], host });
    };
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
