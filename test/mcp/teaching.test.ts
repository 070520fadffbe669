// A client of MCP repairs a wrong call from the answer alone, in both eras.
import type { Client } from "@modelcontextprotocol/client";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "../../src/core/schema/json.ts";
import { someOf } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { teachingRows } from "../run/teaching-rows.ts";
import { type TestProject, testProject } from "../test-project.ts";
import { connectTo, eras } from "./server-fixture.ts";

const test = suite("mcp teaching");

const tools = fileURLToPath(new URL("../run/teaching-tools/tools", import.meta.url));
/** Tools that only read. Messages of MCP carry JSON objects only. */
const readers: ReadonlySet<string> = new Set([
  "read_file",
  "head",
  "order",
  "ship",
  "between",
  "grep",
  "glob",
  "search_text",
  "sort_lines",
  "list_dir",
  "words",
  "first_lines",
  "show",
]);
const rows = teachingRows.filter(
  ({ tool, sent, meantTool }) => meantTool === undefined && readers.has(tool) && isPlainObject(sent),
);

function isPlainObject(value: unknown): value is JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return !Object.values(value).some(
    (item) =>
      item === undefined ||
      typeof item === "bigint" ||
      item instanceof Date ||
      (typeof item === "number" && !Number.isFinite(item)) ||
      (typeof item === "string" && !item.isWellFormed()),
  );
}

async function textOf(
  client: Client,
  name: string,
  args: JsonObject,
): Promise<{ readonly text: string; readonly isError: boolean }> {
  const { content, isError = false } = await client.callTool({ name, arguments: args });
  return { text: content.map((block) => (block.type === "text" ? block.text : "")).join("\n"), isError };
}

/**
 * Makes a bench whose home is beside the working folder, because reading a whole folder with dottool's own files is
 * asked about.
 */
function benchWithTools(): TestProject {
  const bench = testProject({
    "work/a.txt": "one\ntwo\nthree\n",
    "work/b.txt": "b\na\nb\n",
    "home/.config/dottool/config.yaml": "policy:\n  - {decision: allow, effect: read}\n",
  });
  return {
    ...bench,
    folder: join(bench.folder, "work"),
    program: { ...bench.program, environment: { ...bench.program.environment, DOTTOOL_PATH: tools } },
  };
}

for (const [index, era] of eras.entries()) {
  test(`the answer to a wrong call holds the right one, ${era}`, async () => {
    // The answers are the same in all eras, so each row is tried in one.
    const some = someOf(rows, eras.length, index);
    const bench = benchWithTools();
    const client = await connectTo(bench, { era });
    try {
      const seen: unknown[] = [];
      for (const { kind, tool, sent, placeholders } of some) {
        const wrong = await textOf(client, tool, sent as JsonObject);
        const line = /^ {2}= call it like this: (.*)$/m.exec(wrong.text)?.[1] ?? "{}";
        const { name, arguments: args } = JSON.parse(line) as { name: string; arguments: JsonObject };
        const right = placeholders === undefined ? await textOf(client, name, args) : { isError: false };
        seen.push({ kind, wasWrong: wrong.isError, name, args, isRight: !right.isError });
      }
      assert.equal(
        seen,
        some.map(({ kind, tool, meant }) => ({ kind, wasWrong: true, name: tool, args: meant, isRight: true })),
      );
      assert.ok(rows.length > 60, String(rows.length));
    } finally {
      await client.close();
      bench.remove();
    }
  });
}

test.run();
