// The tools, prompts and resources that the official conformance suite names, as a plugin of dottool.
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type BaseTool,
  type ClientRequest,
  content,
  definePlugin,
  defineTool,
  failed,
  type JsonObject,
  string,
  type ToolContext,
} from "dottool";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";
const toolFolder = join(dirname(fileURLToPath(import.meta.url)), "..");

type Run = (context: ToolContext) => ReturnType<Parameters<typeof defineTool>[0]["run"]>;

function tool(name: string, run: Run): BaseTool {
  return defineTool({
    name,
    description: `The fixture \`${name}\` of the conformance suite.`,
    effects: ["read"],
    run: (_args, context) => run(context),
  });
}

function ask(context: ToolContext, key: string, request: ClientRequest): Promise<JsonObject> {
  if (!context.client) throw new Error("nobody calls who could be asked");
  return context.client.ask(key, request);
}

function form(
  message: string,
  properties: JsonObject,
  required: readonly string[] = Object.keys(properties),
): ClientRequest {
  return {
    method: "elicitation/create",
    params: { mode: "form", message, requestedSchema: { type: "object", properties, required } },
  };
}

function sample(text: string, maxTokens: number): ClientRequest {
  return {
    method: "sampling/createMessage",
    params: { messages: [{ role: "user", content: { type: "text", text } }], maxTokens },
  };
}

const roots: ClientRequest = { method: "roots/list", params: {} };

function pause(context: ToolContext, delayMs: number): Promise<void> {
  return context.host.sleep(delayMs, context.signal);
}

async function log(context: ToolContext, text: string): Promise<void> {
  await context.emit({ kind: "log", level: "info", text });
}

async function logged(context: ToolContext): Promise<string> {
  await log(context, "Tool execution started");
  await pause(context, 20);
  await log(context, "Tool processing data");
  await pause(context, 20);
  await log(context, "Tool execution completed");
  return "Logged three messages";
}

async function progressed(context: ToolContext): Promise<string> {
  for (const done of [0, 50, 100]) {
    await context.emit({ kind: "progress", text: `${done} of 100`, done, all: 100 });
    await pause(context, 20);
  }
  return "Reached 100 of 100";
}

const answered = [
  tool("test_input_required_result_elicitation", async (context) => {
    const { content: given } = await ask(
      context,
      "user_name",
      form("What is your name?", { name: { type: "string" } }),
    );
    return `Hello, ${(given as { name?: string } | undefined)?.name ?? "stranger"}!`;
  }),
  tool(
    "test_input_required_result_sampling",
    async (context) =>
      `The model says ${JSON.stringify((await ask(context, "capital_question", sample("What is the capital of France?", 100)))["content"])}`,
  ),
  tool(
    "test_input_required_result_list_roots",
    async (context) => `Roots: ${JSON.stringify((await ask(context, "client_roots", roots))["roots"])}`,
  ),
  tool(
    "test_input_required_result_request_state",
    async (context) =>
      `state-ok ${JSON.stringify(await ask(context, "confirm", form("Please confirm", { ok: { type: "boolean" } })))}`,
  ),
  tool(
    "test_input_required_result_tampered_state",
    async (context) =>
      `state-ok ${JSON.stringify(await ask(context, "confirm", form("Please confirm", { ok: { type: "boolean" } })))}`,
  ),
  tool("test_input_required_result_multiple_inputs", async (context) => {
    const answers = await Promise.all([
      ask(context, "user_name", form("What is your name?", { name: { type: "string" } })),
      ask(context, "greeting", sample("Generate a greeting", 50)),
      ask(context, "client_roots", roots),
    ]);
    return answers.map((answer) => JSON.stringify(answer)).join("\n");
  }),
  tool("test_input_required_result_multi_round", async (context) => {
    const name = await ask(context, "step1", form("Step 1: What is your name?", { name: { type: "string" } }));
    const color = await ask(
      context,
      "step2",
      form("Step 2: What is your favorite color?", { color: { type: "string" } }),
    );
    return `${JSON.stringify(name)} ${JSON.stringify(color)}`;
  }),
  tool("test_input_required_result_capabilities", async (context) => {
    const wanted = [
      ["name", form("What is your name?", { name: { type: "string" } })],
      ["model", sample("Say hello", 50)],
    ] as const;
    const answers = await Promise.all(
      wanted
        .filter(([, { method }]) => context.client?.canAnswer(method))
        .map(([key, request]) => ask(context, key, request)),
    );
    return JSON.stringify(answers);
  }),
  tool("test_streaming_elicitation", async (context) =>
    JSON.stringify(await ask(context, "color", form("Which color?", { color: { type: "string" } }))),
  ),
  tool("test_missing_capability", async (context) =>
    JSON.stringify(await ask(context, "model", sample("Say hello", 50))),
  ),
];

