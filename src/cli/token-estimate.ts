// The tokens of a tool's declaration. Tokenizers differ between models, so this is an estimate and is called one.
import { toMcpTool } from "../dialects/mcp.ts";
import type { Tool } from "../tool/tool.ts";

/** English and JSON have about four characters per token in the tokenizers of the large model families. */
const CHARACTERS_PER_TOKEN = 4;

export const ESTIMATE_NOTE = `estimated: the declaration as MCP sends it, ${CHARACTERS_PER_TOKEN} characters to a token`;

export function estimateTokens(tool: Tool): number {
  return Math.ceil(JSON.stringify(toMcpTool(tool)).length / CHARACTERS_PER_TOKEN);
}
