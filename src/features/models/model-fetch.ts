// The `fetch` for the SDK: every request goes through the guarded client of the host, to the address and with the key
// of the user's configuration. The SDK's own addresses, headers and variables have no effect.
import { Buffer } from "node:buffer";
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { Host, WebHead, WebResult } from "../../core/tool/host.ts";
import { webFailure } from "../web/web-failure.ts";
import { type ApiError, type AskedModel, errorIn, providerHelp } from "./model-api-error.ts";
import type { ApiProvider } from "./model-settings.ts";

/** `whole`: a good answer, but not the stream that was asked for. `other`: the server does not answer like such an API. */
type Trouble =
  | { readonly kind: "failure"; readonly failure: Failure }
  | { readonly kind: "error"; readonly error: ApiError }
  | { readonly kind: "whole"; readonly body: string }
  | { readonly kind: "other" };

/** The reason for a missing answer, passed through the SDK. */
class ModelTrouble extends Error {
  readonly trouble: Trouble;

  constructor(trouble: Trouble) {
    super("the model did not answer");
    this.trouble = trouble;
  }
}

const CAUSES_MAX = 8;

/** The SDK wraps what its fetch throws. */
export function modelTroubleIn(error: unknown): Trouble | undefined {
  for (let inner = error, depth = 0; inner instanceof Error && depth < CAUSES_MAX; inner = inner.cause, depth++)
    if (inner instanceof ModelTrouble) return inner.trouble;
  return undefined;
}

interface ModelFetchOptions {
  readonly model: AskedModel;
  readonly provider: ApiProvider;
  readonly host: Host;
  readonly answerMsMax: number | undefined;
  /** Called where a stream says that it is complete, as the SDK does not tell. */
  onEnd(): void;
}

const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
/** The timeout of the SDKs of the model APIs. */
const ANSWER_MS_MAX = 600_000;
/** The version of Anthropic's API that other servers know too, and the last that takes `temperature`. */
const VERSION_DEFAULT = "2023-06-01";
/** The text with which servers like OpenAI's end a stream, and a place where it must be. */
const DONE = /^data: ?\[DONE\]/m;
const DONE_BYTES = 64;

export function createModelFetch(options: ModelFetchOptions): typeof globalThis.fetch {
  const { model, provider, host, answerMsMax = ANSWER_MS_MAX, onEnd } = options;
  const { hostname, port, protocol } = new URL(model.endpoint);
  const isStream = ({ status, headers }: WebHead): boolean =>
    provider.streams && status === 200 && /^text\/event-stream\b/i.test((headers["content-type"] ?? "").trim());
  return (_url, init = {}) =>
    new Promise((resolve, reject) => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const body = writable.getWriter();
      const stop = new AbortController();
      // The reader may cancel it.
      body.closed.catch(() => stop.abort());
      let hasBegun = false;
      const begin = (): void => {
        if (!hasBegun) resolve(new Response(readable));
        hasBegun = true;
      };
      const fail = (error: unknown): void => {
        body.abort(error).catch(() => undefined);
        reject(error);
      };
      const request = {
        url: model.endpoint,
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "text/event-stream, application/json",
          ...headersOf(model, provider, new Headers(init.headers)),
        },
        body: String(init.body),
        signal: init.signal ? AbortSignal.any([init.signal, stop.signal]) : stop.signal,
        bytesMax: ANSWER_BYTES_MAX,
        timeoutMs: answerMsMax,
        // An API does not redirect, and its key must not go to another address.
        redirectsMax: 0,
        // The user's own configuration names it, so it may be in a private network.
        allowedHosts: [`${hostname}:${port === "" ? (protocol === "https:" ? 443 : 80) : port}`],
        onBody: (bytes: Uint8Array, head: WebHead) => {
          if (!isStream(head)) return;
          begin();
          body.write(bytes.slice()).catch(() => undefined);
        },
      } as const;
      void host.web.fetch(request).then((result) => {
        const answer = answerIn(result, { model, hasBegun, isStream });
        if (typeof answer === "object") return fail(new ModelTrouble(answer));
        if (result.kind !== "response") return;
        if (!isStream(result))
          return provider.streams
            ? fail(new ModelTrouble({ kind: "whole", body: answer }))
            : resolve(new Response(answer));
        if (DONE.test(Buffer.from(result.body).subarray(-DONE_BYTES).toString("latin1"))) onEnd();
        begin();
        body.close().catch(() => undefined);
      }, fail);
    });
}

function headersOf(
  { key: { value } }: AskedModel,
  { kind, version = VERSION_DEFAULT }: ApiProvider,
  given: Headers,
): Readonly<Record<string, string>> {
  if (kind === "openai") return value === undefined ? {} : { authorization: `Bearer ${value}` };
  // Only the SDK knows what a model needs besides its version.
  const beta = given.get("anthropic-beta");
  return {
    ...(beta === null ? {} : { "anthropic-beta": beta }),
    "anthropic-version": version,
    ...(value === undefined ? {} : { "x-api-key": value }),
  };
}

interface AnswerOptions {
  readonly model: AskedModel;
  /** Whether a part of the answer has come. */
  readonly hasBegun: boolean;
  isStream(head: WebHead): boolean;
}

/** Returns a sound answer, empty for a stream. */
function answerIn(result: WebResult, { model, hasBegun, isStream }: AnswerOptions): string | Trouble {
  if (result.kind !== "response") {
    if (result.kind === "unreachable" && (hasBegun || result.isLost))
      return { kind: "error", error: { lost: "connection", message: result.reason } };
    const failure = webFailure(result, model.endpoint);
    const isHelpless = failure.kind === "network" && failure.help.length === 0;
    return { kind: "failure", failure: isHelpless ? { ...failure, help: [providerHelp(model)] } : failure };
  }
  const { status, headers } = result;
  if (status === 200 && result.isCut)
    return {
      kind: "failure",
      failure: { kind: "limit", limit: ANSWER_BYTES_MAX, unit: "bytes of answer", help: ["ask for less"] },
    };
  if (isStream(result)) return "";
  const body = jsonIn(result.body);
  const error = body && errorIn(body);
  if (status !== 200) return { kind: "error", error: { status, headers, ...error } };
  if (error) return { kind: "error", error };
  return body ? JSON.stringify(body) : { kind: "other" };
}

function jsonIn(body: Uint8Array): JsonObject | undefined {
  try {
    const json = JSON.parse(Buffer.from(body).toString("utf8")) as Json;
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