const defaults: JsonObject = {
  name: { type: "string", default: "John Doe" },
  age: { type: "integer", default: 30 },
  score: { type: "number", default: 95.5 },
  status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
  verified: { type: "boolean", default: true },
};

const titled = (start: string, titles: readonly string[]): JsonObject[] =>
  titles.map((title, index) => ({ const: `${start}${index + 1}`, title }));
const enums: JsonObject = {
  untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
  titledSingle: { type: "string", oneOf: titled("value", ["First Option", "Second Option", "Third Option"]) },
  legacyEnum: {
    type: "string",
    enum: ["opt1", "opt2", "opt3"],
    enumNames: ["Option One", "Option Two", "Option Three"],
  },
  untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
  titledMulti: { type: "array", items: { anyOf: titled("value", ["First Choice", "Second Choice", "Third Choice"]) } },
};

async function elicited(context: ToolContext, properties: JsonObject): Promise<string> {
  const { action, content: given } = await ask(context, "form", form("Please fill this in", properties, []));
  return `Elicitation completed: action=${String(action)}, content=${JSON.stringify(given ?? {})}`;
}

let changes = 0;

const tools = [
  tool("test_simple_text", () => "This is a simple text response for testing."),
  tool("test_image_content", () => content({ type: "image", mediaType: "image/png", base64: PNG })),
  tool("test_audio_content", () => content({ type: "audio", mediaType: "audio/wav", base64: WAV })),
  tool("test_embedded_resource", () =>
    content({
      type: "resource",
      uri: "test://embedded-resource",
      mediaType: "text/plain",
      text: "This is an embedded resource content.",
    }),
  ),
  tool("test_multiple_content_types", () =>
    content(
      { type: "text", text: "Multiple content types test:" },
      { type: "image", mediaType: "image/png", base64: PNG },
      {
        type: "resource",
        uri: "test://mixed-content-resource",
        mediaType: "application/json",
        text: '{"test":"data","value":123}',
      },
    ),
  ),
  tool("test_tool_with_logging", logged),
  tool("test_logging_tool", logged),
  tool("test_tool_with_progress", progressed),
  tool("test_error_handling", () => failed("This tool intentionally returns an error for testing")),
  tool("test_elicitation_sep1034_defaults", (context) => elicited(context, defaults)),
  tool("test_elicitation_sep1330_enums", (context) => elicited(context, enums)),
  // The suite's trigger does what people do: it puts a definition into a folder.
  tool("test_trigger_tool_change", () => {
    writeFileSync(
      join(toolFolder, "appeared.tool"),
      `Says ${++changes}.\n@name appeared\n@wrapped run_command\n@command echo ${changes}\n@tags read\n`,
    );
    return "A tool has changed";
  }),
  tool("test_trigger_prompt_change", () => {
    writeFileSync(
      join(toolFolder, "appeared_prompt.tool"),
      `Asks for ${++changes}.\n@name appeared_prompt\n@wrapped ask_model\n`,
    );
    return "A prompt has changed";
  }),
  defineTool({
    name: "test_sampling",
    description: "Asks the client's model.",
    effects: ["read"],
    parameters: { prompt: string("What to ask", { required: true }) },
    run: async ({ prompt }, context) =>
      `LLM response: ${JSON.stringify((await ask(context, "model", sample(prompt, 100)))["content"])}`,
  }),
  defineTool({
    name: "test_elicitation",
    description: "Asks the client's person.",
    effects: ["read"],
    parameters: { message: string("What to ask", { required: true }) },
    run: async ({ message }, context) =>
      `User response: ${JSON.stringify(await ask(context, "person", form(message, { username: { type: "string", description: "User's response" }, email: { type: "string", description: "User's email address" } })))}`,
  }),
  ...answered,
  defineTool({
    name: "json_schema_2020_12_tool",
    description: "Tool with JSON Schema 2020-12 features",
    effects: ["read"],
    parameters: {
      name: string("A name"),
      contactMethod: string("How"),
      phone: string("Where"),
      email: string("Where"),
    },
    inputSchema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: {
        address: {
          $anchor: "addressDef",
          type: "object",
          properties: { street: { type: "string" }, city: { type: "string" } },
        },
      },
      properties: {
        name: { type: "string" },
        address: { $ref: "#/$defs/address" },
        contactMethod: { type: "string", enum: ["phone", "email"] },
        phone: { type: "string" },
        email: { type: "string" },
      },
      allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
      if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ["phone"] },
      else: { required: ["email"] },
      additionalProperties: false,
    },
    run: ({ name }) => `Hello, ${name ?? "stranger"}!`,
  }),
  defineTool({
    name: "test_custom_header",
    description: "Has an argument that a header repeats.",
    effects: ["read"],
    parameters: { region: string("Where", { required: true }) },
    inputSchema: {
      type: "object",
      properties: { region: { type: "string", "x-mcp-header": "Region" } },
      required: ["region"],
    },
    run: ({ region }) => `In ${region}`,
  }),
];

