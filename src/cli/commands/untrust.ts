// `dottool untrust`: revokes what `dottool trust` granted.
import { join, resolve } from "node:path";
import { nearestRecord } from "../../core/catalog/project-rules.ts";
import { PROJECT_FOLDER_NAME } from "../../core/catalog/tool-folders.ts";
import { isInsideRun, trustKeyOf } from "../../core/catalog/trust.ts";
import { listRecords, removeRecord, removeUnusable } from "../session/trust-records.ts";
import { recordFinder, recordFolderOf } from "../../core/catalog/trust-store.ts";
import { codeOf, refusedPath } from "../../core/tool/error-code.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import { type CommandContext, reportUsage, type WordsCommand } from "../command.ts";
import { printable } from "../../core/text/display.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import { openSession } from "../session/open-session.ts";
import { installedPackage, refuseInside, reportNoFolder, reportNoPackage, toolFolderFor } from "./trust.ts";

export const untrustCommand: WordsCommand = {
  kind: "words",
  usage: ["untrust [DIR]", "untrust --package NAME", "untrust --all"],
  about:
    "Revokes trust in a project: its tools do not run, its plugins do not load and its settings do not apply until you trust it again. DIR may be a folder that no longer exists.",
  options: [
    {
      name: "package",
      value: "NAME",
      does: "revoke approval of an installed package: its tools run in the sandbox again",
    },
    { name: "all", does: "revoke trust in every folder and package" },
  ],
  words: [0, 1],
  examples: [["dottool untrust", "the current project"]],
  run: async (input, context) => {
    const { terminal } = context;
    const opened = await openSession(context, { withoutPlugins: true, isQuiet: true });
    if (typeof opened === "number") return opened;
    if (isInsideRun(opened.host)) return refuseInside("untrust", terminal);
    if (input.has("all") && input.words.length > 0)
      return reportUsage(terminal, "`--all` is for all folders; leave out the folder", "untrust");
    const named = input.value("package");
    if (named !== undefined && input.words.length > 0)
      return reportUsage(terminal, "`--package` takes the place of the folder; leave one of them out", "untrust");
    try {
      if (named !== undefined) return removeOfPackage(named, opened, context);
      if (input.has("all")) return removeAll(opened, context);
      const keys = keysFor(input.words[0], opened);
      if (keys === undefined) return reportNoFolder(input.words[0], terminal);
      return remove(keys, opened, context);
    } catch (error) {
      return reportFileError(error, opened, context);
    }
  },
};

function removeOfPackage(name: string, opened: OpenedSession, { terminal }: CommandContext): number {
  const { host } = opened;
  const installed = installedPackage(name, opened);
  if (!installed) return reportNoPackage(name, terminal);
  const shown = printable(`${installed.name}@${installed.version}`);
  const isRemoved = removeRecord(trustKeyOf(installed.root, host), host);
  terminal.errors.write(
    isRemoved
      ? `\`${shown}\` is no longer approved; its tools run in the sandbox\n`
      : `\`${shown}\` was not approved\n`,
  );
  return exitCodes.done;
}

/** Returns the keys of the records; for a folder that is gone, those that were stored for it. */
function keysFor(given: string | undefined, opened: OpenedSession): readonly string[] | undefined {
  const { host, cwd } = opened;
  const folder = toolFolderFor(given, opened);
  if (folder !== undefined) return [trustKeyOf(folder, host)];
  // Its record may be damaged, so records are found by their names and not by what is in them.
  if (given === undefined) {
    const nearest = nearestRecord(cwd, host);
    return nearest && [nearest.key];
  }
  const path = resolve(cwd, given);
  const known = [path, join(path, PROJECT_FOLDER_NAME)].filter(recordFinder(host));
  return known.length === 0 ? undefined : known;
}

/** Removes records that cannot be read, too: they would apply again once they can be read. */
function removeAll(opened: OpenedSession, context: CommandContext): number {
  const { host } = opened;
  const { records, unusable } = listRecords(host);
  for (const path of unusable) {
    removeUnusable(path, host);
    context.terminal.errors.write(`\`${printable(path)}\` could not be read, and was removed\n`);
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
      ? "no folder was trusted, so nothing was revoked\n"
      : removed.map((key) => `\`${printable(key)}\` is no longer trusted\n`).join(""),
  );
  return exitCodes.done;
}

/** Reports a record that was not removed, which is still trusted. */
function reportFileError(error: unknown, { host }: OpenedSession, { terminal: { errors } }: CommandContext): number {
  const code = codeOf(error);
  if (code === undefined) throw error;
  const path = refusedPath(error) ?? recordFolderOf(host);
  const help = `  = get permission to change \`${printable(recordFolderOf(host))}\`, and run this again\n`;
  errors.write(
    `failed[file]: \`${printable(path)}\` cannot be read or removed (${code}), so what is trusted stays trusted\n${help}`,
  );
  return exitCodes.failed;
}
