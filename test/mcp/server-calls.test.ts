// The view of clients on running calls and on changing folders, in both eras.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";
import { connectTo, eras } from "./server-fixture.ts";

const test = suite("mcp/server calls");

const script = (name: string, lines: string): string =>
  `Runs.\n@name ${name}\n@title Run\n@wrapped run_command\n@shell sh\n@script\n${lines.replaceAll(/^/gm, "    ")}\n@tags read\n`;
const folder = "home/.config/dottool/tools";
const files = {
  [`${folder}/long.tool`]: script("long", "seq 1 20000"),
  [`${folder}/talk.tool`]: script("talk", "echo begun; sleep 300"),
  [`${folder}/stay.tool`]: script("stay", "sleep 300 & echo $! > child.pid; echo begun; wait"),
  [`${folder}/typed.tool`]:
    "Gives an object.\n@name typed\n@title Typed\n@wrapped run_command\n@command echo '{\"count\": 3}'\n@returns {object} what there is\n@tags read\n",
  [`${folder}/summary.tool`]:
    "Sums something up.\n@name summary\n@title Summary\n@wrapped ask_model\n@with prompt = Sum up {topic} in {words} words.\n@param topic {string} [required] What\n@param words {integer} [default=50] How long\n",
};

async function withClient(
  era: (typeof eras)[number],
  body: (client: Client, bench: TestProject) => Promise<void>,
  prepare?: (client: Client) => void,
): Promise<void> {
  using bench = testProject(files);
  const agree = (made: Client): void => {
    made.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { decision: "once" } }));
    prepare?.(made);
  };
  const client = await connectTo(bench, { era, capabilities: { elicitation: {} }, prepare: agree });
  try {
    await body(client, bench);
  } finally {
    await client.close();
  }
}

/** Settles when `isSo` is true. The test's own time limit ends the wait. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}

for (const era of eras) {
  test(`${era}: output that is cut links to the whole, structured results are structured, prompts are filled in`, () =>
    withClient(era, async (client) => {
      const { content } = (await client.callTool({ name: "long" })) as { content: { type: string; uri?: string }[] };
      const link = content.find(({ type }) => type === "resource_link");
      const { contents } = await client.readResource({ uri: link?.uri ?? "" });
      assert.equal(
        (contents[0] as { text: string }).text,
        Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join(""),
      );

      assert.equal((await client.callTool({ name: "typed" })).structuredContent, { count: 3 });

      const { prompts } = await client.listPrompts();
      assert.equal(
        prompts.map(({ name, arguments: args }) => [name, args?.map(({ name: own, required }) => [own, required])]),
        [
          [
            "summary",
            [
              ["topic", true],
              ["words", false],
            ],
          ],
        ],
      );
      const { messages } = await client.getPrompt({ name: "summary", arguments: { topic: "rain", words: "20" } });
      assert.equal(messages, [{ role: "user", content: { type: "text", text: "Sum up rain in 20 words." } }]);
      const wrong = await client.getPrompt({ name: "summary", arguments: { topic: "rain", words: "few" } }).then(
        () => undefined,
        (error: unknown) => error as { code: number },
      );
      assert.equal(wrong?.code, -32602);
    }));

  test(`${era}: progress tells what a call says, and a cancel ends its processes`, () =>
    withClient(era, async (client, bench) => {
      const stop = new AbortController();
      const told: string[] = [];
      const call = client
        .callTool({ name: "stay" }, { signal: stop.signal, onprogress: ({ message }) => void told.push(message ?? "") })
        .then(
          () => "done",
          () => "cancelled",
        );
      await until(() => told.includes("begun"));
      const child = Number(readFileSync(join(bench.folder, "child.pid"), "utf8"));
      assert.equal(isRunning(child), true);
      stop.abort();
      assert.equal(await call, "cancelled");
      await until(() => !isRunning(child));
    }));

  test(`${era}: a file that comes or goes changes the list for everybody, a folder that goes stops nothing, and a call ends as it began`, async () => {
    let changes = 0;
    const prepare = (client: Client): void =>
      client.setNotificationHandler("notifications/tools/list_changed", () => void changes++);
    await withClient(
      era,
      async (client, bench) => {
        if (era === "2026-07-28") await client.listen({ toolsListChanged: true });
        const names = async (): Promise<readonly string[]> => (await client.listTools()).tools.map(({ name }) => name);
        const has = async (name: string): Promise<boolean> => (await names()).includes(name);
        const stop = new AbortController();
        let begun = false;
        const running = client
          .callTool(
            { name: "talk" },
            { signal: stop.signal, onprogress: ({ message }) => void (begun ||= message === "begun") },
          )
          .then(
            () => "done",
            () => "cancelled",
          );
        await until(() => begun);
        assert.equal(await has("dropped"), false);
        bench.write(`${folder}/dropped.tool`, script("dropped", "echo here"));
        await until(() => changes === 1);
        assert.equal(await has("dropped"), true);
        assert.equal((await client.callTool({ name: "dropped" })).content, [{ type: "text", text: "here\n" }]);
        rmSync(join(bench.folder, folder), { recursive: true });
        await until(() => changes === 2);
        assert.equal([await has("dropped"), await has("read_file")], [false, true]);
        mkdirSync(join(bench.folder, folder));
        bench.write(`${folder}/again.tool`, script("again", "echo again"));
        await until(() => changes === 3);
        assert.equal(await has("again"), true);
        stop.abort();
        assert.equal(await running, "cancelled");
        assert.ok(existsSync(bench.folder));
      },
      prepare,
    );
  });
}

test.run();
