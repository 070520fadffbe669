// Calls that take long: a client that knows tasks gets a task, another one a handle as text, and both get the result
// later, also from another server.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";
import { isAlive, STATE, storedRuns, whenGone, whenThere, withoutIds } from "../cli/runs-fixture.ts";
import { type Lines, request, startLines } from "./line-client.ts";
import { connectTo } from "./server-fixture.ts";

const test = suite("mcp/server tasks");

const SLOW = `Slow.

@name slow
@title Slow
@wrapped run_command
@shell sh
@param token {string} [secret] A token
@command echo begin; sleep 1000 & echo $! > child; while ! test -e go; do sleep 0.02; done; echo end {token}; kill $!
`;
const FOLDER = "home/.config/dottool/tools";

async function withFixture(after: string | undefined, body: (bench: TestProject) => Promise<void>): Promise<void> {
  const bench = testProject({
    [`${FOLDER}/slow.tool`]: SLOW,
    ...(after === undefined
      ? {}
      : {
          "home/.config/dottool/config.yaml": `mcp: {background_after: ${after}}\npolicy:\n  - {decision: allow, tool: slow}\n`,
        }),
  });
  try {
    await body(bench);
  } finally {
    bench.remove();
  }
}

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
};

interface TaskMessage {
  readonly id?: unknown;
  readonly result?: {
    readonly resultType?: string;
    readonly taskId?: string;
    readonly status?: string;
    readonly statusMessage?: string;
    readonly result?: { readonly content: readonly { readonly text: string }[] };
    readonly error?: { readonly message: string };
  };
  readonly error?: { readonly code: number };
}

/** Sends a request of the revision 2026-07-28 and returns the answer. */
async function ask(server: Lines, method: string, params: object): Promise<TaskMessage> {
  const id = `${method} ${Math.random()}`;
  server.send(request(id, method, { ...params, _meta: meta }));
  for (let count = 1; ; count++) {
    const found = (await server.count(count)).find((message) => message.id === id);
    if (found) return found as TaskMessage;
  }
}

async function startTask(server: Lines, bench: TestProject, args: object = {}): Promise<string> {
  const { result } = await ask(server, "tools/call", { name: "slow", arguments: args });
  assert.equal([result?.resultType, result?.status], ["task", "working"]);
  await whenThere(join(bench.folder, "child"), (text) => text.endsWith("\n"));
  return result?.taskId ?? "";
}

async function whenStatus(server: Lines, taskId: string, status: string): Promise<NonNullable<TaskMessage["result"]>> {
  for (let looks = 0; looks < 400; looks++) {
    const { result } = await ask(server, "tasks/get", { taskId });
    if (result?.status === status) return result;
    await new Promise((resolve) => void setTimeout(resolve, 25));
  }
  throw new Error(`the task is never ${status}`);
}

const childIn = (bench: TestProject): number => Number(readFileSync(join(bench.folder, "child"), "utf8"));

test("a task has its result, without secrets, also from a server that starts later", () =>
  withFixture("50ms", async (bench) => {
    const server = startLines(bench);
    const taskId = await startTask(server, bench, { token: "f00dcafe77" });
    writeFileSync(join(bench.folder, "go"), "");
    const done = await whenStatus(server, taskId, "completed");
    assert.match(done.result?.content[0]?.text ?? "", /begin\nend •••/);
    await server.end();
    const later = startLines(bench);
    assert.equal(await whenStatus(later, taskId, "completed"), done);
    assert.is((await ask(later, "tasks/get", { taskId: taskId.replace(/.$/, "x") })).error?.code, -32602);
    assert.is(
      (await ask(later, "tasks/get", { taskId: `${taskId.slice(0, 22)}-${"0".repeat(32)}` })).error?.code,
      -32602,
    );
    await later.end();
    const folder = join(bench.folder, STATE, "runs", storedRuns(bench)[0] ?? "");
    for (const file of readdirSync(folder)) assert.not.match(readFileSync(join(folder, file), "utf8"), /f00dcafe77/);
    assert.match(
      withoutIds(await bench.run(["runs", "show", "last"])).stdout,
      /caller +a client of `dottool mcp`\n(?:.*\n)* {2}state +done/,
    );
  }));

test("tasks/cancel and `dottool runs cancel` end a call with its processes, and not the server", () =>
  withFixture("50ms", async (bench) => {
    const server = startLines(bench);
    for (const byClient of [true, false]) {
      const taskId = await startTask(server, bench);
      const child = childIn(bench);
      if (byClient) assert.is((await ask(server, "tasks/cancel", { taskId })).result?.resultType, "complete");
      else assert.match((await bench.run(["runs", "cancel", "last"])).stdout, /was cancelled/);
      await whenStatus(server, taskId, "cancelled");
      await whenGone(child);
    }
    await server.end();
  }));

