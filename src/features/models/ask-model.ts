// `ask_model`: one question to a model that the user has configured. Prompt steps use it.
import { integer, number, string } from "../../core/schema/declare.ts";
import { baseTool } from "../../core/tool/base-tool.ts";
import { PROVIDERS_EXAMPLE } from "./model-example.ts";

/** The SDKs of the model APIs wait as long. */
const TIMEOUT_MS = 600_000;
const PROMPT_CHARACTERS_MAX = 8 * 1024 * 1024;

export const askModel = baseTool({
  name: "ask_model",
  title: "Ask a model",
  description: [
    "Send a prompt to a language model and return its answer. The model sees only the prompt and has no tools.",
    `The user configures the models in \`~/.config/dottool/config.yaml\` (\`dottool doctor\` checks it):\n\n${PROVIDERS_EXAMPLE}`,
    "`command` gets the prompt on standard input; `{model}` in a word is replaced by the model, and `env: { NAME: KEY }` sets variables. `openai` is any server with Chat Completions, `anthropic` any with Messages: " +
      "`url`, `model`, `key`, `max_tokens`, `temperature`, `stream: false`, and `version` of the API of Anthropic. `mock` answers with the prompt.",
    "`key` names the place of the key, never the key itself: `env:NAME`, `file:PATH` (mode 600), `pass:NAME`, `op://…` and other key stores, `command:…`, or `secret:NAME` for one of these below `secrets:`.",
  ].join("\n\n"),
  parameters: {
    prompt: string("What to ask", {
      required: true,
      minimumLength: 1,
      maximumLength: PROMPT_CHARACTERS_MAX,
      example: "Say hello in one word.",
    }),
    provider: string("The provider to ask; default: the user's default", {
      minimumLength: 1,
      maximumLength: 64,
    }),
    model: string("A model of that provider; default: the user's choice", {
      pattern: /[A-Za-z0-9][A-Za-z0-9._:/@+-]*/,
      maximumLength: 200,
    }),
    system: string("The system prompt: the model's role and how to answer", {
      minimumLength: 1,
      maximumLength: PROMPT_CHARACTERS_MAX,
    }),
    max_tokens: integer("The maximum length of the answer, in tokens", { minimum: 1, maximum: 10_000_000 }),
    temperature: number("The sampling temperature; not every model accepts it", { minimum: 0, maximum: 2 }),
  },
  effects: ["network", "run"],
  timeoutMs: TIMEOUT_MS,
  examples: [{ prompt: "Say hello in one word." }],
  execute: async (args, context) =>
    (await import("./model-call.ts")).callModel(
      context.provider === undefined ? args : { ...args, provider: context.provider },
      context,
    ),
});
