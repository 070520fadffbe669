// A tool with the name of a command of dottool: `dottool dev` runs the command, and the tool is called another way.
import { commandLine } from "../../core/base/quote.ts";
import type { CommandContext } from "../command.ts";
import { renderAll } from "../view/diagnostics-text.ts";
import { openSession } from "../session/open-session.ts";

/** Says how the tool is called, if the project has one of this name. */
export async function nameNamesake(name: string, words: readonly string[], context: CommandContext): Promise<void> {
  const opened = await openSession(context, { isQuiet: true, withoutPlugins: true, warn: () => undefined });
  if (typeof opened === "number") return;
  const entry = opened.catalogue().entry(name);
  if (!entry) return;
  const { errors } = context.terminal;
  if (entry.resolution.kind === "broken")
    errors.write(await renderAll(await opened.catalogue().diagnosticsOf(entry), errors));
  const line = commandLine(["dottool", "run", name, ...words]);
  errors.write(`  = this ran a command of dottool; for your own tool \`${name}\`: ${line}\n`);
}
