// The description of the single tool of `--mode code` about all the others.
import { declarationsOf } from "../../src/features/mcp-server/code-mode.ts";
import { string } from "../../src/core/schema/declare.ts";
import { baseTool } from "../../src/core/tool/base-tool.ts";
import type { Tool } from "../../src/core/tool/tool.ts";
import { assert, suite } from "../harness.ts";

const test = suite("features/mcp-server/code-mode.ts");

function toolNamed(name: string, isOwn = false): Tool {
  const tool: Tool = baseTool({
    name,
    title: name,
    description: "Does something that takes a sentence to say.",
    parameters: { text: string("What it is done to, in a few words", { required: true }) },
    effects: ["read"],
    execute: () => Promise.resolve({ status: "ok", content: [] }),
  });
  return isOwn
    ? {
        ...tool,
        definition: {
          ...tool.definition,
          origin: { kind: "file", scope: "user", path: "/x.tool" } as unknown as Tool["definition"]["origin"],
        },
      }
    : tool;
}

const some = (count: number): readonly Tool[] =>
  Array.from({ length: count }, (_, index) => toolNamed(`tool_${index}`));

test("more tools never take less, and no more than there is room for", () => {
  const lengths = [1, 20, 70, 100, 200, 500, 1_000].map((count) => declarationsOf(some(count)).length);
  assert.equal(
    lengths,
    lengths.toSorted((one, other) => one - other),
  );
  assert.ok((lengths.at(-1) ?? 0) < 25_000);
  assert.ok(declarationsOf(some(5_000)).includes("There are 4") && declarationsOf(some(5_000)).length < 13_000);
});

test("every tool is declared or named, and the user's own are declared first", () => {
  const text = declarationsOf([...some(500), toolNamed("zebra", true)]);
  const seen = new Set([...text.matchAll(/\b(tool_\d+|zebra)\b/g)].map(([name]) => name));
  assert.equal([seen.size, text.includes("function zebra("), text.includes("function tool_499(")], [501, true, false]);
});

test.run();
