// Where the tools that models made are, and what a person reads about them.
import type { OpenedSession } from "../../core/session/assemble.ts";
import type { CommandContext } from "../../cli/command.ts";
import type { ForgedRecord } from "./record.ts";
import { revoke } from "./registry.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import { printable } from "../../core/text/display.ts";

export interface ForgePlace {
  readonly opened: OpenedSession;
  readonly context: CommandContext;
}

/** Returns whether it is gone; the reason has been printed. */
export async function revokeOrTell(
  record: ForgedRecord,
  why: string,
  { opened, context: { terminal } }: ForgePlace,
): Promise<boolean> {
  try {
    tellUnlogged(await revoke(record, why, opened.host), terminal);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    terminal.errors.write(`failed[forge]: \`${record.id}\` cannot be removed from the state folder (${code})\n`);
    return false;
  }
}

export function tellUnlogged(trouble: string | undefined, { errors }: CommandContext["terminal"]): void {
  if (trouble !== undefined) errors.write(`warning[forge]: ${printable(trouble)}\n`);
}
