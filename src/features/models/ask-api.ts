// Asks the API of a model for one reply: tries again if it is busy or its answer breaks off, and returns a failure if
// that does not help.
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { isJsonObject } from "../../core/schema/json.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { Host } from "../../core/tool/host.ts";
import type { ApiModel } from "./api-model.ts";
import { type ApiError, apiFailure, errorIn, nextAttempt, providerHelp } from "./model-api-error.ts";
import { modelTroubleIn } from "./model-fetch.ts";
import type { ReadReply, Stop } from "./read-reply.ts";

export interface ApiReply extends ReadReply {
  readonly stop: Stop;
}

/** `error` is there if the API said why. */
export type ApiAnswer = { readonly reply: ApiReply } | { readonly failure: Failure; readonly error?: ApiError };

interface AskOptions {
  readonly host: Host;
  readonly signal: AbortSignal;
  readonly attemptsMax: number;
  readonly waitMsMax: number;
  onText(text: string): void | Promise<void>;
  /** Reports a fact that a person may want to know while waiting. */
  onNote(text: string): void | Promise<void>;
  /** Whether asking again is of no use. */
  isFinal(error: ApiError): boolean;
}

export async function askApi(
  model: ApiModel,
  asked: LanguageModelV4CallOptions,
  options: AskOptions,
): Promise<ApiAnswer> {
  const { host, signal, attemptsMax, waitMsMax, onNote, isFinal } = options;
  for (let attempt = 1; ; attempt++) {
    const round = await askOnce(model, { ...asked, abortSignal: signal }, options);
    if (signal.aborted) return { failure: { kind: "cancelled" } };
    if (!("error" in round)) return round;
    const { error } = round;
    const next = isFinal(error)
      ? undefined
      : nextAttempt(error, { attempt, attemptsMax, waitMsMax, name: model.name, now: host.timestamp() });
    if (!next) return { failure: apiFailure(error, model), error };
    await onNote(next.note);
    await host.sleep(next.delayMs, signal);
    if (signal.aborted) return { failure: { kind: "cancelled" } };
  }
}

type Round = { readonly reply: ApiReply } | { readonly failure: Failure } | { readonly error: ApiError };

async function askOnce(model: ApiModel, asked: LanguageModelV4CallOptions, { onText }: AskOptions): Promise<Round> {
  try {
    const reply = await model.ask(asked, onText);
    const { finish } = reply;
    if (finish.kind === "stopped") return { reply: { ...reply, stop: finish.stop } };
    return finish.kind === "broken" ? { error: { lost: "answer" } } : troubleOf(finish.error, model);
  } catch (error) {
    return troubleOf(error, model);
  }
}

function troubleOf(error: unknown, model: ApiModel): Round {
  const trouble = modelTroubleIn(error);
  if (trouble?.kind === "failure") return { failure: trouble.failure };
  if (trouble?.kind === "error") return { error: trouble.error };
  const said = saidIn(error);
  const inStream = !trouble && isJsonObject(said) ? errorIn(said) : undefined;
  if (inStream) return { error: inStream };
  const reason = `\`${model.name}\` does not answer like an API of kind \`${model.provider.kind}\``;
  return { failure: { kind: "network", url: model.endpoint, reason, help: [providerHelp(model)] } };
}

/** Returns the API's own words in the middle of a stream, which the SDK gives as they are, or in an error. */
function saidIn(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { data, responseBody } = error as { readonly data?: unknown; readonly responseBody?: unknown };
  if (data !== undefined) return data;
  try {
    return JSON.parse(String(responseBody));
  } catch {
    return undefined;
  }
}
