// Before the first call of a tool of an MCP server, the server is asked for the tool's parameters: a person who types
// its name wants it to run.
import { isInsideRun } from "../../core/catalog/trust.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import { failureText } from "../../core/run/failure-text.ts";
import type { RemoteName } from "../../core/tool/remote-name.ts";
import type { CommandContext } from "../../cli/command.ts";
import { printable } from "../../core/text/display.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import { pinned } from "./commands/pin.ts";

interface AskOptions {
  /** The name of the called tool. */
  readonly name: string;
  readonly unasked: readonly RemoteName[];
}

/** Returns an exit code if a server cannot be asked; the reason has been printed. */
export async function askServers(
  { name, unasked }: AskOptions,
  opened: OpenedSession,
  context: CommandContext,
): Promise<number | undefined> {
  // A tool must not pin another tool; the call fails because it is not pinned.
  if (isInsideRun(opened.host)) return undefined;
  // A tool that is not trusted starts no server; the call fails with that reason.
  if (await opened.session.distrust?.(name)) return undefined;
  const results = await pinned(unasked, opened, { context });
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
        `pinned mcp:${printable(`${server}/${tool ?? ""}`)}: its description is now fixed until you accept another one\n`,
      );
  return undefined;
}
