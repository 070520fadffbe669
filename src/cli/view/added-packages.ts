// Prints packages that were added or updated, and how a person approves of them.
import { isApproved, readInstalled } from "../../catalog/installed-packages.ts";
import { approveCommand } from "../../catalog/unapproved-packages.ts";
import type { InstalledNow } from "../../packages/install.ts";
import { printable } from "../../text/display.ts";
import { type CommandContext, type CommandInput, writeJson } from "../command.ts";
import type { PackagesSession } from "../session/packages-session.ts";
import { installedText, leftOutText } from "./package-text.ts";

export function writeAdded(
  added: readonly InstalledNow[],
  { folder, host }: PackagesSession,
  { input, context: { terminal } }: { readonly input: CommandInput; readonly context: CommandContext },
): void {
  if (input.has("json")) return writeJson(terminal, { packages: added });
  terminal.output.write(added.map(installedText).join("\n"));
  terminal.errors.write(added.map(leftOutText).join(""));
  const { packages } = readInstalled(folder, host);
  const names = new Set(added.map(({ name }) => name));
  const unapproved = packages.filter(({ name, content }) => names.has(name) && !isApproved(content, host));
  const lines = unapproved.map(
    ({ name }) => `  = \`${approveCommand(name)}\` shows what its tools run, and asks you\n`,
  );
  if (lines.length > 0)
    terminal.errors.write(`until you approve of a package, its tools run in the sandbox\n${printableLines(lines)}`);
}

function printableLines(lines: readonly string[]): string {
  return lines.map((line) => `${printable(line.trimEnd())}\n`).join("");
}
