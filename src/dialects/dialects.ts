// The adapters, each loaded when it is needed.
import type { ApiDialect, ApiDialectName } from "./dialect.ts";

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
