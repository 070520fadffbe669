// Asks a model once, and returns the calls that it would make. None is made.
import type { ApiModel } from "../models/api-model.ts";
import { askModel } from "../agent/ask-model.ts";
import { callsOf, type Entry } from "../agent/entry.ts";
import { Spending } from "../agent/limits.ts";
import type { ToolForm } from "../agent/prompt.ts";
import { withTextCalls } from "../agent/run-calls.ts";
import { argumentsOf } from "../dialects/text-call.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { Host } from "../../core/tool/host.ts";
import type { EvalRecord, RecordedCall } from "./records.ts";
import { SYSTEM, type Told } from "./told.ts";

/** A longer text is not what a person would give to a call. */
const ARGUMENTS_CHARACTERS_MAX = 32_000;
const CALLS_MAX = 16;

export type Answer = Pick<EvalRecord, "calls" | "tokens" | "costUsd" | "timeMs">;

export interface Asking {
  readonly told: Told;
  readonly host: Host;
  readonly signal: AbortSignal;
  onNote(text: string): void;
}

export async function answerOf(
  model: ApiModel,
  text: string,
  asking: Asking,
): Promise<Answer | { readonly failure: Failure }> {
  return answerIn(model.provider.toolsAsText ? "text" : "native", { model, text }, asking);
}

async function answerIn(
  form: ToolForm,
  question: { readonly model: ApiModel; readonly text: string },
  asking: Asking,
): Promise<Answer | { readonly failure: Failure }> {
  const { model, text } = question;
  const { told, host, signal, onNote } = asking;
  const entries: readonly Entry[] = [{ kind: "user", text }];
  const startMs = host.nowMs();
  const asked = await askModel(model, {
    entries,
    system: form === "text" ? told.textSystem : SYSTEM,
    form,
    isBlind: true,
    tools: told.offered.told(entries).declarations,
    host,
    signal,
    onText: () => undefined,
    onNote,
  });
  if (asked.kind === "no-tools" && form === "native") return answerIn("text", question, asking);
  if (asked.kind !== "reply")
    return {
      failure:
        "failure" in asked
          ? asked.failure
          : { kind: "rejected", reason: `\`${model.name}\` cannot call tools`, help: ["ask another model"] },
    };
  const timeMs = Math.round(host.nowMs() - startMs);
  const { offered } = told;
  const reply = withTextCalls(asked.reply, { offered, form, entries });
  const calls = callsOf(reply)
    .slice(0, CALLS_MAX)
    .map((call): RecordedCall => {
      const name = told.nameOf(call);
      const read = call.arguments.length > ARGUMENTS_CHARACTERS_MAX ? undefined : argumentsOf(call.arguments);
      return read && "arguments" in read ? { name, arguments: read.arguments } : { name };
    });
  const spending = new Spending({ turnsMax: 1 }, model.provider.price);
  spending.add(reply.tokens);
  const { costUsd } = spending;
  return {
    calls,
    ...(reply.tokens ? { tokens: { input: reply.tokens.input, output: reply.tokens.output } } : {}),
    ...(costUsd === undefined ? {} : { costUsd }),
    timeMs,
  };
}
