import { createNodeHost } from "../../src/core/host/node-host.ts";
import { callTool } from "../../src/core/run/call-tool.ts";
import { failureText } from "../../src/core/run/failure-text.ts";
import { consentOfPerson } from "../../src/core/run/judge.ts";
import type { Session } from "../../src/core/run/session.ts";
import { integer, string } from "../../src/core/schema/declare.ts";
import { baseTool, okText } from "../../src/core/tool/base-tool.ts";
import type { ToolResult } from "../../src/core/tool/call.ts";
import { type Failure, LONGER_LIMIT } from "../../src/core/tool/failure.ts";
import type { PolicyRule } from "../../src/core/tool/policy-rule.ts";
import { createRegistry } from "../../src/core/tool/registry.ts";
import type { Tool } from "../../src/core/tool/tool.ts";
import { assert, suite } from "../harness.ts";
import { type MemoryHost, memoryHost } from "../memory-host.ts";

const test = suite("call-tool");

const echo = baseTool({
  name: "echo",
  title: "Echo",
  description: "Says it.",
  effects: [],
  parameters: { text: string("What", { required: true }) },
  execute: async ({ text }) => okText(text),
});
const loop = baseTool({
  name: "loop",
  title: "Loop",
  description: "Calls itself.",
  effects: [],
  parameters: { depth: integer("Reached", { default: 1 }) },
  execute: async ({ depth }, context) => {
    const below = await context.invoke("loop", { depth: depth + 1 });
    return below.status === "ok" ? below : { status: "failed", content: [], failure: below.failure };
  },
});
const hang = baseTool({
  name: "hang",
  title: "Hang",
  description: "Waits until it is told to stop.",
  effects: [],
  parameters: {},
  timeoutMs: 1000,
  execute: (_args, context) =>
    new Promise((resolve) => {
      context.signal.addEventListener("abort", () =>
        resolve({ status: "failed", content: [], failure: { kind: "cancelled" } }),
      );
    }),
});
const deaf = baseTool({
  name: "deaf",
  title: "Deaf",
  description: "Never ends.",
  effects: [],
  parameters: {},
  timeoutMs: 1000,
  execute: () => new Promise(() => undefined),
});
const crash = baseTool({
  name: "crash",
  title: "Crash",
  description: "Throws.",
  effects: [],
  parameters: {},
  execute: () => {
    throw new TypeError("oops");
  },
});

function openSession(
  options: {
    readonly host?: MemoryHost;
    readonly policy?: readonly PolicyRule[];
    readonly tools?: readonly Tool[];
    readonly agrees?: boolean;
  } = {},
): Session & { readonly host: MemoryHost } {
  const tools = new Map(
    (options.tools ?? [echo, loop, hang, deaf, crash]).map((tool) => [tool.definition.name.value, tool]),
  );
  return {
    registry: createRegistry({ names: () => [...tools.keys()], build: (name) => tools.get(name) }),
    policy: options.policy ?? [consentOfPerson],
    approver: { ask: async () => (options.agrees ? "once" : "denied") },
    host: options.host ?? memoryHost(),
    cwd: "/work",
    audience: "person",
    setting: async () => undefined,
    memory: new Map(),
  };
}

function call(tool: string, args: unknown, session: Session): Promise<ToolResult> {
  return callTool({ id: "1", tool, arguments: args }, session, new AbortController().signal);
}

