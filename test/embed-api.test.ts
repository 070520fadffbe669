// What a program gets that embeds dottool beside calls: declarations, replies, answers, definitions, an MCP server.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import {
  checkDefinition,
  completeDefinition,
  createMcpServer,
  explainDefinition,
  formatDefinition,
  openTools,
  parseDefinition,
  readReply,
} from "../src/dottool.ts";
import { assert, present, suite } from "./harness.ts";

const test = suite("embedding");

const count =
  "Counts.\n\n@title Count\n@name count\n@wrapped run_command\n@command echo counted {to}\n@param to {integer} [required] Where to end\n@tags read\n";
const erase =
  "Erases.\n\n@title Erase\n@name erase\n@wrapped run_command\n@command rm -- {file}\n@param file {path} [required] Which\n";

async function inProject(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "dottool-embedding-"));
  try {
    mkdirSync(join(folder, ".tools"));
    writeFileSync(join(folder, ".tools", "count.tool"), count);
    writeFileSync(join(folder, ".tools", "erase.tool"), erase);
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const opened = (folder: string): ReturnType<typeof openTools> =>
  openTools({ cwd: folder, toolFolders: [join(folder, ".tools")] });

/** Replies of each API with the same two calls: one that is fine, and one whose argument is not. */
const calls = [
  { id: "a1", name: "count", arguments: { to: 2 } },
  { id: "a2", name: "count", arguments: { to: "many" } },
];
const replies = {
  openai: {
    choices: [
      {
        message: {
          role: "assistant",
          content: null,
          tool_calls: calls.map(({ id, name, arguments: args }) => ({
            id,
            type: "function",
            function: { name, arguments: JSON.stringify(args) },
          })),
        },
      },
    ],
  },
  anthropic: {
    type: "message",
    role: "assistant",
    content: calls.map(({ id, name, arguments: input }) => ({ type: "tool_use", id, name, input })),
  },
  "openai-responses": {
    object: "response",
    output: calls.map(({ id, name, arguments: args }) => ({
      type: "function_call",
      call_id: id,
      name,
      arguments: JSON.stringify(args),
    })),
  },
  gemini: {
    candidates: [
      {
        content: { role: "model", parts: calls.map(({ name, arguments: args }) => ({ functionCall: { name, args } })) },
      },
    ],
  },
} as const;

test("a round trip of each API needs nothing but the program's own request", () =>
  inProject(async (folder) => {
    const tools = await opened(folder);
    for (const [api, reply] of Object.entries(replies)) {
      const declared = JSON.stringify(await tools.declarations(api as keyof typeof replies, ["count"]));
      assert.match(declared, '"count"');
      assert.match(declared, "Where to end");
      const answered = await tools.answer(reply);
      assert.is(answered.api, api);
      assert.equal(
        answered.answers.map(({ isError }) => isError),
        [false, true],
        api,
      );
      const messages = JSON.stringify(answered.messages);
      assert.match(messages, "counted 2");
      assert.match(messages, "expected integer");
    }
    await tools.close();
  }));

test("a reply without a call, and text, are answered too", () =>
  inProject(async (folder) => {
    const tools = await opened(folder);
    assert.equal((await tools.answer({ role: "assistant", content: "Done." }, { api: "openai" })).answers, []);
    const { messages } = await tools.answer('<tool>{"tool_name": "count", "arguments": {"to": 2}}</tool>');
    assert.match(String(messages), "counted 2");
    assert.match(String(await tools.declarations("text", ["count"])), "count");
    await tools.close();
  }));

test("the calls of a reply are a model's: what needs approval is not run", () =>
  inProject(async (folder) => {
    const tools = await opened(folder);
    const reply = {
      role: "assistant",
      content: [{ type: "tool_use", id: "e", name: "erase", input: { file: "kept.txt" } }],
    };
    writeFileSync(join(folder, "kept.txt"), "kept");
    const [answer] = (await tools.answer(reply, { api: "anthropic" })).answers;
    assert.match(present(answer).text, "was not approved");
    // The program's own call is its own.
    assert.is((await tools.call("erase", { file: "kept.txt" })).status, "ok");
    await tools.close();
  }));

test("a result suggests only tools that the program has declared", () =>
  inProject(async (folder) => {
    const tools = await opened(folder);
    const reply = { role: "assistant", content: [{ type: "tool_use", id: "c", name: "cuont", input: { to: 2 } }] };
    const said = async (): Promise<string> =>
      present((await tools.answer(reply, { api: "anthropic" })).answers[0]).text;
    assert.match(await said(), "`count`");
    await tools.declarations("anthropic", ["erase"]);
    assert.not.match(await said(), "`count`");
    await tools.declarations("anthropic", ["count"]);
    assert.match(await said(), "`count`");
    await tools.close();
  }));

test("readReply names what is wrong", async () => {
  assert.equal(
    (await readReply(JSON.stringify(replies.openai))).calls.map((call) => call.kind === "sound" && call.arguments),
    calls.map((call) => call.arguments),
  );
  const said = async (body: unknown, api?: string): Promise<string> =>
    readReply(body, api as never).then(
      () => "",
      (error: unknown) => String(error),
    );
  assert.match(await said(3), "TypeError: `readReply` expects the body of a response");
  assert.match(await said({ a: 1 }), "not of a known API");
  assert.match(await said(replies.openai, "anthropc"), "TypeError: `readReply` knows the APIs");
});

test("declarations name the tool or form that there is not", () =>
  inProject(async (folder) => {
    const tools = await opened(folder);
    const said = async (form: string, names?: readonly string[]): Promise<string> =>
      tools.declarations(form as never, names).then(
        () => "",
        (error: unknown) => String(error),
      );
    assert.match(await said("openai", ["coun"]), "did you mean `count`?");
    assert.match(await said("opnai"), "knows the forms json-schema, mcp, openai");
    assert.match(JSON.stringify(await tools.declarations("mcp")), '"name":"erase"');
    await tools.close();
  }));

test("a definition is checked, parsed and formatted as a text", async () => {
  assert.equal(await checkDefinition(count), []);
  const { definition } = await parseDefinition(count);
  assert.equal(
    definition?.parameters.map(({ name, schema }) => [name, schema.type]),
    [["to", "integer"]],
  );
  const [problem] = await checkDefinition(count.replace("{to}\n", "{t}\n"));
  assert.is(problem?.code, "unknown-placeholder");
  assert.is(problem?.line, 6);
  assert.is(await formatDefinition(count.replace("@title Count", "@title   Count")), await formatDefinition(count));
  const yaml = "type: prompt\n";
  assert.is(await formatDefinition(yaml, "a.yaml"), yaml);
  assert.ok((await checkDefinition(yaml, "a.yaml")).length > 0);
});

test("a definition is completed and explained as a text, beside the tools of a folder", () =>
  inProject(async (folder) => {
    const text = "@wrapped count\n@with t";
    const here = { path: "more.tool", cwd: folder };
    assert.equal(await completeDefinition(text, text.length, here), [
      { text: "to", kind: "parameter", does: "Where to end", start: text.length - 1, end: text.length },
    ]);
    assert.equal(await completeDefinition(text, text.length), []);
    const explained = await explainDefinition(text, 12, here);
    assert.ok(explained?.text.startsWith("**Count** `count`"), explained?.text);
    assert.equal([explained?.start, explained?.end], [9, 14]);
    assert.is(await explainDefinition(text, text.length), undefined);
  }));

test("createMcpServer serves a client of the SDK in the same process", () =>
  inProject(async (folder) => {
    const server = await createMcpServer({ cwd: folder, toolFolders: [join(folder, ".tools")] });
    const [here, there] = InMemoryTransport.createLinkedPair();
    const connection = await server.connect(there);
    const client = new Client({ name: "test", version: "1" });
    await client.connect(here);
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === "count"));
    const result = await client.callTool({ name: "count", arguments: { to: 2 } });
    assert.match(JSON.stringify(result.content), "counted 2");
    await client.close();
    await connection.close();
    const odd = await createMcpServer({ cwd: folder, only: ["nothing"] }).catch((error: unknown) => String(error));
    assert.match(String(odd), "nothing");
  }));

test.run();
