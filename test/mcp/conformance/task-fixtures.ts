// The tools that the scenarios of the conformance suite for tasks name, as a plugin of dottool. Those that are to become
// tasks take longer than `background_after` of the test.
import {
  type ClientRequest,
  definePlugin,
  defineTool,
  failed,
  integer,
  type JsonObject,
  string,
  type ToolContext,
} from "dottool";

const LONG_MS = 600;

const pause = (context: ToolContext, ms: number): Promise<void> => context.host.sleep(ms, context.signal);

const question = (name: string, type: "boolean" | "string"): ClientRequest => ({
  method: "elicitation/create",
  params: {
    mode: "form",
    message: `Say \`${name}\``,
    requestedSchema: { type: "object", properties: { [name]: { type } }, required: [name] },
  },
});

async function ask(context: ToolContext, key: string, request: ClientRequest): Promise<JsonObject> {
  if (!context.client) throw new Error("nobody calls who could be asked");
  const { content } = await context.client.ask(key, request);
  return (content ?? {}) as JsonObject;
}

const common = { description: "A fixture of the conformance suite.", effects: ["read"] as const };

const tools = [
  defineTool({
    ...common,
    name: "greet",
    parameters: { name: string("Who", { required: true }) },
    run: ({ name }) => `Hello, ${name}!`,
  }),
  defineTool({
    ...common,
    name: "slow_compute",
    parameters: { seconds: integer("How long", { required: true }), label: string("A name") },
    run: async ({ seconds }, context) => {
      await pause(context, seconds * 1000);
      return `computed for ${seconds} s`;
    },
  }),
  defineTool({
    ...common,
    name: "failing_job",
    run: async (_args, context) => {
      await pause(context, LONG_MS);
      return failed("the job failed");
    },
  }),
  defineTool({
    ...common,
    name: "protocol_error_job",
    run: async (_args, context) => {
      await pause(context, LONG_MS);
      throw new Error("the job broke");
    },
  }),
  defineTool({
    ...common,
    name: "confirm_delete",
    parameters: { filename: string("What", { required: true }) },
    run: async ({ filename }, context) => {
      await pause(context, LONG_MS);
      const { confirm } = await ask(context, "confirm", question("confirm", "boolean"));
      return `${filename}: ${confirm === true ? "deleted" : "kept"}`;
    },
  }),
  defineTool({
    ...common,
    name: "multi_input",
    run: async (_args, context) => {
      await pause(context, LONG_MS);
      const answers = await Promise.all(["one", "two"].map((key) => ask(context, key, question("name", "string"))));
      return JSON.stringify(answers);
    },
  }),
  defineTool({
    ...common,
    name: "test_tool_with_task",
    run: async (_args, context) => {
      const { name } = await ask(context, "user_name", question("name", "string"));
      await pause(context, LONG_MS);
      return `Hello, ${String(name)}`;
    },
  }),
];

export default definePlugin({ name: "conformance-tasks", tools });
