// Before the first call of a tool over an MCP server: who types its name wants it to run, so its server is asked what
// it takes.
import { isInsideRun } from "../catalog/trust.ts";
import { exitCodes } from "../run/exit-code.ts";
import { failureText } from "../run/failure-text.ts";
import type { RemoteName } from "../tool/remote-name.ts";
import type { CommandContext } from "./command.ts";
import { printable } from "../text/display.ts";
import type { OpenedSession } from "./open-session.ts";
import { pinned } from "./pin.ts";

export interface AskOptions {
  /** Of the tool that is called. */
  readonly name: string;
  readonly unasked: readonly RemoteName[];
}

/** An exit code where one cannot be asked; it has been said why. */
export async function askServers(
  { name, unasked }: AskOptions,
  opened: OpenedSession,
  context: CommandContext,
): Promise<number | undefined> {
  // Nor does a tool say what a server's tool is; the call says that nobody has.
  if (isInsideRun(opened.host)) return undefined;
  // What nobody trusts starts nothing; the call says so.
  if (await opened.session.distrust?.(name)) return undefined;
  const results = await pinned(unasked, opened, context);
  const { errors } = context.terminal;
  const failures = results.filter((result) => result.state === "failed");
  if (failures.length > 0) {
    errors.write(
      `${failureText({ kind: "unavailable", tool: name, reasons: failures.map(({ reason }) => reason), help: failures.flatMap(({ help }) => help) }, { audience: "person", tool: name })}\n`,
    );
    return exitCodes.missing;
  }
  if (errors.isTerminal)
    for (const { server, tool } of results)
      errors.write(
        `pinned mcp:${printable(`${server}/${tool ?? ""}`)}: what its server says of it now holds until you accept something else\n`,
      );
  return undefined;
}
