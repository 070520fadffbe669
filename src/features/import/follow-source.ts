// What became of tools that were imported before: `--check` says it, `--update` follows the source, except in what the
// author has changed. The last line of an imported definition names its source and a hash of what was written:
// `@x-imported justfile: build, 5f3c0a17d2b94e68`.
import { formatToolFile } from "../../core/language/syntax/format.ts";
import { parseToolFile } from "../../core/language/syntax/parse.ts";
import type { Host } from "../../core/tool/host.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import { join } from "node:path";
import { commandLine } from "../../core/base/quote.ts";
import { shownPathOf } from "../../core/catalog/load.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import { printable } from "../../core/text/display.ts";
import type { CommandContext } from "../../cli/command.ts";
import { writeBelowOrTell } from "../../cli/view/write-or-tell.ts";
import type { WrittenTool } from "./written-tools.ts";

const MARK = /^@x-imported (.*?): (.*), ([0-9a-f]{16})\n?/m;
const FILE_BYTES_MAX = 1024 * 1024;

interface FollowedTool {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly original: string;
  readonly source: string;
  /**
   * - `new`: only the source has it. `gone`: only the folder has it.
   * - `stale`: the source has changed. `both`: and the author has changed the file too.
   * - `own`: only the author has changed it. `other`: the file was not imported from here.
   */
  readonly state: "same" | "new" | "gone" | "stale" | "both" | "own" | "other";
  /** What the source gives now, with its line; empty for `gone`. */
  readonly text: string;
}

interface ImportedFile {
  readonly name: string;
  readonly source: string;
  readonly original: string;
  /** Of what was written, and of what is there now. */
  readonly hash: string;
  readonly ownHash: string;
}

/** Returns the text of a definition with the line that says where it is from. */
export function markedText({ text, original, source }: WrittenTool, host: Host): string {
  const line = `@x-imported ${plain(source ?? "")}: ${plain(original)}, ${hashOf(text, host)}`;
  return `${text.trimEnd()}\n${line}\n`;
}

function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
}

/** Format and the line itself are no change. */
function hashOf(text: string, host: Host): string {
  const formatted = formatToolFile(parseToolFile({ path: "imported.tool", text: text.replace(MARK, "") }));
  return host.sha256(formatted.trim()).slice(0, 16);
}

/** The definitions in a folder that were imported, by `keyOf`. */
export function importedFiles(folder: string, host: Host): ReadonlyMap<string, ImportedFile> {
  const files = new Map<string, ImportedFile>();
  for (const file of namesIn(folder, host)) {
    const text = file.endsWith(".tool") ? textOf(join(folder, file), host) : "";
    const [, source, original = "", hash = ""] = MARK.exec(text) ?? [];
    const name = file.replace(/\.tool$/, "");
    if (source !== undefined)
      files.set(keyOf({ source, original }), { name, source, original, hash, ownHash: hashOf(text, host) });
  }
  return files;
}

export function keyOf({ source = "", original }: { readonly source?: string; readonly original: string }): string {
  return `${plain(source)}\0${plain(original)}`;
}

interface Following extends Omit<Folder, "host"> {
  readonly isCheck: boolean;
  readonly opened: OpenedSession;
  readonly context: CommandContext;
}

/** Says what has changed since the last import, and writes it unless `isCheck`. Returns the exit code. */
export async function follow(
  found: readonly WrittenTool[],
  { folder, isCheck, covers, opened, context }: Following,
): Promise<number> {
  const { host, cwd } = opened;
  const { output } = context.terminal;
  const followed = followedTools(found, { folder, host, covers });
  for (const { state, path, text, source, original } of followed) {
    const shownPath = shownPathOf(path, cwd);
    const shown = printable(shownPath);
    if (state === "new" || state === "stale") {
      if (!isCheck && !(await writeBelowOrTell({ path, text, shownPath }, host, context))) return exitCodes.failed;
      const does = state === "new" ? "add" : "update";
      output.write(isCheck ? `would ${does} ${shown}\n` : `${state === "new" ? "wrote" : "updated"} ${shown}\n`);
    } else if (state === "both") {
      const line = commandLine(["dottool", "import", source, "--only", original, "--print"]);
      const hash = /([0-9a-f]{16})\n$/.exec(text)?.[1] ?? "";
      output.write(
        `left ${shown}: the source and you have changed it\n  = ${printable(line)} | diff ${printable(commandLine([shownPath]))} -\n  = when it is right, write ${hash} at the end of its \`@x-imported\`\n`,
      );
    } else if (state === "gone")
      output.write(`gone ${shown}: \`${printable(source)}\` has no \`${printable(original)}\` any more\n`);
    else if (state === "other") output.write(`left ${shown}: it was not imported from \`${printable(source)}\`\n`);
    else if (state === "own") output.write(`left ${shown}: you have changed it, and the source has not\n`);
  }
  const differ = followed.filter(({ state }) => state !== "same" && state !== "own" && state !== "other");
  if (differ.length === 0) output.write("the tools are as the source says\n");
  return isCheck && differ.length > 0 ? exitCodes.failed : exitCodes.done;
}

interface Folder {
  readonly folder: string;
  readonly host: Host;
  /** Whether a tool of this source would be among those that were found. */
  covers(source: string): boolean;
}

function followedTools(found: readonly WrittenTool[], { folder, host, covers }: Folder): readonly FollowedTool[] {
  const files = importedFiles(folder, host);
  const here = found.map((tool): FollowedTool => {
    const file = files.get(keyOf(tool));
    const name = file?.name ?? tool.name;
    const path = join(folder, `${name}.tool`);
    const about = { name, path, original: tool.original, source: tool.source ?? "", text: markedText(tool, host) };
    if (!file) return { ...about, state: host.instant.stat(path) === undefined ? "new" : "other" };
    const isStale = hashOf(tool.text, host) !== file.hash;
    const isOwn = file.ownHash !== file.hash;
    return { ...about, state: isStale ? (isOwn ? "both" : "stale") : isOwn ? "own" : "same" };
  });
  const keys = new Set(found.map(keyOf));
  const gone = [...files].flatMap(([key, { name, source, original }]): readonly FollowedTool[] =>
    keys.has(key) || !covers(source)
      ? []
      : [{ name, path: join(folder, `${name}.tool`), original, source, state: "gone", text: "" }],
  );
  return [...here, ...gone];
}

function namesIn(folder: string, host: Host): readonly string[] {
  try {
    return [...host.instant.names(folder)].sort();
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return [];
  }
}

function textOf(path: string, host: Host): string {
  try {
    return new TextDecoder().decode(host.instant.readBytes(path, FILE_BYTES_MAX));
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return "";
  }
}
