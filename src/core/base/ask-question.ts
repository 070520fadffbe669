// `ask_question`: an agent asks what only the person knows.
import { array, string } from "../schema/declare.ts";
import type { Outcome } from "../tool/call.ts";
import { baseTool, cancelled, failed, okText } from "../tool/base-tool.ts";
import type { ToolContext } from "../tool/tool.ts";

/** The time that a person has for an answer. */
const TIMEOUT_MS = 24 * 60 * 60 * 1000;

export const askQuestion = baseTool({
  name: "ask_question",
  title: "Ask the person",
  description:
    "Ask the person one question, if the task cannot continue without the answer and no tool can find it. The answer comes back as text, or your turn ends with the question and the answer begins your next one.",
  parameters: {
    question: string("One question, complete in itself", {
      required: true,
      minimumLength: 1,
      example: "Which of the two accounts is the test account?",
    }),
    suggestions: array(
      string("An answer that the person can pick", { minimumLength: 1 }),
      "Two to five likely answers, ready to use",
      { maximumItems: 10, default: [] },
    ),
  },
  effects: ["read"],
  isLoopBreaking: true,
  timeoutMs: TIMEOUT_MS,
  execute: async ({ question, suggestions }, context) => {
    if (context.person) return ask(context.person.ask(question, suggestions), context.signal);
    return failed({
      kind: "rejected",
      reason: context.client
        ? "the person cannot be asked: this client does not support elicitation"
        : "there is no person at a terminal to ask",
      help: ["ask in your reply to the person, or go on without the answer"],
    });
  },
});

function ask(answer: ReturnType<NonNullable<ToolContext["person"]>["ask"]>, signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(cancelled);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    answer.then((text) => resolve(okText(text)), reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
