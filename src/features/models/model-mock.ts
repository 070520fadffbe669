// A model for tests: its answer is the prompt.
import type { Outcome } from "../../core/tool/call.ts";
import type { ToolContext } from "../../core/tool/tool.ts";
import { AnswerText, answered, type ModelQuestion } from "./model-answer.ts";

export async function askMock(question: ModelQuestion, context: ToolContext): Promise<Outcome> {
  const answer = new AnswerText(context);
  await answer.add(question.prompt);
  return answered(answer, { stop: "done" }, question);
}
