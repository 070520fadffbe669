import { answerCalls, CALLS_MAX } from "../../src/features/dialects/answer-calls.ts";
import type { ModelCall } from "../../src/features/dialects/model-call.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import { integer } from "../../src/core/schema/declare.ts";
import type { Session } from "../../src/core/run/session.ts";
import { baseTool, okText } from "../../src/core/tool/base-tool.ts";
import type { Effect } from "../../src/core/tool/definition.ts";
import { createRegistry } from "../../src/core/tool/registry.ts";
import { memoryHost } from "../memory-host.ts";
import { assert, suite } from "../harness.ts";

const test = suite("dialects/answer-calls");
const { signal } = new AbortController();

interface Watch {
  readonly session: Session;
  /** The starts and ends of calls, in order. */
  readonly log: string[];
}

/** Returns calls that end when as many run as their argument `among` says. If they do not run together, none ends. */
function watched(): Watch {
  const log: string[] = [];
  let running: (() => void)[] = [];
  const make = (name: string, effects: readonly Effect[]): ReturnType<typeof baseTool> =>
    baseTool({
      name,
      title: name,
      description: "",
      parameters: { n: integer("", { required: true }), among: integer("", { default: 1 }) },
      effects,
      execute: async ({ n, among }) => {
        log.push(`${name} begins`);
        await new Promise<void>((resolve) => {
          running.push(resolve);
          if (running.length < among) return;
          const together = running;
          running = [];
          for (const end of together) end();
        });
        log.push(`${name} ends`);
        return okText(`${name} ${n}`);
      },
    });
  const tools = [make("look", ["read"]), make("change", ["write"]), make("unknown", [])];
  const registry = createRegistry({
    names: () => tools.map((one) => one.definition.name.value),
    build: (name) => tools.find((one) => one.definition.name.value === name),
  });
  const session: Session = {
    registry,
    policy: [],
    approver: { ask: async () => "once" },
    host: memoryHost({}),
    cwd: "/",
    audience: "model",
    setting: async () => undefined,
    memory: new Map(),
  };
  return { session, log };
}

const call = (name: string, n: number, among = 1): ModelCall => ({
  kind: "sound",
  id: `${name}_${n}`,
  name,
  arguments: { n, among } satisfies JsonObject,
});

test("answerCalls runs what only reads together, and what may change something alone, in order", async () => {
  const { session, log } = watched();
  const answers = await answerCalls(
    [call("look", 1, 2), call("look", 2, 2), call("change", 3), call("look", 4), call("unknown", 5)],
    { session, signal, dialect: "openai" },
  );
  assert.equal(
    answers.map(({ text }) => text),
    ["look 1\n", "look 2\n", "change 3\n", "look 4\n", "unknown 5\n"],
  );
  assert.equal(log, [
    "look begins",
    "look begins",
    "look ends",
    "look ends",
    "change begins",
    "change ends",
    "look begins",
    "look ends",
    "unknown begins",
    "unknown ends",
  ]);
});

test("answerCalls runs as many at once as it is told", async () => {
  for (const parallel of [1, 3]) {
    const { session, log } = watched();
    // They end in threes, or one by one.
    await answerCalls(
      Array.from({ length: 6 }, (_, index) => call("look", index, parallel)),
      { session, signal, dialect: "openai", parallel },
    );
    let running = 0;
    assert.is(Math.max(...log.map((line) => (running += line === "look begins" ? 1 : -1))), parallel);
  }
});

test("answerCalls answers more than 1,000 calls and runs 1,000", async () => {
  const { session, log } = watched();
  const answers = await answerCalls(
    Array.from({ length: CALLS_MAX + 2 }, (_, index) => call("look", index)),
    { session, signal, dialect: "openai" },
  );
  assert.equal(
    [answers.length, log.length, answers[999]?.text, answers[1_000]?.text],
    [
      1_002,
      2_000,
      "look 999\n",
      "failed[call]: a reply may have 1,000 calls, and this is call 1,001; send it in the next one\n",
    ],
  );
});

test("answerCalls leaves out the nulls of strict schemas, and no others", async () => {
  const { session } = watched();
  const sent: ModelCall = { kind: "sound", name: "look", arguments: { n: null } };
  for (const dialect of ["openai", "anthropic"] as const) {
    const [answer] = await answerCalls([sent], { session, signal, dialect });
    assert.match(answer?.text ?? "", /^failed\[invalid-arguments\][^]*n {2}expected integer, got null/);
  }
});

test("answerCalls ends with the signal, and answers all the same", async () => {
  const { session, log } = watched();
  const ended = AbortSignal.abort();
  const answers = await answerCalls([call("look", 1), call("change", 2)], {
    session,
    signal: ended,
    dialect: "openai",
  });
  assert.equal(
    [answers.map(({ text }) => text), log],
    [["failed[cancelled]: cancelled before it finished\n", "failed[cancelled]: cancelled before it finished\n"], []],
  );
});

test.run();
