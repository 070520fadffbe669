// Tools as `--help` describes them.
import type { OpenedSession } from "../../core/session/assemble.ts";
import { firstSentence } from "../../core/text/first-sentence.ts";
import { forModels } from "../../core/text/hidden-characters.ts";
import type { TerminalPort } from "../../core/tool/terminal.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { ToolRegistry } from "../../core/tool/registry.ts";
import { writeToolHelp } from "../../cli/view/tool-help.ts";
import type { ExportedTool } from "./facts.ts";

const COLUMNS = 100;

/** Each tool is that of the first session that knows it. Leaves out what none can build. */
export async function toolHelps(
  names: readonly string[],
  sessions: readonly OpenedSession[],
): Promise<readonly ExportedTool[]> {
  const all: ExportedTool[] = [];
  for (const name of names)
    for (const { session } of sessions) {
      const tool = await session.registry.resolve(name);
      if (!tool) continue;
      all.push(await described(name, tool, session.registry));
      break;
    }
  return all;
}

async function described(name: string, tool: Tool, registry: ToolRegistry): Promise<ExportedTool> {
  let help = "";
  const port: TerminalPort = {
    isTerminal: false,
    hasColor: false,
    movesCursor: false,
    columns: COLUMNS,
    rows: Number.POSITIVE_INFINITY,
    write: (text) => void (help += String(text)),
  };
  await writeToolHelp(port, { name, tool, registry });
  const { description, title } = tool.definition;
  return { name, tool, summary: forModels(firstSentence(description) || title), help };
}
