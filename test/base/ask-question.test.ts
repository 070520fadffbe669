import { assert, suite } from "../harness.ts";
import { askQuestion } from "../../src/core/base/ask-question.ts";
import { runTool, shown } from "./file-context.ts";

const test = suite("ask-question");

test("ask_question gives back what the person answers", async () => {
  const asked: unknown[] = [];
  const person = {
    ask: async (question: string, suggestions: readonly string[]) => {
      asked.push([question, suggestions]);
      return "the second";
    },
  };
  assert.is(
    shown(await runTool(askQuestion, { question: "Which one?", suggestions: ["first", "second"] }, { person })),
    "the second",
  );
  assert.equal(asked, [["Which one?", ["first", "second"]]]);
});

test("ask_question fails where nobody can be asked, and says why", async () => {
  const failure = (reason: string): unknown => ({
    status: "failed",
    content: [],
    failure: {
      kind: "rejected",
      reason,
      help: ["ask in your reply to the person, or go on without the answer"],
    },
  });
  const client = { canAnswer: () => false, ask: async () => ({}) };
  assert.equal(await runTool(askQuestion, { question: "Why?" }), failure("there is no person at a terminal to ask"));
  assert.equal(
    await runTool(askQuestion, { question: "Why?" }, { client }),
    failure("the person cannot be asked: this client does not support elicitation"),
  );
});

test("ask_question stops waiting for an answer when its signal aborts", async () => {
  const controller = new AbortController();
  const waiting = runTool(
    askQuestion,
    { question: "Are you there?" },
    { signal: controller.signal, person: { ask: () => new Promise(() => undefined) } },
  );
  controller.abort();
  assert.equal(await waiting, { status: "failed", content: [], failure: { kind: "cancelled" } });
});

test("ask_question gives people a day", () => {
  assert.is(askQuestion.definition.limits.timeoutMs, 86_400_000);
});

test.run();
