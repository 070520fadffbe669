// Every way out of the gate with a secret in it: none of the secret may be seen.
import { inspect } from "node:util";
import { callTool } from "../../src/core/run/call-tool.ts";
import { failureText } from "../../src/core/run/failure-text.ts";
import { consentOfPerson } from "../../src/core/run/judge.ts";
import type { Session } from "../../src/core/run/session.ts";
import { integer, string } from "../../src/core/schema/declare.ts";
import type { Parameter } from "../../src/core/schema/parameter.ts";
import { baseTool } from "../../src/core/tool/base-tool.ts";
import type { Outcome, ToolResult } from "../../src/core/tool/call.ts";
import type { Failure } from "../../src/core/tool/failure.ts";
import { createRegistry } from "../../src/core/tool/registry.ts";
import type { Tool, ToolContext } from "../../src/core/tool/tool.ts";
import { assert, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";

const test = suite("secrets");

const pins: Parameter = {
  name: "pins",
  description: "",
  required: false,
  secret: true,
  schema: { type: "array", items: { type: "integer", maximum: 99_999 } },
};

function vault(does: (token: string, context: ToolContext) => Promise<Outcome>): Tool {
  const tool = baseTool({
    name: "vault",
    title: "Vault",
    description: "Takes a secret.",
    effects: [],
    parameters: { token: string("The token", { required: true, pattern: /[a-zA-Z0-9+ ]+/ }), code: integer("Code") },
    execute: ({ token = "" }, context) => does(token, context),
  });
  const parameters = [
    ...tool.parameters.map(
      (parameter): Parameter =>
        parameter.name === "token" ? { ...parameter, secret: true, environment: "VAULT_TOKEN" } : parameter,
    ),
    pins,
  ];
  return { ...tool, parameters };
}

interface Seen {
  readonly result: ToolResult;
  readonly streamed: string;
}

async function callVault(
  args: unknown,
  does: (token: string, context: ToolContext) => Promise<Outcome>,
  environment: Readonly<Record<string, string>> = {},
): Promise<Seen> {
  const tool = vault(does);
  const events: Uint8Array[] = [];
  const session: Session = {
    registry: createRegistry({ names: () => ["vault"], build: (name) => (name === "vault" ? tool : undefined) }),
    policy: [consentOfPerson],
    approver: { ask: async () => "denied" },
    host: memoryHost({ environment }),
    cwd: "/work",
    audience: "person",
    setting: async () => undefined,
    memory: new Map(),
    onEvent: (event) =>
      void (event.kind === "output"
        ? events.push(event.bytes)
        : event.kind === "progress"
          ? events.push(new TextEncoder().encode(event.text))
          : undefined),
  };
  const result = await callTool({ id: "1", tool: "vault", arguments: args }, session, new AbortController().signal);
  return { result, streamed: events.map((bytes) => new TextDecoder().decode(bytes)).join("|") };
}

const nothing = async (): Promise<Outcome> => ({ status: "ok", content: [] });

function messageOf({ result }: Seen): string {
  return result.status === "ok" ? "" : failureText(result.failure, { audience: "person", tool: "vault" });
}

test("A secret that does not fit is not quoted, neither in the problem nor in the call that would work", async () => {
  const seen = await callVault({ token: "SECRET!", code: 1 }, nothing);
  assert.equal(
    messageOf(seen),
    "failed[invalid-arguments]: `vault` does not accept these arguments\n  token  expected text that matches /[a-zA-Z0-9+ ]+/, got •••\n  = call it like this: dottool vault --token='<token>' --code 1\n  = the value of `token` is a placeholder; replace it with yours",
  );
  assert.equal(seen.result.call.arguments, { token: "•••", code: 1 });
});

test("Neither are items of a secret, nor a secret under a mistyped name", async () => {
  const seen = await callVault({ tokn: "SECRET1", pins: [123456, "x77"] }, nothing);
  assert.equal(JSON.stringify(seen.result).match(/SECRET1|123456|x77/g), null);
});

test("A bad value from the environment is one problem, and is not shown", async () => {
  const seen = await callVault({}, nothing, { VAULT_TOKEN: "SECRET!" });
  assert.equal(messageOf(seen).split("\n").slice(1, -2), [
    "  token  expected text that matches /[a-zA-Z0-9+ ]+/, got •••",
  ]);
});

test("What a secret would come from is named where it is missing", async () => {
  assert.equal(
    messageOf(await callVault({}, nothing)).split("\n")[1],
    "  token  expected string, got nothing; give it, or set VAULT_TOKEN",
  );
});

test("A result is searched for the secrets of its call, as they are, in JSON and in addresses", async () => {
  const { result } = await callVault({ token: "SEC RET+1" }, async (token) => ({
    status: "ok",
    content: [
      { type: "text", text: `a ${token} b` },
      { type: "json", value: { url: [`?t=${encodeURIComponent(token)}`], [token]: 1 } },
    ],
    process: {
      argv: ["login", token, `-p${token}`],
      cwd: "/work",
      exitCode: 0,
      transcript: [
        { stream: "stdout", text: "a SEC" },
        { stream: "stderr", text: "x" },
        { stream: "stdout", text: " RET+1 b" },
      ],
      cutBytes: 0,
      level: "none",
      sandbox: "none",
    },
  }));
  assert.equal(result.content, [
    { type: "text", text: "a ••• b" },
    { type: "json", value: { url: ["?t=•••"], "•••": 1 } },
  ]);
  assert.equal(result.process?.argv, ["login", "•••", "-p•••"]);
  assert.equal(result.process?.transcript, [
    { stream: "stdout", text: "a •••" },
    { stream: "stderr", text: "x" },
    { stream: "stdout", text: " b" },
  ]);
});

test("A secret that is too short to search for is still no word of the process", async () => {
  const { result } = await callVault({ token: "abc" }, async (token) => ({
    status: "ok",
    content: [],
    process: {
      argv: ["login", token],
      cwd: "/",
      exitCode: 0,
      transcript: [],
      cutBytes: 0,
      level: "none",
      sandbox: "none",
    },
  }));
  assert.equal(result.process?.argv, ["login", "•••"]);
});

test("A crash does not tell the secret, and a long one is not told by its start either", async () => {
  const long = "S3cret".repeat(20);
  const seen = await callVault({ token: long }, (token) =>
    Promise.reject(new Error(`cannot use "${token.slice(0, 59)}…" or ${token}`)),
  );
  assert.equal(messageOf(seen).split("\n")[0], 'failed[crashed]: a bug in `vault`: cannot use "•••…" or •••');
  assert.ok(!messageOf(seen).includes("S3cret"));
});

test("A secret that reads like the kind of a failure does not change it", async () => {
  const { result } = await callVault({ token: "exit" }, async () => ({
    status: "failed",
    content: [],
    failure: { kind: "exit", program: "exit", exitCode: 3 },
  }));
  assert.equal(result.status === "failed" && result.failure, { kind: "exit", program: "•••", exitCode: 3 });
});

test("No kind of failure tells the secret, in any of its texts", async () => {
  const said = "it is SECRET1";
  const issues = [{ path: said, message: said }];
  const help = [said];
  const failures: readonly Failure[] = [
    { kind: "invalid-arguments", tool: "vault", issues },
    { kind: "wrong-result", tool: "vault", issues },
    { kind: "unavailable", tool: "vault", reasons: help, help },
    { kind: "exit", program: said, exitCode: 3 },
    { kind: "not-started", program: said, reason: "system", detail: said },
    { kind: "limit", limit: 1, unit: "bytes", help },
    { kind: "file", path: said, action: "read", code: "EACCES", help },
    { kind: "network", url: said, reason: said, help },
    { kind: "rejected", reason: said, help },
    { kind: "code-failed", problem: "thrown", message: said, help },
    { kind: "crashed", tool: "vault", error: new Error(said) },
  ];
  for (const failure of [
    ...failures,
    ...failures.map((cause): Failure => ({ kind: "step-failed", step: "a", tool: "vault", cause })),
  ]) {
    const { result } = await callVault({ token: "SECRET1" }, async () => ({ status: "failed", content: [], failure }));
    assert.is(result.status === "failed" && result.failure.kind, failure.kind);
    assert.not(inspect(result, { depth: null }).includes("SECRET1"), failure.kind);
  }
});

test("Output is masked while it streams, wherever a secret is cut in two", async () => {
  const bytes = new TextEncoder().encode("one SECRET1 two SECR SECRET1SECRET1 end SECRE");
  for (const size of [1, 2, 3, 5, 8, 100]) {
    const { streamed } = await callVault({ token: "SECRET1" }, async (_token, context) => {
      for (let start = 0; start < bytes.length; start += size)
        await context.emit({ kind: "output", stream: "stdout", bytes: bytes.subarray(start, start + size) });
      return { status: "ok", content: [] };
    });
    assert.is(streamed.replaceAll("|", ""), "one ••• two SECR •••••• end SECRE", `in pieces of ${size}`);
  }
});

test("Nothing is held back that cannot be a secret", async () => {
  const { streamed } = await callVault({ token: "SECRET1" }, async (_token, context) => {
    await context.emit({ kind: "output", stream: "stdout", bytes: new TextEncoder().encode("first\n") });
    await context.emit({ kind: "progress", text: "with SECRET1" });
    await context.emit({ kind: "output", stream: "stdout", bytes: new TextEncoder().encode("second SEC") });
    return { status: "ok", content: [] };
  });
  assert.is(streamed, "first\n|with •••|second |SEC");
});

test("What a tool hides is masked from then on: streamed, in the result, in failures and in a crash", async () => {
  const encoder = new TextEncoder();
  const hiding = (then: (context: ToolContext) => Promise<Outcome>): Promise<Seen> =>
    callVault({ token: "TOKEN1" }, async (_token, context) => {
      await context.emit({ kind: "output", stream: "stdout", bytes: encoder.encode("TOKEN1 ") });
      await context.hide(["sk-KEY99"]);
      await context.emit({ kind: "output", stream: "stdout", bytes: encoder.encode("a sk-K") });
      await context.emit({ kind: "output", stream: "stdout", bytes: encoder.encode("EY99 b TOKEN1") });
      return then(context);
    });
  const seen = await Promise.all([
    hiding(async () => ({ status: "ok", content: [{ type: "text", text: "sk-KEY99 TOKEN1" }] })),
    hiding(async () => ({
      status: "failed",
      content: [],
      failure: { kind: "unavailable", tool: "vault", reasons: ["no sk-KEY99"], help: ["not sk-KEY99"] },
    })),
    hiding(async () => Promise.reject(new Error("sk-KEY99"))),
  ]);
  assert.equal(
    seen.map(({ result, streamed }) => [
      streamed.replaceAll("|", ""),
      /KEY99|TOKEN1/.test(JSON.stringify(result)),
      result.status === "ok"
        ? result.content
        : failureText(result.failure, { audience: "person", tool: "vault" })
            .split("\n  at ")[0]
            ?.split("\n")
            .slice(0, 3),
    ]),
    [
      ["••• a ••• b •••", false, [{ type: "text", text: "••• •••" }]],
      ["••• a ••• b •••", false, ["failed[unavailable]: `vault` cannot run here", "  no •••", "  = not •••"]],
      ["••• a ••• b •••", false, ["failed[crashed]: a bug in `vault`: •••"]],
    ],
  );
});

test.run();
