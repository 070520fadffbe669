// The tools of a folder as `--help` describes them.
import { firstSentence } from "../../text/first-sentence.ts";
import { forModels } from "../../text/hidden-characters.ts";
import type { TerminalPort } from "../../tool/terminal.ts";
import { writeToolHelp } from "../view/tool-help.ts";
import type { SharedFolder } from "../words/shared-folder.ts";
import type { ExportedTool } from "./facts.ts";

const COLUMNS = 100;

export async function toolHelps({ opened, toolNames }: SharedFolder): Promise<readonly ExportedTool[]> {
  const { registry } = opened.session;
  const all: ExportedTool[] = [];
  for (const name of toolNames) {
    const tool = await registry.resolve(name);
    if (!tool) continue;
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
    all.push({ name, tool, summary: forModels(firstSentence(description) || title), help });
  }
  return all;
}
