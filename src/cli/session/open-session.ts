// Opens the session of one run of the program, from the options before the command and the person at the terminal, if
// there is one.
import { needPart } from "../../core/tool/feature.ts";
import type { Traced } from "../parts.ts";
import { resolve } from "node:path";
import { exitCodes } from "../../core/run/exit-code.ts";
import type { Catalogue } from "../../core/catalog/catalogue.ts";
import type { Diagnostic } from "../../core/text/diagnostic.ts";
import { assemble, type AssembleOptions, type Assembled, type OpenedSession } from "../../core/session/assemble.ts";
import type { CommandContext } from "../command.ts";

export type { OpenedSession };

export interface OpenSessionOptions
  extends Pick<
    AssembleOptions,
    | "host"
    | "lookedAtFolders"
    | "withoutPlugins"
    | "earlier"
    | "isForAuthor"
    | "frontEnd"
    | "approver"
    | "audience"
    | "person"
    | "warn"
    | "forging"
  > {
  /** Whether missing folders are not reported: `check` reports them itself, and completion must print nothing. */
  readonly isQuiet?: boolean;
}

/** Returns an exit code if there is no folder to work in; the reason has been printed. */
export async function openSession(
  context: CommandContext,
  { isQuiet = false, ...more }: OpenSessionOptions = {},
): Promise<OpenedSession | number> {
  const { terminal, options } = context;
  const started = startedIn(context);
  if (started === undefined) {
    terminal.errors.write("failed[folder]: the current folder was removed\n  = change to another one\n");
    return exitCodes.missing;
  }
  const cwd = options.cwd === undefined ? started : resolve(started, options.cwd);
  const assembled = await assemble({
    cwd,
    readerFolder: started,
    toolFolders: options.toolFolders.map((folder) => resolve(started, folder)),
    audience: options.result === "model" ? "model" : "person",
    warn: (text) => void terminal.errors.write(text),
    ...(await (async () =>
      terminal.errors.isTerminal && terminal.input.isTerminal
        ? { ...(await import("./person.ts")).personAt(terminal), openLoginPrompt: loginAt(terminal) }
        : {})()),
    ...(context.host ? { host: context.host } : {}),
    ...(options.isConfirmed ? { isConfirmed: true } : {}),
    ...more,
    forging: options.allowsForge ? "allowed" : more.forging,
  });
  if (options.cwd !== undefined && assembled.host.instant.stat(cwd)?.kind !== "folder") {
    terminal.errors.write(`failed[folder]: \`${await shown(options.cwd)}\` is not a directory\n`);
    return exitCodes.missing;
  }
  if (!isQuiet) await reportMissingFolders(assembled, context);
  return { ...assembled, cwd };
}

/** Returns a session whose calls go into the file of `--trace`, if there is one; an exit code as above. */
export async function openTraced(
  opened: OpenedSession,
  { options, terminal }: CommandContext,
): Promise<Traced | number> {
  return options.trace === undefined
    ? { opened, end: async (exitCode) => exitCode }
    : (await needPart("openTraceFile"))(options.trace, opened, terminal);
}

/**
 * Reports tool folders that cannot be read, so that their tools are missing; `check` reports other problems of folders.
 */
async function reportMissingFolders({ catalogue }: Assembled, { terminal }: CommandContext): Promise<void> {
  if (catalogue().folderDiagnostics.length === 0) return;
  for (const { code, message } of ofWholeFolders(catalogue()))
    terminal.errors.write(`warning[${code}]: ${await shown(message)}\n`);
}

export function ofWholeFolders({
  folders,
  folderDiagnostics,
}: Pick<Catalogue, "folders" | "folderDiagnostics">): readonly Diagnostic[] {
  const starts = folders.map(({ shownPath }) => `\`${shownPath}\` `);
  return folderDiagnostics.filter(({ message }) => starts.some((start) => message.startsWith(start)));
}

/** Makes typed text safe for a terminal. Loaded late, because a successful call does not need it. */
async function shown(text: string): Promise<string> {
  return (await import("../../core/text/display.ts")).printable(text);
}

function startedIn({ terminal }: CommandContext): string | undefined {
  try {
    return terminal.workingFolder();
  } catch {
    return undefined;
  }
}

/** Returns the login, which is loaded when a server wants it. */
function loginAt(terminal: CommandContext["terminal"]): NonNullable<AssembleOptions["openLoginPrompt"]> {
  return async (server, port, host) => (await needPart("loginPromptAt"))(terminal)(server, port, host);
}
