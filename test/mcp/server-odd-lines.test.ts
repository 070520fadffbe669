// Lines with mistakes, and clients that read nothing: everything is answered or ends, with helpful messages.
import { spawn } from "node:child_process";
import { assert, present, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";
import { hello, request, startLines } from "./line-client.ts";

const test = suite("mcp/server odd lines");

const files = {
  "home/.config/dottool/config.yaml": "policy:\n  - decision: allow\n    tool: [echo_one]\n    front_end: mcp\n",
  "home/.config/dottool/tools/echo_one.tool":
    "Says one.\n@name echo_one\n@title Say\n@wrapped run_command\n@command echo one\n@tags read\n",
};

test("a request with parameters of wrong types is answered in words", async () => {
  using bench = testProject(files);
  const lines = startLines(bench);
  try {
    lines.send(hello);
    lines.send(request("warm", "ping"));
    await lines.count(2);
    const call = (more: object): readonly [string, unknown] => ["tools/call", { name: "echo_one", ...more }];
    const odd: readonly (readonly [string, unknown])[] = [
      ...[null, {}, 1.5, true].map((progressToken) => call({ _meta: { progressToken } })),
      call({ _meta: 5 }),
      call({ _meta: { "io.modelcontextprotocol/related-task": {} } }),
      ["resources/read", { uri: 5 }],
      ["tools/list", { cursor: null }],
      ["logging/setLevel", { level: "loud" }],
      ["prompts/get", { name: "x", arguments: { a: 1 } }],
      ["completion/complete", { ref: { type: "ref/prompt", name: "x" }, argument: {} }],
    ];
    for (const [id, [method, params]] of odd.entries()) lines.send(request(id, method, params));
    const answers = (await lines.count(2 + odd.length)).slice(2);
    assert.equal(
      answers.map(({ id, error }) => [id, error?.code]),
      odd.map((_, id) => [id, -32602]),
    );
    assert.not(answers.some(({ error }) => /[[{]/.test(error?.message ?? "")));
    const refused = [
      '"id":1e300',
      '"id":"a","more":1',
      '"id":"b","__proto__":{}',
      `"id":"c","params":{"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`,
    ];
    for (const part of refused) lines.send(`{"jsonrpc":"2.0","method":"ping",${part}}`);
    const later = (await lines.count(2 + odd.length + refused.length)).slice(2 + odd.length);
    assert.equal(
      later.map(({ id, error }) => [id, error?.code]),
      [
        [null, -32600],
        ["a", -32600],
        ["b", -32600],
        ["c", -32600],
      ],
    );
    // A method that the later revision removed is unknown there, whatever its parameters.
    lines.send(
      request("removed", "logging/setLevel", {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      }),
    );
    const last = (await lines.count(3 + odd.length + refused.length)).at(-1);
    assert.equal([last?.id, /`level`/.test(last?.error?.message ?? "")], ["removed", false]);
  } finally {
    await lines.end();
  }
});

test("a request with the id of one that is under way is not run, and the first one has its answer", async () => {
  using bench = testProject({
    ...files,
    "home/.config/dottool/config.yaml": "policy:\n  - {decision: allow, tool: once, front_end: mcp}\n",
    "home/.config/dottool/tools/once.tool":
      "Says that it runs, and waits for `go`.\n@name once\n@title Once\n@wrapped run_command\n@shell sh\n@command echo ran >> runs; until [ -e go ]; do sleep 0.02; done; cat runs\n",
  });
  const lines = startLines(bench);
  try {
    lines.send(hello);
    await lines.count(1);
    for (let time = 0; time < 2; time++) lines.send(request(7, "tools/call", { name: "once" }));
    const [, refused] = await lines.count(2);
    assert.equal(refused, {
      jsonrpc: "2.0",
      id: null,
      error: {
        code: -32600,
        message: "the request with the id 7 is still running, so this one was not run; give each request its own id",
      },
    });
    bench.write("go", "");
    const [, , answer] = await lines.count(3);
    assert.equal([answer?.id, answer?.result?.content], [7, [{ type: "text", text: "ran\n" }]]);
    lines.send(request(7, "ping"));
    assert.equal((await lines.count(4))[3], { result: {}, jsonrpc: "2.0", id: 7 });
  } finally {
    await lines.end();
  }
});

test("answers that nobody asked for, and names that every object has, change nothing", async () => {
  using bench = testProject(files);
  const lines = startLines(bench);
  try {
    lines.send(hello);
    await lines.count(1);
    for (const id of [1, 2, "1", "__proto__"]) {
      lines.send(JSON.stringify({ jsonrpc: "2.0", id, result: { action: "accept" } }));
      lines.send(JSON.stringify({ jsonrpc: "2.0", id, error: { code: 1, message: "no" } }));
    }
    for (const requestId of [1, {}, null, "constructor"])
      lines.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } }));
    const odd: readonly (readonly [string, unknown])[] = [
      ...["constructor", "__proto__", "toString"].map((name) => [name, {}] as const),
      ...["constructor", "__proto__"].map((name) => ["tools/call", { name }] as const),
      ["prompts/get", { name: "__proto__" }],
      ["resources/read", { uri: "__proto__" }],
      ["ping", undefined],
    ];
    for (const [id, [method, params]] of odd.entries()) lines.send(request(id, method, params));
    const answers = (await lines.count(1 + odd.length))
      .slice(1)
      .toSorted((one, other) => Number(one.id) - Number(other.id));
    assert.equal(
      answers.map(({ error }) => error?.code),
      [-32601, -32601, -32601, -32602, -32602, -32602, -32602, undefined],
    );
  } finally {
    await lines.end();
  }
});

