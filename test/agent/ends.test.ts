// The ends of the loop: limits, useless replies, and repeated failures.
import { string } from "../../src/core/schema/declare.ts";
import { baseTool, okText } from "../../src/core/tool/base-tool.ts";
import { assert, suite } from "../harness.ts";
import { type LoopOptions, runScript } from "./agent-fixture.ts";
import { call, done, type Turn } from "./scripted-turn.ts";

const test = suite("agent/ends");

const say = baseTool({
  name: "say",
  title: "Say",
  description: "Says it.",
  effects: ["read"],
  parameters: { text: string("What", { required: true }) },
  execute: async ({ text }) => okText(text),
});
const turn: Turn = { calls: [call("say", { text: "a" })] };
const EMPTY =
  "Your reply is empty. Continue with a call; when the task is done, answer with everything the person should read.";
const CUT =
  "Your reply was cut off at the token limit, so nothing in it has run. Write less at a time: shorter text, or several smaller calls.";

/** Returns how it ended, and the words that the model got unasked. */
async function ended(turns: readonly Turn[], options: LoopOptions = {}): Promise<readonly unknown[]> {
  const { end, entries, server } = await runScript(turns, { tools: [say], ...options });
  assert.equal(server.refused, []);
  return [end, ...entries.slice(1).flatMap((entry) => (entry.kind === "user" ? [entry.text] : []))];
}

const rejected = (reason: string, ...help: readonly string[]): unknown => ({
  how: "failed",
  failure: { kind: "rejected", reason, help },
});

test("runLoop takes words without a call for the answer, and asks for nothing more", async () => {
  assert.equal(await ended([{ text: ["It is a."] }]), [{ how: "completed", text: "It is a." }]);
  assert.equal(await ended([{ text: ["Let us see."], calls: [call("say", { text: "a" })] }, { text: ["It is a."] }]), [
    { how: "completed", text: "It is a." },
  ]);
  assert.equal(await ended([{ text: [" \n"] }, { text: ["It is a."] }]), [
    { how: "completed", text: "It is a." },
    EMPTY,
  ]);
});

test("a thought that a server leaves in the text is no part of the answer", async () => {
  const { end } = await runScript([{ text: ["<think>Is it", " 4?</think>\n\nIt is 4, with <think>."] }]);
  assert.equal(end, { how: "completed", text: "It is 4, with <think>." });
});

test("runLoop gives up on a model that has nothing to say", async () => {
  for (const kind of ["openai", "anthropic"] as const) {
    assert.equal(await ended([{}, {}, {}], { kind }), [
      rejected("`api/big-1` gave 3 replies in a row that call no tool", "use another model, or reword the task"),
      EMPTY,
      EMPTY,
    ]);
  }
  assert.equal(await ended([{}, done("a")]), [{ how: "completed", text: "a\n" }, EMPTY]);
});

test("runLoop runs nothing of a reply that was cut, and says so", async () => {
  for (const [kind, stop] of [
    ["openai", "length"],
    ["anthropic", "max_tokens"],
  ] as const) {
    const cut: Turn = { text: ["I say"], calls: [call("say", { text: "a" }), call("say", '{"text": "b')], stop };
    const { end, entries, server } = await runScript([cut, { text: ["Hm"], stop }, turn, done("Done.")], {
      tools: [say],
      kind,
    });
    assert.equal([end, server.refused], [{ how: "completed", text: "Done.\n" }, []]);
    const notRun =
      "failed[rejected]: not run: the reply was cut off at the token limit, perhaps within this call\n  = write less at a time\n";
    assert.equal(
      entries.flatMap((entry) => (entry.kind === "result" || entry.kind === "user" ? [entry.text] : [])),
      ["Do the task.", notRun, notRun, CUT, CUT, "a\n", "Done.\n"],
    );
    const help = "set a larger `max_tokens` for `api` in `config.yaml`";
    assert.equal(await ended([cut, cut, cut], { kind }), [
      rejected("`api/big-1` gave 3 replies in a row that were cut off at its token limit", help),
      CUT,
      CUT,
    ]);
  }
});

test("runLoop ends when the model refuses, and runs nothing of what it refused", async () => {
  const help = "reword the task, or use another model";
  assert.equal(await ended([{ text: ["No."], stop: "refusal" }], { kind: "anthropic" }), [
    rejected("`api/big-1` refused to continue: No.", help),
  ]);
  assert.equal(await ended([{ stop: "content_filter" }]), [rejected("`api/big-1` refused to continue", help)]);
  const { entries } = await runScript([{ calls: [call("say", { text: "a" })], stop: "refusal" }], {
    kind: "anthropic",
    tools: [say],
  });
  assert.equal(entries.at(-1), {
    kind: "result",
    id: "call_1_1",
    name: "say",
    isFailed: true,
    text: "failed[rejected]: not run: the reply was refused\n",
  });
});

test("runLoop ends when the same call has failed in the same way five times in a row", async () => {
  const wrong = call("say", {});
  const five = rejected(
    "the same call of `say` failed 5 times in a row: `say` does not accept these arguments",
    "say in the task what to do about it, or use another model",
  );
  assert.equal(await ended([{ calls: [wrong, wrong] }, { calls: [wrong] }, { calls: [wrong, wrong, wrong] }]), [five]);
  assert.equal(
    await ended([
      { calls: [wrong, wrong, wrong, wrong] },
      turn,
      { calls: [wrong, wrong, wrong, wrong] },
      { calls: [call("say", { text: 1 })] },
      { calls: [wrong] },
      done("Done."),
    ]),
    [{ how: "completed", text: "Done.\n" }],
  );
});

