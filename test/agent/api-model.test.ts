import { createApiModel } from "../../src/features/models/api-model.ts";
import type { ApiProvider } from "../../src/features/models/model-settings.ts";
import type { WebRequest } from "../../src/core/tool/host.ts";
import { assert, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";

const test = suite("agent/api-model");

/** Returns the request that is sent; there is no answer. */
async function sent(provider: ApiProvider, key: string | undefined): Promise<unknown> {
  let request: WebRequest | undefined;
  const host = memoryHost({
    web: {
      fetch: async (asked) => {
        request = asked;
        return { kind: "unreachable", reason: "a test", help: [] };
      },
    },
  });
  const model = createApiModel({
    ...{ name: "api", configPath: "config.yaml", provider, model: "big-1", host, tokensDefault: 16_384 },
    key: { kind: "key", ...(key === undefined ? {} : { value: key }) },
    countsTokens: true,
  });
  const prompt = [{ role: "user", content: [{ type: "text", text: "Hello" }] }] as const;
  const failed = await model
    .ask({ prompt: structuredClone(prompt) as never }, () => undefined)
    .then(
      () => false,
      () => true,
    );
  if (!request || !failed) throw new Error("nothing was sent");
  const { url, method, headers, body = "", redirectsMax, allowedHosts } = request;
  return { url, method, headers, body: JSON.parse(body) as unknown, redirectsMax, allowedHosts };
}

const shared = { method: "POST", redirectsMax: 0 };
const accept = { "content-type": "application/json", accept: "text/event-stream, application/json" };

test("createApiModel sends to the configured address with the configured key alone, and each API the fields that it knows", async () => {
  const openAi: ApiProvider = {
    kind: "openai",
    url: "https://api.openai.com/v1",
    streams: true,
    maxTokens: 100,
    temperature: 0.5,
  };
  const body = {
    model: "big-1",
    messages: [{ role: "user", content: "Hello" }],
    temperature: 0.5,
    stream: true,
    stream_options: { include_usage: true },
  };
  assert.equal(await sent(openAi, "sk-1"), {
    ...shared,
    url: "https://api.openai.com/v1/chat/completions",
    headers: { ...accept, authorization: "Bearer sk-1" },
    body: { ...body, max_completion_tokens: 100 },
    allowedHosts: ["api.openai.com:443"],
  });
  assert.equal(await sent({ ...openAi, url: "http://127.0.0.1:11434/v1" }, undefined), {
    ...shared,
    url: "http://127.0.0.1:11434/v1/chat/completions",
    headers: accept,
    body: { ...body, max_tokens: 100 },
    allowedHosts: ["127.0.0.1:11434"],
  });
  assert.equal(
    await sent({ kind: "anthropic", url: "https://api.anthropic.com", streams: false, version: "2026-10-21" }, "sk-2"),
    {
      ...shared,
      url: "https://api.anthropic.com/v1/messages",
      headers: { ...accept, "anthropic-version": "2026-10-21", "x-api-key": "sk-2" },
      body: {
        model: "big-1",
        max_tokens: 16_384,
        messages: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
      },
      allowedHosts: ["api.anthropic.com:443"],
    },
  );
});

test.run();