test("arguments that are no object are answered with the call that is meant, `null` is none, and a last line needs no end", async () => {
  using bench = testProject({
    ...files,
    "home/.config/dottool/tools/shop/price.tool":
      "Tells a price.\n@name shop/price\n@title Price\n@wrapped run_command\n@command echo {thing}\n@param thing {string} [required] What\n@tags read\n",
  });
  const lines = startLines(bench);
  try {
    const called = async (id: number, params: unknown): Promise<string> => {
      lines.send(request(id, "tools/call", params));
      const { result, error } = (await lines.count(id + 1))[id] ?? {};
      return (
        error?.message ??
        (present(result).content as readonly { readonly text: string }[]).map(({ text }) => text).join("")
      );
    };
    lines.send(hello);
    await lines.count(1);
    assert.equal(
      await called(1, { name: "shop__price", arguments: '{"thing": "tea"}' }),
      'failed[invalid-arguments]: `shop__price` does not accept these arguments\n  expected an object with the arguments, got the string "{\\"thing\\": \\"tea\\"}"\n  = call it like this: {"name":"shop__price","arguments":{"thing":"tea"}}',
    );
    assert.equal(await called(2, { name: "echo_one", arguments: null }), "one\n");
    assert.equal(
      await called(3, { name: "price", arguments: { thing: "tea" } }),
      'failed[unknown-tool]: there is no tool `price`; did you mean `shop__price`?\n  = call it like this: {"name":"shop__price","arguments":{"thing":"tea"}}',
    );
    lines.sendPart(request(4, "ping"));
    assert.equal(await lines.end(), 0);
    assert.equal((await lines.count(5))[4], { result: {}, jsonrpc: "2.0", id: 4 });
  } finally {
    await lines.end();
  }
});

// Deno waits for the reader of a pipe, and does nothing else.
if (!("Deno" in globalThis)) {
  test("a client that reads nothing keeps the server from its end no longer than any other", async () => {
    using bench = testProject(files);
    const exitCodeAfter = async (signal?: "SIGTERM"): Promise<number | null> => {
      const child = spawn(bench.program.command, [...bench.program.words, "mcp"], {
        cwd: bench.folder,
        env: bench.program.environment,
        stdio: ["pipe", "pipe", "inherit"],
      });
      const exited = new Promise<number | null>((resolve) => child.on("exit", resolve));
      child.stdin.on("error", () => undefined);
      child.stdin.write(
        `${[hello, ...Array.from({ length: 100 }, (_, id) => request(id, "tools/list"))].join("\n")}\n`,
      );
      // Its beginning shows that the rest is on the way.
      await new Promise((resolve) => child.stdout.once("readable", resolve));
      if (signal) child.kill(signal);
      else child.stdin.end();
      return await exited;
    };
    assert.equal(await Promise.all([exitCodeAfter(), exitCodeAfter("SIGTERM")]), [0, 0]);
  });
}

test.run();
