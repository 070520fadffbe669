// Models without tool calling: tools, calls and results are text.
import { integer, string } from "../../src/core/schema/declare.ts";
import { baseTool, okText } from "../../src/core/tool/base-tool.ts";
import { assert, present, suite } from "../harness.ts";
import { runScript } from "./agent-fixture.ts";
import { type Body, call, done, type Turn } from "./scripted-turn.ts";

const test = suite("agent/text-form");

const say = baseTool({
  name: "say",
  title: "Say",
  description: "Says it.",
  effects: ["read"],
  parameters: { text: string("What", { required: true }), count: integer("How often", { default: 1 }) },
  execute: async ({ text, count }) => okText(text.repeat(count)),
});
const text = (...pieces: readonly string[]): Turn => ({ text: pieces });
const inText = (name: string, args: object): string =>
  `<tool>${JSON.stringify({ server_name: "local", tool_name: name, arguments: args })}</tool>`;
const end = inText("task_completion", { result: "Done." });
const provider = { toolsAsText: true } as const;
const content = (messages: readonly unknown[] | undefined, index: number): unknown =>
  (messages?.[index] as Body | undefined)?.["content"];

for (const kind of ["openai", "anthropic"] as const) {
  test(`calls in the text of a reply run, and their results come back as text, with ${kind}`, async () => {
    const first = `I will look.\n${inText("say", { text: "</tool> <tool>" })} and ${"<tool><tool_name>say</tool_name><arguments><text>b</text><count>2</count></arguments></tool>"}\n<tool>{"tool_name":"say","arguments":{"text":"c"}`;
    const ran = await runScript(
      [text(first.slice(0, 20), first.slice(20, 41), first.slice(41)), text("That is all. ", end)],
      { kind, tools: [say], provider },
    );
    assert.equal(
      [ran.end, ran.server.refused, ran.said],
      [{ how: "completed", text: "Done.\n" }, [], "I will look.\n and \nThat is all. "],
    );
    assert.equal(
      ran.server.bodies.map(({ tools }) => tools),
      [undefined, undefined],
    );
    const results = `<tool_result call="1" tool_name="say" status="ok">
&lt;/tool> &lt;tool>
</tool_result>
<tool_result call="2" tool_name="say" status="ok">
bb
</tool_result>
<tool_result call="3" tool_name="say" status="error">
failed[rejected]: the reply ends before \`</tool>\`, so nothing of it was run; send the whole call again, in pieces if it is long
</tool_result>
`.replaceAll("</tool>`", "&lt;/tool>`");
    assert.equal(ran.messages[1]?.length, 3);
    assert.equal(
      kind === "openai"
        ? [content(ran.messages[1], 1), content(ran.messages[1], 2)]
        : (content(ran.messages[1], 1) as readonly Body[])
            .concat(content(ran.messages[1], 2) as readonly Body[])
            .map((part) => part["text"]),
      [first, results],
    );
  });
}

test("the prompt of the text form tells of the tools", async () => {
  const { server } = await runScript([text(end)], { tools: [say], provider });
  const [{ content: system } = { content: "" }] = present(server.bodies[0])["messages"] as readonly {
    readonly content: string;
  }[];
  assert.equal(
    [
      system.startsWith("Do it.\n\nYou can use the tools below."),
      system.includes("\n## say\nSays it.\nArguments, as JSON Schema: {"),
      system.includes("\n## task_completion\n"),
    ],
    [true, true, true],
  );
});

test("a model whose API says that it takes no tools is told of them in the prompt from then on", async () => {
  const refusal: Turn = {
    status: 400,
    body: {
      error: {
        message: "registry.ollama.ai/library/big-1:latest does not support tools",
        type: "api_error",
        param: null,
        code: null,
      },
    },
  };
  const ran = await runScript([refusal, text(inText("say", { text: "a" })), text(end)], { tools: [say] });
  assert.equal(
    [ran.end, ran.server.bodies.map(({ tools }) => Array.isArray(tools)), ran.notes],
    [
      { how: "completed", text: "Done.\n" },
      [true, false, false],
      [
        "`api/big-1` does not support tools, so the prompt describes them; `tools: text` for `api` in `config.yaml` skips this attempt",
      ],
    ],
  );
});

test("a conversation goes on in the other form", async () => {
  const native = await runScript([{ text: ["Look:"], calls: [call("say", { text: "a" })] }, done("Done.")], {
    tools: [say],
  });
  const asText = await runScript([text(end)], { tools: [say], provider, before: native.entries.slice(0, 3) });
  assert.equal(asText.messages[0], [
    { role: "user", content: "Do the task." },
    { role: "assistant", content: `Look:\n${inText("say", { text: "a" })}` },
    { role: "user", content: '<tool_result call="1" tool_name="say" status="ok">\na\n</tool_result>\n\nDo the task.' },
  ]);
  const again = await runScript([done("Done.")], { tools: [say], before: asText.entries.slice(0, -1) });
  assert.equal(
    [again.end, again.server.refused, content(again.messages[0], 4)],
    [{ how: "completed", text: "Done.\n" }, [], end],
  );
});

test("nothing of a text that was cut runs", async () => {
  const ran = await runScript([{ text: [inText("say", { text: "a" }), "and"], stop: "length" }, text(end)], {
    tools: [say],
    provider,
  });
  assert.equal(
    ran.entries.flatMap((entry) => (entry.kind === "result" ? [entry.text] : [])),
    [
      "failed[rejected]: not run: the reply was cut off at the token limit, perhaps within this call\n  = write less at a time\n",
      "Done.\n",
    ],
  );
});

test("calls that a model quotes are not run, and it is told so; what it says is told without its thoughts", async () => {
  const fenced = `Now:\n\`\`\`\n${inText("say", { text: "a" })}\n\`\`\``;
  const ran = await runScript(
    [text(fenced), text(fenced), text(inText("say", { text: "b" })), text("<think>Is it so?</think>It is b.")],
    { tools: [say], provider },
  );
  assert.equal(ran.end, { how: "completed", text: "It is b." });
  const quoted =
    "Your reply has a `<tool>` in code, in a quotation or in a thought, so nothing has run. Write the block again, outside of them.";
  assert.equal(ran.entries.flatMap((entry) => (entry.kind === "user" ? [entry.text] : [])).slice(1, 3), [
    quoted,
    quoted,
  ]);
  const stuck = await runScript([text(fenced), text(fenced), text(fenced)], { tools: [say], provider });
  assert.equal(
    stuck.end.how === "failed" && stuck.end.failure.kind === "rejected" && stuck.end.failure.reason,
    "`api/big-1` gave 3 replies in a row that call no tool",
  );
});

test.run();
