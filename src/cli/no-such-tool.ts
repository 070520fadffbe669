// A name that is no tool: misspelled, or a definition that has errors, which are shown then.
import { resolve } from "node:path";
import { quoteWord } from "../base/quote.ts";
import { exitCodes } from "../run/exit-code.ts";
import { failureText } from "../run/failure-text.ts";
import { nearestNames } from "../text/suggest.ts";
import type { CommandContext } from "./command.ts";
import { commands } from "./commands.ts";
import type { OpenedSession } from "./open-session.ts";
import { printable } from "./layout.ts";
import { renderAll } from "./diagnostics-text.ts";

export async function reportMissingTool(name: string, opened: OpenedSession, { terminal }: CommandContext): Promise<number> {
  const { session } = opened;
  const catalogue = opened.catalogue();
  const entry = catalogue.entry(name);
  const diagnostics = entry ? [...(await catalogue.diagnosticsOf(entry)), ...(await opened.buildDiagnostics(name))] : [];
  if (diagnostics.length > 0) {
    terminal.errors.write(`${await renderAll(diagnostics, terminal.errors)}failed[definition]: \`${name}\` cannot run until its definition is mended\n`);
    return exitCodes.definitions;
  }
  // A mistyped command is as likely as a mistyped tool.
  const known = [...session.registry.names(), ...commands.map((command) => command.name)];
  terminal.errors.write(`${printable(failureText({ kind: "unknown-tool", name, nearest: nearestNames(name, known) }, { audience: "person", tool: name }))}\n`);
  // Somebody who names a file wants the tool in it.
  if (name.endsWith(".tool") && opened.host.instant.stat(resolve(opened.cwd, name))) terminal.errors.write(`  = to call the tool in that file: dottool --tools ${quoteWord(name)} NAME\n`);
  return exitCodes.missing;
}
