// Images in the results of tools, for models that see.
import { baseTool } from "../../src/core/tool/base-tool.ts";
import { assert, suite } from "../harness.ts";
import { type LoopRun, runScript } from "./agent-fixture.ts";
import { call, done, type Turn } from "./scripted-turn.ts";

const test = suite("agent/images");

const PNG = "iVBORw0KGgoA";
const look = baseTool({
  name: "look",
  title: "Look",
  description: "Looks.",
  effects: ["read"],
  parameters: {},
  execute: async () => ({
    status: "ok",
    content: [
      { type: "text", text: "Seen:" },
      { type: "image", mediaType: "image/png", base64: PNG },
      { type: "image", mediaType: "image/tiff", base64: PNG },
    ],
  }),
});
const looks: Turn = { calls: [call("look"), call("look")] };
const image = "Seen:\n(an image: image/png)\n(an image: image/tiff)\n";
const completed = { how: "completed", text: "Done.\n" };

function last({ messages }: LoopRun, request: number): unknown {
  return (messages[request]?.at(-1) as { readonly content: unknown } | undefined)?.content;
}

test("images of results stand behind all results of a reply, for Chat Completions", async () => {
  const ran = await runScript([looks, done("Done.")], { tools: [look] });
  const shown = (id: string): readonly unknown[] => [
    { type: "text", text: `An image from the result of \`look\` (${id}):` },
    { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
  ];
  assert.equal(
    [ran.end, ran.server.refused, last(ran, 1)],
    [completed, [], [...shown("call_1_1"), ...shown("call_1_2")]],
  );
  assert.equal(
    ran.messages[1]?.slice(2, 4),
    ["call_1_1", "call_1_2"].map((id) => ({ role: "tool", tool_call_id: id, content: image })),
  );
});

test("images of results stand behind all results of a reply, for Anthropic", async () => {
  const ran = await runScript([looks, done("Done.")], { tools: [look], kind: "anthropic" });
  const types = (last(ran, 1) as readonly { readonly type: string; readonly source?: unknown }[]).map(
    ({ type, source }) => (source ? [type, source] : type),
  );
  assert.equal(
    [ran.end, ran.server.refused, types],
    [
      completed,
      [],
      [
        "tool_result",
        "tool_result",
        ...["text", ["image", { type: "base64", media_type: "image/png", data: PNG }]],
        ...["text", ["image", { type: "base64", media_type: "image/png", data: PNG }]],
      ],
    ],
  );
});

test("images are shown beside results in text, and what the person says next stands behind them", async () => {
  const inText = '<tool>{"tool_name":"look"}</tool>';
  const ran = await runScript(
    [{ text: [inText] }, { text: ['<tool>{"tool_name":"converse","arguments":{"message":"Done."}}</tool>'] }],
    { tools: [look], provider: { toolsAsText: true } },
  );
  const content = last(ran, 1) as readonly { readonly type: string }[];
  assert.equal([ran.server.refused, content.map(({ type }) => type)], [[], ["text", "image_url"]]);
  const more = await runScript([done("Done.")], { tools: [look], before: ran.entries.slice(0, 3) });
  assert.equal(
    [more.end, more.server.refused, (last(more, 0) as readonly unknown[]).at(-1)],
    [completed, [], { type: "text", text: "Do the task." }],
  );
});

test("a model that takes no images is asked without them from then on", async () => {
  for (const [status, message] of [
    [400, "Invalid content type. image_url is only supported by certain models."],
    [404, "No endpoints found that support image input"],
    [500, "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"],
  ] as const) {
    const refusal: Turn = {
      status,
      body: { error: { message, type: "invalid_request_error", param: null, code: null } },
    };
    const ran = await runScript([looks, refusal, looks, done("Done.")], { tools: [look] });
    assert.equal(
      [ran.end, ran.notes, ran.server.bodies.map((body) => JSON.stringify(body).includes("image_url"))],
      [
        completed,
        ["`api/big-1` does not support images, so it is only told that there are some"],
        [false, true, false, false],
      ],
    );
  }
});

test("an image that is larger than an API takes is told in words", async () => {
  const large = baseTool({
    name: "look",
    title: "Look",
    description: "Looks.",
    effects: ["read"],
    parameters: {},
    execute: async () => ({
      status: "ok",
      content: [{ type: "image", mediaType: "image/png", base64: "A".repeat(5 * 1024 * 1024 + 4) }],
    }),
  });
  const ran = await runScript([{ calls: [call("look")] }, done("Done.")], { tools: [large] });
  assert.equal([ran.end, last(ran, 1)], [completed, "(an image: image/png)\n"]);
});

test("images of old results are left out where the conversation is too long", async () => {
  const full: Turn = {
    status: 400,
    body: {
      error: {
        message: "This model's maximum context length is 8192 tokens.",
        type: "invalid_request_error",
        param: "messages",
        code: "context_length_exceeded",
      },
    },
  };
  // The call between keeps these from being ten times the same.
  const turn: Turn = { calls: [call("look"), call("look"), call("none")] };
  const ran = await runScript([...Array.from({ length: 5 }, () => turn), full, done("Done.")], { tools: [look] });
  const count = (request: number): number =>
    JSON.stringify(ran.server.bodies[request]).split('image_url":{').length - 1;
  assert.equal([ran.end, count(5), count(6)], [completed, 10, 5]);
});

test.run();
