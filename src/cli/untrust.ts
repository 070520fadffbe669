// `dottool untrust`: takes back what `dottool trust` gave.
import { join, resolve } from "node:path";
import { PROJECT_FOLDER_NAME } from "../catalog/tool-folders.ts";
import { isInsideRun, trustKeyOf } from "../catalog/trust.ts";
import { listRecords, recordFolderOf, removeRecord } from "../catalog/trust-store.ts";
import { codeOf, refusedPath } from "../tool/error-code.ts";
import { exitCodes } from "../run/exit-code.ts";
import { type CommandContext, reportUsage, type WordsCommand } from "./command.ts";
import { printable } from "../text/display.ts";
import { openSession, type OpenedSession } from "./open-session.ts";
import { refuseInside, reportNoFolder, toolFolderFor } from "./trust.ts";

export const untrustCommand: WordsCommand = {
  kind: "words",
  usage: ["untrust [DIR]", "untrust --all"],
  about:
    "Takes back what `dottool trust` gave: the tools of the project do not run, its plugins do not load and its settings do not count, until somebody trusts it again. DIR need not be there any more.",
  options: [{ name: "all", does: "every folder that is trusted" }],
  words: [0, 1],
  examples: [["dottool untrust", "the project you are in"]],
  run: async (input, context) => {
    const { terminal } = context;
    const opened = await openSession(context, { withoutPlugins: true, isForLists: true, isQuiet: true });
    if (typeof opened === "number") return opened;
    if (isInsideRun(opened.host)) return refuseInside("untrust", terminal);
    if (input.has("all") && input.words.length > 0)
      return reportUsage(terminal, "`--all` is for all folders, so no folder goes with it", "untrust");
    try {
      if (input.has("all")) return removeAll(opened, context);
      const keys = keysFor(input.words[0], opened);
      if (keys === undefined) return reportNoFolder(input.words[0], terminal);
      return remove(keys, opened, context);
    } catch (error) {
      return reportFileError(error, opened, context);
    }
  },
};

/** Of a folder that is gone, what was written down of it. */
function keysFor(given: string | undefined, opened: OpenedSession): readonly string[] | undefined {
  const folder = toolFolderFor(given, opened);
  if (folder !== undefined) return [trustKeyOf(folder, opened.host)];
  const path = given === undefined ? undefined : resolve(opened.cwd, given);
  const isMeant = (folder: string): boolean =>
    path !== undefined && (folder === path || folder === join(path, PROJECT_FOLDER_NAME));
  const known = listRecords(opened.host).records.filter((record) => isMeant(record.folder));
  return known.length === 0 ? undefined : known.map((record) => record.folder);
}

/** What cannot be read is somebody's trust as well, and would count again once it can be read. */
function removeAll(opened: OpenedSession, context: CommandContext): number {
  const { host } = opened;
  const { records, unusable } = listRecords(host);
  for (const path of unusable) {
    host.instant.remove(path);
    context.terminal.errors.write(`\`${printable(path)}\` could not be read, and is removed\n`);
  }
  return records.length === 0 && unusable.length > 0
    ? exitCodes.done
    : remove(
        records.map(({ folder }) => folder),
        opened,
        context,
      );
}

function remove(keys: readonly string[], { host }: OpenedSession, { terminal: { errors } }: CommandContext): number {
  const removed = keys.filter((key) => removeRecord(key, host));
  errors.write(
    removed.length === 0
      ? "nothing was trusted there\n"
      : removed.map((key) => `\`${printable(key)}\` is not trusted any more\n`).join(""),
  );
  return exitCodes.done;
}

/** What is not removed is trusted still. */
function reportFileError(error: unknown, { host }: OpenedSession, { terminal: { errors } }: CommandContext): number {
  const code = codeOf(error);
  if (code === undefined) throw error;
  const path = refusedPath(error) ?? recordFolderOf(host);
  const help = `  = get the rights to change \`${printable(recordFolderOf(host))}\`, and run this again\n`;
  errors.write(
    `failed[file]: \`${printable(path)}\` cannot be read or removed (${code}), so what is trusted stays trusted\n${help}`,
  );
  return exitCodes.failed;
}