test("runLoop tells a model that repeats a call with the same result, and ends at the tenth time", async () => {
  const other: Turn = { calls: [call("say", { text: "b" })] };
  const { end, entries } = await runScript(
    [turn, turn, other, ...Array.from({ length: 10 }, () => turn), done("Done.")],
    { tools: [say] },
  );
  const warning = (count: number): string =>
    `warning[repeated]: this call has had the same result ${count} times in a row\n  = use the result, or do something else; at 10 times the run ends\n`;
  assert.equal(
    [end, entries.flatMap((entry) => (entry.kind === "result" ? [entry.text] : []))],
    [
      rejected(
        "the same call of `say` had the same result 10 times in a row",
        "say in the task what to do about it, or use another model",
      ),
      ["a", "a", "b", "a", "a", ...[3, 4, 5, 6, 7, 8, 9, 10].map((count) => `a\n${warning(count)}`)].map((text) =>
        text.endsWith("\n") ? text : `${text}\n`,
      ),
    ],
  );
});

test("runLoop begins no turn past a limit", async () => {
  const limit = (count: number, unit: string, help: string): unknown => ({
    how: "failed",
    failure: { kind: "limit", limit: count, unit, help: [help] },
  });
  assert.equal(await ended([turn, turn], { limits: { turnsMax: 2 } }), [
    limit(2, "turns of the model", "allow more with `--max-turns`"),
  ]);
  assert.equal(await ended([turn, done("Done.")], { limits: { turnsMax: 2 } }), [
    { how: "completed", text: "Done.\n" },
  ]);
  const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 4 };
  const costly: Turn = { ...turn, tokens: [1000, 100] };
  assert.equal(await ended([costly, costly], { provider: { price }, limits: { costUsdMax: 0.009 } }), [
    limit(0.009, "dollars", "it has cost $0.009; allow more with `--max-cost`"),
  ]);
  assert.equal(await ended([costly, done("Done.")], { provider: { price }, limits: { costUsdMax: 0.0046 } }), [
    { how: "completed", text: "Done.\n" },
  ]);
  // (40 × 3 + 40 × 0.3 + 20 × 4 + 10 × 15) / 1,000,000.
  assert.equal(await ended([turn], { kind: "anthropic", provider: { price }, limits: { costUsdMax: 0.000362 } }), [
    limit(0.000362, "dollars", "it has cost $0.000362; allow more with `--max-cost`"),
  ]);
  assert.equal(await ended([{ ...turn, tokens: null }], { provider: { price }, limits: { costUsdMax: 1 } }), [
    rejected(
      "the API does not report its tokens, so `--max-cost` cannot be enforced",
      "leave `--max-cost` out; `--max-turns` and `--max-time` work with every API",
    ),
  ]);
});

test("runLoop stops a reply and a call when the time is over, and when it is told to", async () => {
  let over: (() => void) | undefined;
  const timeIsOver = new Promise<void>((resolve) => (over = resolve));
  const hang = baseTool({
    name: "hang",
    title: "Hang",
    description: "Waits.",
    effects: ["read"],
    parameters: {},
    timeoutMs: 100_000,
    execute: (_args, { signal }) =>
      new Promise((resolve) => {
        over?.();
        signal.addEventListener("abort", () =>
          resolve({ status: "failed", content: [], failure: { kind: "cancelled" } }),
        );
      }),
  });
  const stop = new AbortController();
  const silent: Turn = { respond: () => stop.abort() };
  const inCall = new AbortController();
  const stopping = baseTool({
    ...hang,
    name: "stopping",
    title: "Stop",
    description: "Stops.",
    effects: ["read"],
    parameters: {},
    execute: async () => {
      inCall.abort();
      return okText("late");
    },
  });
  const [late, told, during] = await Promise.all([
    runScript([{ calls: [call("hang")] }], { tools: [hang], limits: { timeMsMax: 120_000 }, timeIsOver }),
    runScript([silent], { signal: stop.signal }),
    runScript([{ calls: [call("stopping"), call("task_completion", { result: "a" })] }], {
      tools: [stopping],
      signal: inCall.signal,
    }),
  ]);
  const cancelled = { kind: "result", isFailed: true, text: "failed[cancelled]: cancelled before it finished\n" };
  assert.equal(
    [late.end, late.entries.at(-1)],
    [
      { how: "failed", failure: { kind: "timeout", limitMs: 120_000 } },
      { ...cancelled, id: "call_1_1", name: "hang" },
    ],
  );
  assert.equal(told.end, { how: "failed", failure: { kind: "cancelled" } });
  assert.equal(
    [during.end, during.entries.at(-1)],
    [
      { how: "failed", failure: { kind: "cancelled" } },
      { ...cancelled, id: "call_1_2", name: "task_completion" },
    ],
  );
});

test("a reply that met the end of the context is a turn too", async () => {
  const full: Turn = { text: ["A"], stop: "model_context_window_exceeded" };
  const ran = await runScript([full, full, done("Done.")], { kind: "anthropic", limits: { turnsMax: 2 } });
  assert.equal(
    [ran.end, ran.spending.turns],
    [
      {
        how: "failed",
        failure: { kind: "limit", limit: 2, unit: "turns of the model", help: ["allow more with `--max-turns`"] },
      },
      2,
    ],
  );
});

test.run();