/** Lets everything that is ready run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

test("callTool gives the outcome with the call and its duration", async () => {
  assert.equal(await call("echo", { text: "hi" }, openSession()), {
    status: "ok",
    content: [{ type: "text", text: "hi" }],
    call: { id: "1", tool: "echo", arguments: { text: "hi" } },
    durationMs: 0,
  });
});

test("callTool answers an unknown tool with the nearest names", async () => {
  const result = await call("ehco", {}, openSession());
  assert.equal(result.status === "failed" && result.failure, {
    kind: "unknown-tool",
    name: "ehco",
    nearest: ["echo"],
    suggested: { tool: "echo", arguments: { text: "<text>" }, placeholders: ["text"] },
  });
});

test("callTool answers faulty arguments with arguments that would work", async () => {
  const result = await call("echo", { txet: 5 }, openSession());
  assert.equal(result.status === "failed" && result.failure, {
    kind: "invalid-arguments",
    tool: "echo",
    issues: [
      { path: "text", message: "expected string, got nothing" },
      { path: "txet", message: "`echo` has no such parameter; did you mean `text`?" },
    ],
    example: { text: "5" },
  });
});

test("callTool stops tools that call tools ten deep, with the whole path", async () => {
  const result = await call("loop", {}, openSession());
  assert.equal(result.status === "failed" && result.failure, {
    kind: "too-deep",
    path: Array.from({ length: 12 }, () => "loop"),
    depthMax: 10,
  });
});

test("callTool ends a tool at its deadline and says so", async () => {
  const session = openSession();
  const pending = call("hang", {}, session);
  await settle();
  session.host.advance(1000);
  const result = await pending;
  assert.equal(result.status === "failed" && result.failure, { kind: "timeout", limitMs: 1000 });
});

test("callTool leaves a tool behind that takes no notice of its deadline", async () => {
  const session = openSession();
  const pending = call("deaf", {}, session);
  await settle();
  session.host.advance(1000);
  await settle();
  session.host.advance(5000);
  const result = await pending;
  assert.equal(result.status === "failed" && result.failure, { kind: "timeout", limitMs: 1000 });
});

test("callTool tells a caller's cancel from a deadline", async () => {
  const stop = new AbortController();
  const pending = callTool({ id: "1", tool: "hang", arguments: {} }, openSession(), stop.signal);
  await settle();
  stop.abort();
  const result = await pending;
  assert.equal(result.status === "failed" && result.failure, { kind: "cancelled" });
});

test("callTool runs nothing for a caller who has given up already", async () => {
  const result = await callTool({ id: "1", tool: "crash", arguments: {} }, openSession(), AbortSignal.abort());
  assert.equal(result.status === "failed" && result.failure, { kind: "cancelled" });
});

test("callTool reports what a tool throws as a bug of that tool", async () => {
  const result = await call("crash", {}, openSession());
  assert.ok(result.status === "failed" && result.failure.kind === "crashed");
  assert.equal(
    result.status === "failed" &&
      result.failure.kind === "crashed" && [result.failure.tool, result.failure.error.message],
    ["crash", "oops"],
  );
});

const deny: PolicyRule = {
  name: "no-echo",
  decision: "deny",
  reason: "use something else",
  matches: (prepared) => prepared.tool.definition.name.value === "echo",
};

test("callTool lets the strictest rule decide", async () => {
  const result = await call("echo", { text: "hi" }, openSession({ policy: [consentOfPerson, deny] }));
  assert.equal(result.status === "failed" && result.failure, {
    kind: "denied",
    tool: "echo",
    verdict: {
      decision: "deny",
      matched: [
        { name: "called by a person", decision: "allow", reason: consentOfPerson.reason },
        { name: "no-echo", decision: "deny", reason: "use something else" },
      ],
    },
  });
});

test("callTool asks where no rule matches, and does as the approver says", async () => {
  assert.is((await call("echo", { text: "hi" }, openSession({ policy: [], agrees: true }))).status, "ok");
  const refused = await call("echo", { text: "hi" }, openSession({ policy: [], agrees: false }));
  assert.equal(refused.status === "failed" && refused.failure, {
    kind: "denied",
    tool: "echo",
    verdict: { decision: "ask", matched: [] },
  });
});

test("callTool judges nested calls as it judges the outer one", async () => {
  const outer = baseTool({
    name: "outer",
    title: "Outer",
    description: "Calls echo.",
    effects: [],
    parameters: {},
    execute: async (_args, context) => {
      const inner = await context.invoke("echo", { text: "hi" });
      return okText(inner.status === "failed" ? inner.failure.kind : "it ran");
    },
  });
  const result = await call("outer", {}, openSession({ tools: [outer, echo], policy: [consentOfPerson, deny] }));
  assert.equal(result.content, [{ type: "text", text: "denied" }]);
});

test("callTool says why a tool is unavailable here", async () => {
  const { definition } = echo;
  const needy: Tool = {
    ...echo,
    definition: {
      ...definition,
      platforms: ["windows"],
      requires: [{ program: "nope" }],
      depends: [{ tool: "missing" }, { tool: "loop", range: "^1.0.0" }],
    },
  };
  const result = await call("echo", { text: "hi" }, openSession({ tools: [needy, loop] }));
  assert.equal(result.status === "failed" && result.failure, {
    kind: "unavailable",
    tool: "echo",
    reasons: [
      "it only runs on windows; this is linux",
      "it needs the program `nope`, which is not on PATH",
      "it depends on the tool `missing`, which does not exist",
      "it depends on `loop` ^1.0.0; the installed `loop` has no `@version`",
    ],
    help: [
      "`dottool doctor` says how to get `nope`",
      "add a definition of `missing` to a tool folder; `dottool install --deps echo` looks for a package that has it",
      "get a definition of `loop` that is ^1.0.0",
    ],
  });
});

test("a registry's snapshot grows only into a new one, and keeps the tool that has a name", () => {
  const { registry } = openSession({ tools: [echo] });
  const extended = registry.extended([
    loop,
    { ...hang, definition: { ...hang.definition, name: echo.definition.name } },
  ]);
  assert.equal(registry.names(), ["echo"]);
  assert.equal(extended.value?.names(), ["echo", "loop"]);
  assert.is(extended.value?.find("echo"), echo);
  assert.equal(
    extended.diagnostics.map((diagnostic) => diagnostic.code),
    ["duplicate-tool"],
  );
});

test("callTool bounds the time that a pattern takes to check an argument", async () => {
  const slow = baseTool({
    name: "slow",
    title: "Slow",
    description: "Has a pattern that backtracks.",
    effects: [],
    parameters: { text: string("Text", { pattern: /(a+)+\1?/ }) },
    execute: async () => okText("ran"),
  });
  const session = { ...openSession({ tools: [slow] }), host: createNodeHost() };
  const result = await callTool(
    { id: "1", tool: "slow", arguments: { text: `${"a".repeat(50)}c` } },
    session,
    new AbortController().signal,
  );
  assert.equal(result.status === "failed" && result.failure, {
    kind: "limit",
    limit: 1000,
    unit: "ms to check the arguments",
    help: ["a pattern of its definition takes too long with this text; send less"],
  });
  const quick = baseTool({
    name: "quick",
    title: "Quick",
    description: "Has a pattern that backtracks elsewhere.",
    effects: [],
    parameters: { text: string("Text", { pattern: /(a+)+/ }) },
    execute: async () => okText("ran"),
  });
  const said = await callTool(
    { id: "1", tool: "quick", arguments: { text: `${"a".repeat(100_000)}c` } },
    { ...session, ...openSession({ tools: [quick] }), host: createNodeHost() },
    new AbortController().signal,
  );
  assert.is(said.status === "failed" && said.failure.kind, "invalid-arguments");
  assert.is(
    (
      await callTool(
        { id: "1", tool: "slow", arguments: { text: "a".repeat(50) } },
        session,
        new AbortController().signal,
      )
    ).status,
    "ok",
  );
});

test("Only a tool from a file is told to allow itself more time, and one of a thing is one", () => {
  const text = (failure: Failure): string => failureText(failure, { audience: "model", tool: "hang" });
  assert.is(text({ kind: "timeout", limitMs: 1000 }), "failed[timeout]: timed out after 1 s");
  assert.is(
    text({ kind: "timeout", limitMs: 1000, help: [LONGER_LIMIT] }),
    "failed[timeout]: timed out after 1 s\n  = set a longer limit with `@timeout` in the definition",
  );
  assert.is(
    text({ kind: "limit", limit: 1, unit: "seconds of processor time", help: [] }),
    "failed[limit]: stopped at the limit of 1 second of processor time",
  );
  assert.is(
    text({ kind: "limit", limit: 1, unit: "ms to check the arguments", help: [] }),
    "failed[limit]: stopped at the limit of 1 ms to check the arguments",
  );
});

test.run();
