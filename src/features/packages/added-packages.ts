// Prints packages that were added or updated, and asks a person at the terminal to approve of them.
import { isApproved, readInstalled, storedFolderOf } from "./installed-packages.ts";
import type { InstalledPackage } from "../../core/catalog/package-folder.ts";
import { readContent } from "../../core/catalog/trusted-content.ts";
import { quoteWord } from "../../core/base/quote.ts";
import { approveCommand } from "./unapproved-packages.ts";
import type { InstalledNow } from "./install.ts";
import { printable } from "../../core/text/display.ts";
import type { Terminal } from "../../core/tool/terminal.ts";
import { type CommandContext, type CommandInput, writeJson } from "../../cli/command.ts";
import type { PackagesSession } from "./packages-session.ts";
import { askForTrust, canAsk } from "../../cli/session/trust-prompt.ts";
import { installedText, leftOutText } from "./package-text.ts";

interface Asked {
  readonly input: CommandInput;
  readonly context: CommandContext;
}

export async function writeAdded(
  added: readonly InstalledNow[],
  session: PackagesSession,
  { input, context }: Asked,
): Promise<void> {
  const { terminal } = context;
  if (input.has("json")) return writeJson(terminal, { packages: added });
  terminal.output.write(added.map(installedText).join("\n"));
  terminal.errors.write(added.map(leftOutText).join(""));
  terminal.errors.write(added.map((one) => lacksText(one, session.opened)).join(""));
  await askToApprove(added, session, terminal);
}

/** Asks a person about the packages that nobody has approved. Without a terminal they stay in the sandbox. */
export async function askToApprove(
  shown: readonly Pick<InstalledNow, "name">[],
  { folder, host, opened }: PackagesSession,
  terminal: Terminal,
): Promise<void> {
  const names = new Set(shown.map(({ name }) => name));
  const unapproved = readInstalled(folder, host).packages.filter(
    ({ name, content }) => names.has(name) && !isApproved(content, host),
  );
  const { errors } = terminal;
  const left: InstalledPackage[] = [];
  for (const installed of unapproved) {
    const content = canAsk(terminal, host) ? readContent(storedFolderOf(installed.content, host), host) : undefined;
    const isAgreed =
      content && !("problem" in content) && (await askForTrust({ ...content, package: installed }, opened, terminal));
    if (isAgreed) errors.write(`\`${printable(`${installed.name}@${installed.version}`)}\` is approved\n`);
    else left.push(installed);
  }
  const lines = left.map(({ name }) => `  = \`${approveCommand(name)}\` shows what its tools run, and asks you\n`);
  if (lines.length > 0)
    errors.write(`until you approve a package, its tools run in the sandbox\n${printableLines(lines)}`);
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
