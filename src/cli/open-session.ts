// The session of one run of the program: what stands before the command, and the person at the terminal, where there is one.
import { resolve } from "node:path";
import { exitCodes } from "../run/exit-code.ts";
import type { Session } from "../run/session.ts";
import { assemble, type Assembled } from "./assemble.ts";
import type { CommandContext } from "./command.ts";

export interface OpenedSession extends Assembled {
  /** Absolute. */
  readonly cwd: string;
}

/** An exit code where there is no folder to work in; it has been said why. */
export async function openSession(context: CommandContext, events: Pick<Session, "onEvent"> = {}): Promise<OpenedSession | number> {
  const { terminal, options } = context;
  const started = startedIn(context);
  if (started === undefined) {
    terminal.errors.write("failed[folder]: the folder you are in has been removed\n  = change to another one\n");
    return exitCodes.missing;
  }
  const cwd = options.cwd === undefined ? started : resolve(started, options.cwd);
  const assembled = await assemble({
    cwd,
    toolFolders: options.toolFolders.map((folder) => resolve(started, folder)),
    audience: options.result === "model" ? "model" : "person",
    ...(await (async () => (terminal.input.isTerminal && terminal.errors.isTerminal ? (await import("./person.ts")).personAt(terminal) : {}))()),
    ...events,
  });
  if (options.cwd !== undefined && assembled.host.instant.stat(cwd)?.kind !== "folder") {
    terminal.errors.write(`failed[folder]: \`${options.cwd}\` is no folder to work in\n`);
    return exitCodes.missing;
  }
  return { ...assembled, cwd };
}

function startedIn({ terminal }: CommandContext): string | undefined {
  try {
    return terminal.workingFolder();
  } catch {
    return undefined;
  }
}
