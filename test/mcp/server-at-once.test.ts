// Many requests and many clients at once: each id means one request, an abandoned call ends, and no client waits for
// another's calls.
import { execFileSync } from "node:child_process";
import { existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";
import { hello, request, startLines } from "./line-client.ts";
import { connectTo, type HttpServer, startHttp } from "./server-fixture.ts";

const test = suite("mcp/server at once");

/** Waits for a writer of the pipe `go`. A loop with `sleep` would start a thousand processes. */
const gated = `Waits.

@name gated
@title Gated
@wrapped run_command
@command sh -c 'echo $$ >> pids.txt; : <go; echo open'
@tags read
`;

/** A process runs while the person behind the client is asked. */
const asking = `Waits, and asks.

@name asking
@title Asking
@step first runs
    sh -c 'echo $$ >> pids.txt; exec sleep 300'
@step second uses ask_question [parallel]
    question = Which one?
@tags read
`;

const config =
  "policy:\n  - decision: allow\n    tool: gated\n    front_end: mcp\n  - decision: allow\n    tool: asking\n    front_end: mcp\n";

function benchOf(): TestProject {
  const bench = testProject({
    "home/.config/dottool/tools/gated.tool": gated,
    "home/.config/dottool/tools/asking.tool": asking,
    "home/.config/dottool/config.yaml": config,
  });
  execFileSync("mkfifo", [join(bench.folder, "go")]);
  return bench;
}

/** Lets the calls end that wait, and those to come: the pipe keeps this writer. */
function letThrough({ folder }: TestProject): void {
  openSync(join(folder, "go"), "r+");
}

function pidsIn({ folder }: TestProject): readonly number[] {
  const path = join(folder, "pids.txt");
  return existsSync(path)
    ? readFileSync(path, "utf8")
        .trim()
        .split("\n")
        .filter((line) => line !== "")
        .map(Number)
    : [];
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const LOOK_MS = 10;
/** The test's own limit comes first. */
const LOOKS_MAX = 10_000;

async function until(holds: () => boolean): Promise<void> {
  for (let look = 0; !holds() && look < LOOKS_MAX; look++) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

const started = (bench: TestProject, count: number): Promise<void> => until(() => pidsIn(bench).length >= count);
const ended = (bench: TestProject): Promise<void> => until(() => !pidsIn(bench).some(isRunning));

const headers = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": "2025-11-25",
};

interface Answer {
  readonly status: number;
  /** The message of the answer, or of its only event. */
  readonly message:
    | {
        readonly id?: unknown;
        readonly error?: { readonly code: number; readonly message: string };
        readonly result?: { readonly content?: readonly { readonly text?: string }[] };
      }
    | undefined;
}

interface HttpClient {
  send(body: string, signal?: AbortSignal): Promise<Answer>;
  end(): Promise<number>;
}

async function clientOf(server: HttpServer): Promise<HttpClient> {
  const begun = await fetch(server.url, { method: "POST", headers, body: hello });
  await begun.text();
  const own = { ...headers, "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
  return {
    send: (body, signal) => {
      const answer = fetch(server.url, { method: "POST", headers: own, body, ...(signal ? { signal } : {}) }).then(
        async (response) => ({ status: response.status, message: messageIn(await response.text()) }),
      );
      // After a failure, the test waits for none of them.
      answer.catch(() => undefined);
      return answer;
    },
    end: async () => (await fetch(server.url, { method: "DELETE", headers: own })).status,
  };
}

function messageIn(text: string): Answer["message"] {
  const json = text.startsWith("{") ? text : /^data: (\{.*\})$/m.exec(text)?.[1];
  return json === undefined ? undefined : (JSON.parse(json) as Answer["message"]);
}

const cancelling = (requestId: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
const calling = (id: number | string, name = "gated"): string => request(id, "tools/call", { name, arguments: {} });

test("over HTTP, a request with the id of one that is under way in its session is not run, and the first one has its answer", async () => {
  const bench = benchOf();
  const server = await startHttp(bench);
  try {
    const [one, other] = [await clientOf(server), await clientOf(server)];
    const first = one.send(calling(1));
    await started(bench, 1);
    const message = "the request with the id 1 is still running, so this one was not run; give each request its own id";
    assert.equal(await one.send(calling(1)), {
      status: 400,
      message: { jsonrpc: "2.0", id: 1, error: { code: -32600, message } },
    });
    // A text is another id, and each session has its own.
    const others = [one.send(calling("1")), other.send(calling(1))];
    await started(bench, 3);
    letThrough(bench);
    const answers = await Promise.all([first, ...others]);
    assert.equal(
      answers.map(({ status, message: answer }) => [status, answer?.id, answer?.result?.content?.[0]?.text]),
      [
        [200, 1, "open\n"],
        [200, "1", "open\n"],
        [200, 1, "open\n"],
      ],
    );
    assert.equal((await one.send(calling(1))).message?.result?.content?.[0]?.text, "open\n");
    assert.is(pidsIn(bench).length, 4);
  } finally {
    await server.stop();
    bench.remove();
  }
});

test("over HTTP, what is cancelled ends with its processes and its stream, and its id can be used again", async () => {
  const bench = benchOf();
  const server = await startHttp(bench);
  try {
    const client = await clientOf(server);
    const calls = Array.from({ length: 20 }, (_, id) => client.send(calling(id)));
    await started(bench, 16);
    for (const [id] of calls.entries()) await client.send(cancelling(id));
    assert.equal(
      (await Promise.all(calls)).map(({ status, message }) => [status, message]),
      calls.map(() => [200, undefined]),
    );
    await ended(bench);
    letThrough(bench);
    assert.equal((await client.send(calling(7))).message?.result?.content?.[0]?.text, "open\n");
  } finally {
    await server.stop();
    bench.remove();
  }
});

test("over HTTP, the end of a session, and of each connection, ends what runs and what waits for a place", async () => {
  const bench = benchOf();
  const server = await startHttp(bench);
  try {
    const client = await clientOf(server);
    const calls = Array.from({ length: 20 }, (_, id) => client.send(calling(id)));
    await started(bench, 16);
    assert.is(await client.end(), 200);
    await Promise.all(calls);
    await ended(bench);
    const gone = new AbortController();
    const second = await clientOf(server);
    const before = pidsIn(bench).length;
    const more = Array.from({ length: 20 }, (_, id) => second.send(calling(id), gone.signal).catch(() => undefined));
    await started(bench, before + 16);
    gone.abort();
    await Promise.all(more);
    await ended(bench);
    assert.equal(pidsIn(bench).filter(isRunning), []);
  } finally {
    await server.stop();
    bench.remove();
  }
});

test("a call that waits for its client's answer ends with its processes when it is cancelled, and when the client leaves", async () => {
  for (const leaves of [false, true]) {
    const bench = benchOf();
    const asked = Promise.withResolvers<void>();
    const client = await connectTo(bench, {
      era: "2025-11-25",
      capabilities: { elicitation: { form: {} } },
      prepare: (one) =>
        one.setRequestHandler("elicitation/create", () => {
          asked.resolve();
          return new Promise<never>(() => undefined);
        }),
    });
    try {
      const gone = new AbortController();
      const call = client.callTool({ name: "asking", arguments: {} }, { signal: gone.signal }).catch(() => undefined);
      await Promise.all([asked.promise, started(bench, 1)]);
      if (leaves) await client.close();
      else gone.abort();
      await call;
      await ended(bench);
      assert.equal(pidsIn(bench).map(isRunning), [false]);
    } finally {
      await client.close();
      bench.remove();
    }
  }
});

test("over stdio, an id that was cancelled can be used again, and a text is another id than a number", async () => {
  const bench = benchOf();
  const lines = startLines(bench);
  try {
    lines.send(hello);
    for (const id of [1, "1", 1]) lines.send(calling(id));
    await started(bench, 2);
    const refused = (await lines.count(2)).flatMap(({ error }) => error?.message ?? []);
    assert.equal(refused, [
      "the request with the id 1 is still running, so this one was not run; give each request its own id",
    ]);
    lines.send(cancelling(1));
    await until(() => pidsIn(bench).filter(isRunning).length === 1);
    lines.send(calling(1));
    await started(bench, 3);
    letThrough(bench);
    const answers = (await lines.count(4)).slice(2);
    assert.equal(new Set(answers.map(({ id }) => id)), new Set([1, "1"]));
    assert.is(await lines.end(), 0);
  } finally {
    await lines.end();
    bench.remove();
  }
});

test("a client with more calls than there are places does not hold up another's", async () => {
  const bench = benchOf();
  const server = await startHttp(bench);
  try {
    const greedy = await clientOf(server);
    const answered: (string | number)[] = [];
    const calls = Array.from({ length: 200 }, (_, id) => greedy.send(calling(id)));
    for (const call of calls)
      void call.then(
        ({ status }) => answered.push(status),
        () => undefined,
      );
    // At most 32 calls of one client run or wait at once.
    await until(() => answered.length === 168 && pidsIn(bench).length === 16);
    const [second, third] = [await clientOf(server), await clientOf(server)];
    for (const client of [second, third]) {
      const { message } = await client.send(request("ls", "tools/call", { name: "ls", arguments: {} }));
      assert.ok(message?.result?.content?.[0]?.text?.includes("pids.txt"), JSON.stringify(message));
      answered.push("another");
    }
    assert.equal(
      [answered, pidsIn(bench).filter(isRunning).length],
      [[...Array.from({ length: 168 }, () => 429), "another", "another"], 16],
    );
    letThrough(bench);
    await Promise.all(calls);
    assert.equal(
      answered.slice(170),
      Array.from({ length: 32 }, () => 200),
    );
  } finally {
    await server.stop();
    bench.remove();
  }
});

test("folders that change while calls run give no client more places", async () => {
  const bench = benchOf();
  const lines = startLines(bench);
  try {
    lines.send(hello);
    for (let id = 0; id < 16; id++) lines.send(calling(id));
    await started(bench, 16);
    bench.write("home/.config/dottool/tools/late.tool", gated.replace("@name gated", "@name late"));
    // The change of the list is reported after the answer to `initialize`.
    await lines.count(2);
    for (let id = 16; id < 32; id++) lines.send(calling(id));
    lines.send(request("ls", "tools/call", { name: "list_dir", arguments: { path: "." } }));
    await lines.count(3);
    assert.is(pidsIn(bench).length, 16);
    letThrough(bench);
    await lines.count(3 + 32);
  } finally {
    await lines.end();
    bench.remove();
  }
});

test("clients of the revision without sessions are told apart by what they say of themselves", async () => {
  const bench = benchOf();
  const server = await startHttp(bench);
  const modern = { ...headers, "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call" };
  const answered: number[] = [];
  const send = async (id: number, client: string, name: string): Promise<Answer> => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": { name: client, version: "1" },
    };
    const response = await fetch(server.url, {
      method: "POST",
      headers: { ...modern, "mcp-name": name },
      body: request(id, "tools/call", { name, arguments: {}, _meta: meta }),
    });
    const message = messageIn(await response.text());
    answered.push(response.status);
    return { status: response.status, message };
  };
  try {
    const calls = Promise.all(Array.from({ length: 40 }, (_, id) => send(id, "greedy", "gated")));
    calls.catch(() => undefined);
    await until(() => answered.length === 8 && pidsIn(bench).length === 16);
    const { message } = await send(1, "another", "ls");
    assert.ok(message?.result?.content?.[0]?.text?.includes("pids.txt"), JSON.stringify(message));
    assert.is(pidsIn(bench).filter(isRunning).length, 16);
    letThrough(bench);
    assert.is((await calls).filter(({ status }) => status === 200).length, 32);
  } finally {
    await server.stop();
    bench.remove();
  }
});

test.run();
