// What programs import that embed dottool, beside the plugin API: ../dottool.ts.
export {
  type AuthorHelpOptions,
  checkDefinition,
  completeDefinition,
  type DefinitionHover,
  type DefinitionSuggestion,
  explainDefinition,
  formatDefinition,
  type ParsedDefinition,
  parseDefinition,
} from "./definitions.ts";
export { createMcpServer, type McpServer, type McpServerOptions } from "../mcp-server/mcp-server.ts";
export {
  type Answered,
  type AnswerOptions,
  openTools,
  type OpenTools,
  type OpenToolsOptions,
} from "./open-tools.ts";
export { readReply, type Reply } from "../dialects/replies.ts";
