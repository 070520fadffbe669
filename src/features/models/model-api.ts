// A model behind an API of the web, asked one question.
import { failed } from "../../core/tool/base-tool.ts";
import type { Outcome } from "../../core/tool/call.ts";
import type { ToolContext } from "../../core/tool/tool.ts";
import { createApiModel } from "./api-model.ts";
import { askApi } from "./ask-api.ts";
import { AnswerText, type ModelQuestion, answered, broken } from "./model-answer.ts";
import { keyOf } from "./model-key.ts";
import type { ApiProvider } from "./model-settings.ts";

/** Two more tries, as in the SDKs of both APIs. */
const ATTEMPTS_MAX = 3;
/** A longer wait is the caller's decision. */
const WAIT_MS_MAX = 10_000;
/** Every model supports this limit. */
const TOKENS_DEFAULT = 4_096;

export async function askModelApi(
  question: ModelQuestion,
  { provider, context }: { readonly provider: ApiProvider; readonly context: ToolContext },
): Promise<Outcome> {
  const { provider: name, configPath, prompt, system } = question;
  const { host, signal, limits } = context;
  const named = question.model ?? provider.model;
  if (named === undefined)
    return failed({
      kind: "rejected",
      reason: `\`${name}\` has no model`,
      help: [`pass \`model\`, or write \`model: NAME\` for \`${name}\` in \`${configPath}\``],
    });
  const key = await keyOf(provider.key, question, context);
  if (key.kind === "failed") return key.outcome;
  const model = createApiModel({
    ...{ name, configPath, provider, model: named, key, host },
    ...{ tokensDefault: TOKENS_DEFAULT, countsTokens: false, answerMsMax: limits.timeoutMs },
  });
  const answer = new AnswerText(context);
  const onNote = (text: string) => context.emit({ kind: "progress", text });
  const asked = await askApi(
    model,
    {
      prompt: [
        ...(system === undefined ? [] : [{ role: "system" as const, content: system }]),
        { role: "user", content: [{ type: "text", text: prompt }] },
      ],
      ...(question.maxTokens === undefined ? {} : { maxOutputTokens: question.maxTokens }),
      ...(question.temperature === undefined ? {} : { temperature: question.temperature }),
    },
    {
      ...{ host, signal, attemptsMax: ATTEMPTS_MAX, waitMsMax: WAIT_MS_MAX, onNote },
      onText: (text) => answer.add(text),
      // What a person has read is not taken back.
      isFinal: () => !answer.isEmpty,
    },
  );
  if ("failure" in asked) return broken(answer, asked.failure);
  for (const warning of asked.reply.warnings) await onNote(`\`${name}\`: ${warning}`);
  const isAnthropic = provider.kind === "anthropic";
  const maxTokens = question.maxTokens ?? provider.maxTokens ?? (isAnthropic ? TOKENS_DEFAULT : undefined);
  return answered(answer, { stop: asked.reply.stop, ...(maxTokens === undefined ? {} : { maxTokens }) }, question);
}