export default definePlugin({
  name: "conformance",
  tools,
  resources: [
    {
      uri: "test://static-text",
      name: "static-text",
      description: "A text",
      mediaType: "text/plain",
      read: () => "This is the content of the static text resource.",
    },
    {
      uri: "test://static-binary",
      name: "static-binary",
      description: "A picture",
      mediaType: "image/png",
      read: () => new Uint8Array(Buffer.from(PNG, "base64")),
    },
    {
      uri: "test://watched-resource",
      name: "watched-resource",
      description: "A text that may change",
      mediaType: "text/plain",
      read: () => "Nothing has changed yet.",
    },
    {
      uri: "test://template/{id}/data",
      name: "template",
      description: "Data by its id",
      mediaType: "application/json",
      read: (_uri, { id = "" }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
    },
  ],
  prompts: [
    {
      name: "test_simple_prompt",
      description: "A prompt without arguments",
      messages: () => "This is a simple prompt for testing.",
    },
    {
      name: "test_prompt_with_arguments",
      description: "A prompt with two arguments",
      arguments: [
        { name: "arg1", description: "The first", required: true, suggestions: ["paris", "park", "party"] },
        { name: "arg2", description: "The second", required: true },
      ],
      messages: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
    },
    {
      name: "test_prompt_with_embedded_resource",
      description: "A prompt with a resource in it",
      arguments: [{ name: "resourceUri", description: "The address of the resource", required: true }],
      messages: ({ resourceUri = "" }) => [
        {
          role: "user",
          content: {
            type: "resource",
            uri: resourceUri,
            mediaType: "text/plain",
            text: "Embedded resource content for testing.",
          },
        },
        { role: "user", content: { type: "text", text: "Please process the embedded resource above." } },
      ],
    },
    {
      name: "test_prompt_with_image",
      description: "A prompt with a picture in it",
      messages: () => [
        { role: "user", content: { type: "image", mediaType: "image/png", base64: PNG } },
        { role: "user", content: { type: "text", text: "Please analyze the image above." } },
      ],
    },
    {
      name: "test_input_required_result_prompt",
      description: "A prompt that asks the client first",
      messages: async (_args, { client }) => {
        const answer = await client?.ask(
          "user_context",
          form("What context should the prompt use?", { context: { type: "string" } }),
        );
        return `Use this context: ${JSON.stringify(answer?.["content"] ?? {})}`;
      },
    },
  ],
});
