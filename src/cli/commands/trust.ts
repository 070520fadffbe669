// `dottool trust`: lets a project folder's definitions, plugins and settings take effect, as they are now.
import { basename, join, resolve } from "node:path";
import { findProjectFolder, PROJECT_FOLDER_NAME } from "../../core/catalog/tool-folders.ts";
import {
  isInsideRun,
  projectRootOf,
  stateFolderProblem,
  trustedHashes,
  trustKeyOf,
  trustStateOf,
} from "../../core/catalog/trust.ts";
import { type FolderContent, readContent } from "../../core/catalog/trusted-content.ts";
import { listRecords } from "../session/trust-records.ts";
import { recordTrouble } from "../../core/catalog/trust-store.ts";
import { unsafeFact, unsafeHelp } from "../../core/catalog/untrusted.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import type { Terminal } from "../../core/tool/terminal.ts";
import { type CommandContext, type CommandInput, reportUsage, type WordsCommand, writeJson } from "../command.ts";
import { printable } from "../../core/text/display.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import { type PackageFolder, packageNameOf } from "../../core/catalog/package-folder.ts";
import { openSession } from "../session/open-session.ts";
import { askForTrust, canAsk, keepTrust, nameOf } from "../session/trust-prompt.ts";
import { reviewOf, reviewText, type Rivals, rivalsOf } from "../view/trust-review.ts";

export const trustCommand: WordsCommand = {
  kind: "words",
  usage: ["trust [DIR] [--show|--json]", "trust --package NAME [--show|--json]", "trust --list [--json]"],
  about:
    "Trusts a project, so that its tools run, its plugins load and its settings apply. Shows what they could run, asks, and remembers exactly this content. After any change you are asked again, and shown the difference. " +
    "DIR is the project or a tool folder; default: the nearest `.tools`. Without a terminal, set DOTTOOL_TRUST to the hash that `--show` ends with. " +
    "Folders given with `--tools` are trusted, and so is your own `~/.config/dottool/tools` while only you can write to it.",
  options: [
    { name: "show", does: "print what it could run and its hash, without asking" },
    { name: "package", value: "NAME", does: "approve an installed package: its tools then run without the sandbox" },
    { name: "list", does: "list the trusted folders and packages" },
    { name: "json", does: "print as JSON, without asking" },
  ],
  words: [0, 1],
  examples: [
    ["dottool trust", "review the current project, and say yes or no"],
    ["dottool trust --show ~/src/new-project", "what its tools could run"],
  ],
  run: async (input, context) => {
    const opened = await openSession(context, { withoutPlugins: true, isQuiet: true });
    if (typeof opened === "number") return opened;
    if (isInsideRun(opened.host) && !input.has("show") && !input.has("list") && !input.has("json"))
      return refuseInside("trust", context.terminal);
    if (input.has("list"))
      return input.words.length > 0
        ? reportUsage(context.terminal, "`--list` lists all folders; leave out the folder", "trust")
        : listTrusted(input, opened, context);
    const named = input.value("package");
    if (named !== undefined)
      return input.words.length > 0
        ? reportUsage(context.terminal, "`--package` takes the place of the folder; leave one of them out", "trust")
        : trustPackage(named, { input, opened, context });
    const folder = toolFolderFor(input.words[0], opened);
    if (folder === undefined) return reportNoFolder(input.words[0], context.terminal);
    return trustFolder(folder, { input, opened, context });
  },
};

/** Refuses a tool, a model, or a script that a tool runs. */
export function refuseInside(command: string, { errors }: Terminal): number {
  errors.write(
    `failed[denied]: \`dottool ${command}\` cannot be run by a tool; only a person may decide what may run\n  = run it yourself at a terminal\n`,
  );
  return exitCodes.denied;
}

/** Returns the tool folder, absolute; undefined if there is none. */
export function toolFolderFor(given: string | undefined, { cwd, host, catalogue }: OpenedSession): string | undefined {
  if (given === undefined) return findProjectFolder(host, cwd).path;
  const path = resolve(cwd, given);
  const inside = join(path, PROJECT_FOLDER_NAME);
  if (basename(path) !== PROJECT_FOLDER_NAME && host.instant.stat(inside)?.kind === "folder") return inside;
  const own = projectRootOf(path);
  return host.instant.stat(own)?.kind === "folder" &&
    (basename(own) === PROJECT_FOLDER_NAME || catalogue().folders.some((folder) => folder.path === own))
    ? own
    : undefined;
}

export function reportNoFolder(given: string | undefined, { errors }: Terminal): number {
  errors.write(
    given === undefined
      ? "failed[missing]: there is no `.tools` here or above\n"
      : `failed[missing]: there is no tool folder \`.tools\` in \`${printable(given)}\`\n`,
  );
  return exitCodes.missing;
}

/** Returns the installed package of this name, which may be written as its tools are: `official/translate`. */
export function installedPackage(name: string, { catalogue }: OpenedSession): PackageFolder | undefined {
  const wanted = packageNameOf(name);
  return catalogue().folders.find((folder) => folder.package?.name === wanted)?.package;
}

export function reportNoPackage(name: string, { errors }: Terminal): number {
  errors.write(
    `failed[missing]: no package \`${printable(name)}\` is installed here\n  = \`dottool list --packages\` lists those that are\n`,
  );
  return exitCodes.missing;
}

interface TrustOptions {
  readonly input: CommandInput;
  readonly opened: OpenedSession;
  readonly context: CommandContext;
}

