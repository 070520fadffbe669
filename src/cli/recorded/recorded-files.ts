// The files that the calls of a conversation read, for the folder of a test: short texts of the project, as they were
// then.
import { isAbsolute, join, relative } from "node:path";
import { singleQuoted } from "../../base/quote.ts";
import { GuardedPlaces } from "../../policy/guarded-places.ts";
import { realPath } from "../../policy/real-path.ts";
import { MASK } from "../../schema/describe.ts";
import { codeOf } from "../../tool/error-code.ts";
import type { Host } from "../../tool/host.ts";
import { onlyLooks, type RecordedCall } from "./recorded-calls.ts";
import { textsIn } from "./recorded-marks.ts";
import { withoutSecrets } from "../guesses/secret-guesses.ts";

interface RecordedFilesOptions {
  readonly host: Host;
  /** The folder of the session; absolute. */
  readonly cwd: string;
  /** When the session began: ISO 8601. */
  readonly at: string;
}

const FILES_MAX = 8;
const FILE_BYTES_MAX = 2_000;
const WORDS_MAX = 1_000;

/** Returns the `setup` lines of a test that make the files. `all` are the calls of the conversation. */
export function setupLines(
  calls: readonly RecordedCall[],
  all: readonly RecordedCall[],
  options: RecordedFilesOptions,
): readonly string[] {
  const { host, cwd } = options;
  const words = calls.flatMap((call) => textsIn(call.arguments)).flatMap((text) => [text, ...text.split(WORD_END)]);
  const places = new GuardedPlaces({ host, cwd, toolFolders: [] });
  const paths = new Set(words.slice(0, WORDS_MAX).flatMap((word) => ownPath(word, cwd) ?? []));
  return [...paths]
    .flatMap((path) => {
      const real = realPath(join(cwd, path), host);
      if (ownPath(real, realPath(cwd, host)) === undefined || places.at(real, "read")) return [];
      const text = unchangedText(real, options) ?? readText(path, all, cwd);
      const isShort = text !== undefined && text.length <= FILE_BYTES_MAX && !/[\0-\x08\x0b-\x1f\x7f-\x9f]/.test(text);
      return isShort && !holdsSecrets(text) ? [lineFor(path, text)] : [];
    })
    .slice(0, FILES_MAX);
}

const WORD_END = /[\s'"`<>|;&()=,]+/;

/** Returns the path below the folder; undefined if it is elsewhere, or hidden. */
function ownPath(word: string, cwd: string): string | undefined {
  if (word === "" || word.length > 500 || /[\0-\x1f\x7f]/.test(word)) return undefined;
  const path = relative(cwd, isAbsolute(word) ? word : join(cwd, word)).replaceAll("\\", "/");
  const isBelow = path !== "" && !isAbsolute(path) && !path.split("/").some((part) => part.startsWith("."));
  return isBelow ? path : undefined;
}

/** Returns undefined if it is not a short text, or has changed since the session began. */
function unchangedText(path: string, { host, at }: RecordedFilesOptions): string | undefined {
  try {
    const stat = host.instant.stat(path);
    const isOld = stat !== undefined && stat.ctimeMs <= Date.parse(at);
    if (stat?.kind !== "file" || !isOld || stat.sizeBytes > FILE_BYTES_MAX) return undefined;
    return new TextDecoder("utf-8", { fatal: true }).decode(host.instant.readBytes(path, FILE_BYTES_MAX));
  } catch (error) {
    if (error instanceof TypeError || codeOf(error) !== undefined) return undefined;
    throw error;
  }
}

/** Returns what the session read of the file before it changed anything. */
function readText(path: string, all: readonly RecordedCall[], cwd: string): string | undefined {
  const changed = all.findIndex((call) => !onlyLooks(call));
  const found = all.slice(0, changed === -1 ? all.length : changed).find(({ tool, arguments: args }) => {
    const { file_path: given, ...others } = args;
    const isRead = tool.definition.origin.kind === "base" && tool.definition.name.value === "read_file";
    return isRead && Object.keys(others).length === 0 && typeof given === "string" && ownPath(given, cwd) === path;
  });
  // A longer file is read in parts, and says so.
  return found && !/^\[/m.test(found.output) ? `${found.output}\n` : undefined;
}

function holdsSecrets(text: string): boolean {
  return text.includes(MASK) || withoutSecrets(text, { tool: "tool", taken: new Set() }).secrets.length > 0;
}

function lineFor(path: string, text: string): string {
  const folder = path.split("/").slice(0, -1).join("/");
  const format = text.replaceAll("\\", "\\\\").replaceAll("%", "%%").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  const make = folder === "" ? "" : `mkdir -p ${singleQuoted(folder)} && `;
  return `${make}printf ${singleQuoted(format)} > ${singleQuoted(path)}`;
}
