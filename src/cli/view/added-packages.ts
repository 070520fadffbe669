// Prints packages that were added or updated, and how a person approves of them.
import { isApproved, readInstalled } from "../../catalog/installed-packages.ts";
import { quoteWord } from "../../base/quote.ts";
import { approveCommand } from "../../catalog/unapproved-packages.ts";
import type { InstalledNow } from "../../packages/install.ts";
import { printable } from "../../text/display.ts";
import { type CommandContext, type CommandInput, writeJson } from "../command.ts";
import type { PackagesSession } from "../session/packages-session.ts";
import { installedText, leftOutText } from "./package-text.ts";

export function writeAdded(
  added: readonly InstalledNow[],
  { folder, host, opened }: PackagesSession,
  { input, context: { terminal } }: { readonly input: CommandInput; readonly context: CommandContext },
): void {
  if (input.has("json")) return writeJson(terminal, { packages: added });
  terminal.output.write(added.map(installedText).join("\n"));
  terminal.errors.write(added.map(leftOutText).join(""));
  terminal.errors.write(added.map((one) => lacksText(one, opened)).join(""));
  const { packages } = readInstalled(folder, host);
  const names = new Set(added.map(({ name }) => name));
  const unapproved = packages.filter(({ name, content }) => names.has(name) && !isApproved(content, host));
  const lines = unapproved.map(
    ({ name }) => `  = \`${approveCommand(name)}\` shows what its tools run, and asks you\n`,
  );
  if (lines.length > 0)
    terminal.errors.write(`until you approve a package, its tools run in the sandbox\n${printableLines(lines)}`);
}

function printableLines(lines: readonly string[]): string {
  return lines.map((line) => `${printable(line.trimEnd())}\n`).join("");
}

/** Says which tools are still missing. */
function lacksText({ toolNames, lacks, name }: InstalledNow, { catalogue }: PackagesSession["opened"]): string {
  const missing = lacks.filter((tool) => catalogue().entry(tool) === undefined);
  if (missing.length === 0) return "";
  const wanted = missing.map((tool) => `\`${tool}\``).join(", ");
  const command = `dottool install --deps ${toolNames.map(quoteWord).join(" ")}`;
  return `${printable(`note[package]: tools of \`${name}\` need others that are not here: ${wanted}`)}\n  = \`${printable(command)}\` looks for them in the registry\n`;
}