async function trustPackage(name: string, options: TrustOptions): Promise<number> {
  const { opened, context } = options;
  const installed = installedPackage(name, opened);
  if (!installed) return reportNoPackage(name, context.terminal);
  return trustFolder(installed.root, options, installed);
}

async function trustFolder(
  folder: string,
  { input, opened, context }: TrustOptions,
  installed?: PackageFolder,
): Promise<number> {
  const { terminal } = context;
  const { host } = opened;
  const shown = printable(folder);
  const rivals: Rivals = installed ? new Map() : rivalsOf(opened.catalogue());
  const read = readContent(folder, host);
  const content = "problem" in read || !installed ? read : { ...read, package: installed };
  if ("problem" in content) {
    terminal.errors.write(
      `failed[untrusted]: \`${shown}\` cannot be trusted: it ${printable(content.problem)}\n  = ${printable(content.help)}\n`,
    );
    return exitCodes.denied;
  }
  const state = trustStateOf({ scope: "project", path: folder }, host);
  if (input.has("json"))
    writeJson(terminal, {
      folder,
      sha256: content.tree.sha256,
      state: state.isTrusted ? "trusted" : state.distrust.reason,
      files: await reviewOf(content, rivals),
    });
  if (input.has("show"))
    terminal.output.write(`${reviewText(await reviewOf(content, rivals))}\n${content.tree.sha256}\n`);
  if (input.has("json") || input.has("show")) return exitCodes.done;
  const unsafe = state.isTrusted
    ? undefined
    : state.distrust.reason === "unsafe"
      ? state.distrust
      : stateFolderProblem(trustKeyOf(folder, host), host);
  if (unsafe?.reason === "unsafe") {
    terminal.errors.write(
      `failed[untrusted]: \`${shown}\` ${printable(unsafeFact(unsafe))}\n  = ${printable(unsafeHelp(unsafe))}\n`,
    );
    return exitCodes.denied;
  }
  return decide(content, { isTrusted: state.isTrusted, opened, terminal });
}

interface Deciding {
  readonly isTrusted: boolean;
  readonly opened: Pick<OpenedSession, "host" | "catalogue">;
  readonly terminal: Terminal;
}

async function decide(content: FolderContent, { isTrusted, opened, terminal }: Deciding): Promise<number> {
  const { host } = opened;
  const { errors } = terminal;
  const shown = printable(nameOf(content));
  if (trustedHashes(host).includes(content.tree.sha256)) {
    if (!keepTrust(content, host, errors)) return exitCodes.failed;
    errors.write(`\`${shown}\` is trusted, as DOTTOOL_TRUST says\n`);
    return exitCodes.done;
  }
  if (isTrusted) {
    errors.write(`\`${shown}\` is already trusted\n`);
    return exitCodes.done;
  }
  if (!canAsk(terminal, host)) {
    const command = content.package ? `dottool trust --package ${content.package.name}` : "dottool trust";
    errors.write(
      `failed[untrusted]: cannot ask without a terminal whether to trust \`${shown}\`\n  = run \`${command}\` at a terminal\n  = or review it with \`${command} --show\`, and set DOTTOOL_TRUST to the hash that it ends with\n`,
    );
    return exitCodes.denied;
  }
  if (await askForTrust(content, opened, terminal)) {
    errors.write(`\`${shown}\` is trusted; after a change you are asked again\n`);
    return exitCodes.done;
  }
  errors.write("not trusted\n");
  return exitCodes.denied;
}

function listTrusted(input: CommandInput, { host }: OpenedSession, { terminal }: CommandContext): number {
  const { records, unusable } = listRecords(host);
  for (const path of unusable)
    terminal.errors.write(
      `warning[file]: \`${printable(path)}\` is not a readable record of trust, so it is ignored\n`,
    );
  const found = records.map(({ folder, sha256, trustedAt }) => ({
    folder,
    sha256,
    trustedAt,
    ...recordState(folder, host),
  }));
  for (const { folder, reason } of found)
    if (reason !== undefined)
      terminal.errors.write(`warning[untrusted]: \`${printable(folder)}\` ${printable(reason)}\n`);
  if (input.has("json")) writeJson(terminal, found);
  else if (found.length === 0) terminal.errors.write("no folder is trusted\n");
  else
    terminal.output.write(
      found
        .map(({ folder, trustedAt, state }) => `${trustedAt.slice(0, 10)}  ${state.padEnd(7)}  ${printable(folder)}\n`)
        .join(""),
    );
  return exitCodes.done;
}

interface RecordState {
  readonly state: "trusted" | "changed" | "gone" | "unsafe";
  /** Why it is unsafe: the end of a sentence that begins with the folder. */
  readonly reason?: string;
}

function recordState(folder: string, host: OpenedSession["host"]): RecordState {
  if (host.instant.stat(folder)?.kind !== "folder") return { state: "gone" };
  const state = trustStateOf({ scope: "project", path: folder }, host);
  if (state.isTrusted) return { state: trustKeyOf(folder, host) === folder ? "trusted" : "changed" };
  const { distrust } = state;
  if (distrust.reason === "unsafe") return { state: "unsafe", reason: unsafeFact(distrust) };
  return distrust.reason === "changed"
    ? { state: "changed" }
    : {
        state: "unsafe",
        reason: recordTrouble(folder, host) ?? "has a record of trust that was not readable for a moment",
      };
}
