// Search among more tools than a model can choose from.
import { string } from "../../src/core/schema/declare.ts";
import { baseTool, okText } from "../../src/core/tool/base-tool.ts";
import type { Tool } from "../../src/core/tool/tool.ts";
import { assert, suite } from "../harness.ts";
import { type LoopRun, runScript } from "./agent-fixture.ts";
import { call, done, type Turn } from "./scripted-turn.ts";

const test = suite("agent/search-tool");

/** Returns a tool that is only offered after a search, like one of a definition. */
function named(name: string): Tool {
  const tool = baseTool({
    name,
    title: "Say",
    description: "Says it.",
    effects: ["read"],
    parameters: { text: string("What", { required: true }) },
    execute: async ({ text }) => okText(`${name}: ${text}`),
  });
  return {
    ...tool,
    definition: { ...tool.definition, origin: { kind: "plugin", plugin: "test" } } as Tool["definition"],
  };
}

const tools = ["ana/say", "ben_says", "cy_says"].map(named);
const search = async (
  query: string,
): Promise<readonly { readonly name: string; readonly title: string; readonly summary: string }[]> =>
  [...tools.map(({ definition }) => definition.name.value), "hidden_says"]
    .filter((name) => name.includes(query))
    .map((name) => ({ name, title: "Say", summary: "Says it." }));
const ENDS = ["ask_question", "converse", "task_completion"];

function told({ server }: LoopRun): readonly (readonly string[])[] {
  return server.bodies.map((body) =>
    (body["tools"] as readonly { readonly function: { readonly name: string } }[])
      .map((tool) => tool.function.name)
      .filter((name) => !ENDS.includes(name)),
  );
}

function results({ entries }: LoopRun): readonly string[] {
  return entries.flatMap((entry) => (entry.kind === "result" ? [entry.text] : []));
}

test("a model is told of a search, and of the tools that it has found from then on", async () => {
  const ran = await runScript(
    [
      { calls: [call("search_tools", { query: "ana" })] },
      { calls: [call("ana__say", { text: "hi" }), call("cy_says", { text: "unfound" })] },
      done("Done."),
    ],
    { tools, search },
  );
  assert.equal(
    [ran.end, ran.server.refused, told(ran)],
    [
      { how: "completed", text: "Done.\n" },
      [],
      [["search_tools"], ["search_tools", "ana__say"], ["search_tools", "ana__say", "cy_says"]],
    ],
  );
  assert.equal(results(ran).slice(0, 3), ["ana__say: Say. Says it.\n", "ana/say: hi\n", "cy_says: unfound\n"]);
  const resumed = await runScript([done("Done.")], { tools, search, before: ran.entries.slice(0, -1) });
  assert.equal(told(resumed), [["search_tools", "ana__say", "cy_says"]]);
});

test("a search finds what is offered alone, and says when it finds nothing", async () => {
  const ran = await runScript(
    [
      {
        calls: [
          call("search_tools", { query: "hidden" }),
          call("search_tools", { query: "says" }),
          call("search_tools", {}),
        ],
      },
      done("Done."),
    ],
    { tools, search },
  );
  assert.equal(results(ran).slice(0, 2), [
    "no tool matches; try other words, or fewer\n",
    "ben_says: Say. Says it.\ncy_says: Say. Says it.\n",
  ]);
  assert.match(
    results(ran)[2] ?? "",
    /^failed\[invalid-arguments\]: `search_tools` does not accept these arguments\n {2}query {2}expected string, got nothing/,
  );
});

test("in text a model is told of the tools that it has found in the prompt", async () => {
  const inText = (name: string, args: object): Turn => ({
    text: [`<tool>${JSON.stringify({ tool_name: name, arguments: args })}</tool>`],
  });
  const ran = await runScript(
    [
      inText("search_tools", { query: "ben" }),
      inText("ben_says", { text: "hi" }),
      inText("task_completion", { result: "Done." }),
    ],
    { tools, search, provider: { toolsAsText: true } },
  );
  const prompts = ran.server.bodies.map(
    (body) => (body["messages"] as readonly { readonly content: string }[])[0]?.content ?? "",
  );
  assert.equal(
    [ran.end, prompts.map((prompt) => prompt.includes("\n## ben_says\n")), results(ran)[1]],
    [{ how: "completed", text: "Done.\n" }, [false, true, true], "ben_says: hi\n"],
  );
});

test.run();
