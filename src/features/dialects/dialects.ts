// The adapters, each loaded when it is needed.
import type { Json } from "../../core/schema/json.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { type ApiDialect, type ApiDialectName, apiDialectNames } from "./dialect.ts";

export const loadDialect: Readonly<Record<ApiDialectName, () => Promise<ApiDialect>>> = {
  anthropic: async () => (await import("./anthropic.ts")).anthropic,
  "openai-responses": async () => (await import("./openai-responses.ts")).openaiResponses,
  gemini: async () => (await import("./gemini.ts")).gemini,
  ollama: async () => (await import("./ollama.ts")).ollama,
  // Mistral comes before the API that it looks like.
  mistral: async () => (await import("./mistral.ts")).mistral,
  openai: async () => (await import("./openai-chat.ts")).openaiChat,
};

/** The names in the order in which a reply is tried. */
export const apiNames = Object.keys(loadDialect) as readonly ApiDialectName[];

/** The forms in which tools are declared. */
export const declarationForms = ["json-schema", "mcp", ...apiDialectNames, "text"] as const;
export type DeclarationForm = (typeof declarationForms)[number];

interface Declarations {
  /** What a request has under `tools`; of `text` the part of a prompt. */
  readonly declarations: Json;
  /** The number of tools that one request of the API takes. */
  readonly toolsMax?: number | undefined;
}

export async function declarationsIn(form: DeclarationForm, tools: readonly Tool[]): Promise<Declarations> {
  switch (form) {
    case "text":
      return { declarations: (await import("./text.ts")).textToolsPrompt(tools) };
    case "mcp":
      return { declarations: (await import("./mcp.ts")).toMcpTools(tools) };
    case "json-schema":
      return { declarations: (await import("./json-schema.ts")).toJsonSchema(tools) };
    default: {
      const { declarations, toolsMax } = await loadDialect[form]();
      return { declarations: declarations(tools), toolsMax };
    }
  }
}