test("the task of a server that was killed has failed, and one that ends cancels its tasks", () =>
  withFixture("50ms", async (bench) => {
    const killed = startLines(bench);
    const lost = await startTask(killed, bench);
    process.kill(killed.pid, "SIGKILL");
    await whenGone(killed.pid);
    const server = startLines(bench);
    const { error } = await whenStatus(server, lost, "failed");
    assert.match(error?.message ?? "", /ended without a result/);
    const taskId = await startTask(server, bench);
    const child = childIn(bench);
    await server.end();
    assert.not.ok(isAlive(child));
    const later = startLines(bench);
    await whenStatus(later, taskId, "cancelled");
    await later.end();
  }));

test("a client that does not know tasks gets a handle, and the result from check_run", () =>
  withFixture("50ms", async (bench) => {
    const client = await connectTo(bench, { era: "2025-11-25" });
    const said = async (name: string, args: Record<string, unknown>): Promise<readonly [unknown, string]> => {
      const { content, isError } = await client.callTool({ name, arguments: args });
      return [isError, (content as readonly { readonly text: string }[]).map(({ text }) => text).join("")];
    };
    try {
      const names = (await client.listTools()).tools.map(({ name }) => name);
      assert.ok(names.includes("check_run"));
      const [, first] = await said("slow", {});
      const run = /\{"run": "([^"]+)"\}/.exec(first)?.[1] ?? "";
      assert.match(first, /^`slow` is still running, and goes on in the background as run /);
      assert.match((await said("check_run", { run, wait_s: 0 }))[1], /^`slow` is still running, since /);
      writeFileSync(join(bench.folder, "go"), "");
      assert.equal(await said("check_run", { run }), [undefined, "begin\nend\n"]);
      assert.equal(await said("check_run", { run: "x" }), [
        true,
        "there is no run `x`; `run` is the handle that a call returned",
      ]);
    } finally {
      await client.close();
    }
  }));

test("without the setting, other clients wait, and are not offered check_run", () =>
  withFixture(undefined, async (bench) => {
    const client = await connectTo(bench, { era: "2025-11-25" });
    try {
      assert.not.ok((await client.listTools()).tools.some(({ name }) => name === "check_run"));
      assert.not.ok(existsSync(join(bench.folder, STATE, "runs")));
    } finally {
      await client.close();
    }
  }));

test("the status of a task says which step runs", () =>
  withFixture("50ms", async (bench) => {
    bench.write(
      `${FOLDER}/walk.tool`,
      "Walks.\n\n@name walk\n@title Walk\n@step first sh\n    true\n@step second sh\n    while ! test -e go; do sleep 0.02; done\n",
    );
    bench.write("home/.config/dottool/config.yaml", "mcp: {background_after: 50ms}\n");
    const server = startLines(bench);
    const { result } = await ask(server, "tools/call", { name: "walk", arguments: {} });
    const taskId = result?.taskId ?? "";
    for (let looks = 0; ; looks++) {
      const status = (await ask(server, "tasks/get", { taskId })).result?.statusMessage;
      if (status === "second: running") break;
      if (looks > 400) throw new Error(`its status is ${status}`);
    }
    writeFileSync(join(bench.folder, "go"), "");
    await whenStatus(server, taskId, "completed");
    await server.end();
  }));

test("a tool that only runs as a task is one at once, and is refused to a client that would have to wait", () =>
  withFixture(undefined, async (bench) => {
    const settings = (mcp: string): void =>
      bench.write("home/.config/dottool/config.yaml", `mcp: {${mcp}}\npolicy:\n  - {decision: allow, tool: slow}\n`);
    settings("tasks_only: [slow]");
    const server = startLines(bench);
    const taskId = await startTask(server, bench);
    writeFileSync(join(bench.folder, "go"), "");
    await whenStatus(server, taskId, "completed");
    await server.end();
    const texts: string[] = [];
    for (const mcp of ["tasks_only: [slow]", "tasks_only: slow, background_after: 5m"]) {
      settings(mcp);
      const client = await connectTo(bench, { era: "2025-11-25" });
      const { content } = await client.callTool({ name: "slow", arguments: {} });
      texts.push((content as readonly { readonly text: string }[]).map(({ text }) => text).join(""));
      await client.close();
    }
    assert.is(
      texts[0],
      "`slow` only runs as a task, which this client does not know; a person can set `mcp: {background_after: 30s}`, which gives a handle to such clients",
    );
    assert.match(texts[1] ?? "", /^`slow` is still running, and goes on in the background as run /);
  }));

test.run();
