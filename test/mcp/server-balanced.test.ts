// Two servers behind HAProxy, which gives each request to the next one: no session, no sticky client. What one of them
// asked, began, counted or was allowed, the other one knows.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { freePort } from "../queue-server.ts";
import { type TestProject, testProject } from "../test-project.ts";
import { whenThere } from "../cli/runs-fixture.ts";
import { startHttp } from "./server-fixture.ts";

const test = suite("mcp/server balanced");

const TOKEN = "a-token-that-both-servers-share";
const tool = (name: string, script: string, lines = ""): string =>
  `${name}.\n\n@name ${name}\n@title ${name}\n@wrapped run_command\n@shell sh\n@command ${script}\n${lines}`;
const FOLDER = "home/.config/dottool/tools";
const files = {
  "home/.config/dottool/config.yaml":
    "mcp: {background_after: 0.3s}\npolicy:\n  - {decision: allow, tool: [who, slow, seldom]}\n",
  [`${FOLDER}/who.tool`]: tool("who", "echo $PPID"),
  [`${FOLDER}/slow.tool`]: tool("slow", "echo begin > begun; until test -e go; do sleep 0.02; done; echo end"),
  [`${FOLDER}/seldom.tool`]: tool("seldom", "echo yes", "@limit rate=3/min\n"),
  [`${FOLDER}/mark.tool`]: tool(
    "mark",
    "echo {line} >> marks",
    "@param line {string} [required] Line\n@confirm Sure?\n",
  ),
};

interface Answer {
  readonly status: number;
  readonly session: string | null;
  readonly result?: {
    readonly resultType?: string;
    readonly requestState?: string;
    readonly taskId?: string;
    readonly status?: string;
    readonly isError?: boolean;
    readonly content?: readonly { readonly text: string }[];
    readonly result?: { readonly content: readonly { readonly text: string }[] };
  };
  readonly error?: { readonly code: number };
}

type Ask = (method: string, params: Readonly<Record<string, unknown>>) => Promise<Answer>;

interface Balanced {
  readonly bench: TestProject;
  readonly pids: readonly string[];
  readonly ask: Ask;
  readonly call: (name: string, params?: Readonly<Record<string, unknown>>) => Promise<Answer>;
}

async function withBalancer(body: (balanced: Balanced) => Promise<void>): Promise<void> {
  const [haproxy = ""] = needPrograms("haproxy");
  using bench = testProject(files);
  const environment = { DOTTOOL_MCP_TOKEN: TOKEN };
  const servers = await Promise.all([startHttp(bench, [], environment), startHttp(bench, [], environment)]);
  const port = await freePort();
  const path = join(bench.folder, "haproxy.cfg");
  writeFileSync(
    path,
    configuration(
      port,
      servers.map((server) => server.port),
    ),
  );
  const balancer = spawn(haproxy, ["-db", "-f", path], { stdio: "ignore" });
  try {
    await whenOpen(port);
    const ask: Ask = (method, params) => send(port, method, params);
    await body({
      bench,
      pids: servers.map((server) => `${server.process.pid}`),
      ask,
      call: (name, params = {}) => ask("tools/call", { name, arguments: {}, ...params }),
    });
  } finally {
    balancer.kill("SIGKILL");
    await Promise.all(servers.map((server) => server.stop()));
  }
}

const configuration = (port: number, servers: readonly number[]): string => `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend clients
  bind 127.0.0.1:${port}
  default_backend dottool
backend dottool
  balance roundrobin
${servers.map((one, index) => `  server copy${index} 127.0.0.1:${one}\n`).join("")}`;

async function send(port: number, method: string, params: Readonly<Record<string, unknown>>): Promise<Answer> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {
      elicitation: {},
      extensions: { "io.modelcontextprotocol/tasks": {} },
    },
  };
  const name = params["name"] ?? params["taskId"];
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${TOKEN}`,
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(typeof name === "string" ? { "mcp-name": name } : {}),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
  });
  const text = await response.text();
  const json = text.startsWith("{") ? text : (/^data: (\{.*"id":1.*)$/m.exec(text)?.[1] ?? "{}");
  return {
    ...(JSON.parse(json) as object),
    status: response.status,
    session: response.headers.get("mcp-session-id"),
  };
}

function whenOpen(port: number): Promise<void> {
  return new Promise((resolve) => {
    const attempt = (): void => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.destroy();
        resolve();
      });
      socket.on("error", () => setTimeout(attempt, 20));
    };
    attempt();
  });
}

test("requests go to both servers in turn, without a session", () =>
  withBalancer(async ({ pids, call }) => {
    const answers: Answer[] = [];
    for (let count = 0; count < 4; count++) answers.push(await call("who"));
    assert.equal(
      [...new Set(answers.map(({ result }) => result?.content?.[0]?.text.trim()))].toSorted(),
      pids.toSorted(),
    );
    assert.equal([...new Set(answers.map(({ session }) => session))], [null]);
  }));

test("a task that one server runs is looked at through the other one, and ends with its result", () =>
  withBalancer(async ({ bench, ask, call }) => {
    const { result } = await call("slow");
    assert.equal([result?.resultType, result?.status], ["task", "working"]);
    const taskId = result?.taskId ?? "";
    const looks = [await ask("tasks/get", { taskId }), await ask("tasks/get", { taskId })];
    assert.equal(
      looks.map((look) => look.result?.status),
      ["working", "working"],
    );
    bench.write("go", "");
    for (;;) {
      const look = await ask("tasks/get", { taskId });
      if (look.result?.status === "working") continue;
      assert.equal([look.result?.status, look.result?.result?.content[0]?.text], ["completed", "end\n"]);
      const other = await ask("tasks/get", { taskId });
      assert.is(other.result?.result?.content[0]?.text, "end\n");
      return;
    }
  }));

test("a rate limit counts the calls of both servers", () =>
  withBalancer(async ({ call }) => {
    const failed: boolean[] = [];
    for (let count = 0; count < 4; count++) failed.push((await call("seldom")).result?.isError === true);
    assert.equal(failed, [false, false, false, true]);
  }));

test("a question of one server is answered to the other, once", () =>
  withBalancer(async ({ bench, call }) => {
    const args = { arguments: { line: "one" } };
    const asked = await call("mark", args);
    assert.is(asked.result?.resultType, "input_required");
    const answered = {
      ...args,
      requestState: asked.result?.requestState,
      inputResponses: { "may it run": { action: "accept", content: { decision: "once" } } },
    };
    assert.is((await call("mark", answered)).result?.isError, undefined);
    assert.is((await call("mark", answered)).error?.code, -32602);
    assert.is(await whenThere(join(bench.folder, "marks")), "one\n");
    assert.is(readFileSync(join(bench.folder, "marks"), "utf8"), "one\n");
  }));

test("what a person allows or forbids counts in both servers at once", () =>
  withBalancer(async ({ bench, call }) => {
    bench.write("home/.config/dottool/config.yaml", "policy:\n  - {decision: deny, tool: who, reason: not now}\n");
    const denied = [await call("who"), await call("who")];
    assert.equal(
      denied.map(({ result }) => result?.isError),
      [true, true],
    );
    bench.write("home/.config/dottool/config.yaml", "policy:\n  - {decision: allow, tool: who}\n");
    const allowed = [await call("who"), await call("who")];
    assert.equal(
      allowed.map(({ result }) => result?.isError),
      [undefined, undefined],
    );
  }));

test.run();
