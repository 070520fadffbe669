// The tokens of a tool's declaration: of what clients give a model of it, without titles and hints, which are for them.
// Tokenizers differ between models, so this is an estimate and is called one.
import { toMcpTool } from "../dialects/mcp.ts";
import type { Tool } from "../../core/tool/tool.ts";

/** English and JSON have about four characters per token in the tokenizers of the large model families. */
const CHARACTERS_PER_TOKEN = 4;

export const ESTIMATE_NOTE = `estimated: name, description and schema, as a model gets them, ${CHARACTERS_PER_TOKEN} characters to a token`;

export function estimateTokens(tool: Tool): number {
  const { name, description, inputSchema } = toMcpTool(tool);
  return Math.ceil(JSON.stringify({ name, description, inputSchema }).length / CHARACTERS_PER_TOKEN);
}
