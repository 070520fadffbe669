// The `fetch` for the SDK: every request goes through the guarded client of the host, to the address and with the key
// of the user's configuration. The SDK's own addresses, headers and variables have no effect.
import { Buffer } from "node:buffer";
import type { ApiError } from "../models/model-api-error.ts";
import type { ModelApi } from "../models/model-api.ts";
import type { ApiProvider } from "../models/model-settings.ts";
import { webFailure } from "../web/web-failure.ts";
import { isJsonObject, type Json } from "../../core/schema/json.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { Host, WebHead, WebResult } from "../../core/tool/host.ts";

/** `other`: the server does not answer like such an API. */
type Trouble =
  | { readonly kind: "failure"; readonly failure: Failure }
  | { readonly kind: "error"; readonly error: ApiError }
  | { readonly kind: "other" };

/** The reason for a missing answer, passed through the SDK. */
export class ModelTrouble extends Error {
  readonly trouble: Trouble;

  constructor(trouble: Trouble) {
    super("the model did not answer");
    this.trouble = trouble;
  }
}

interface ModelFetchOptions {
  readonly api: ModelApi;
  readonly provider: ApiProvider;
  readonly key: string | undefined;
  readonly host: Host;
}

const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/** The timeout of the SDKs of the model APIs. */
const ANSWER_MS_MAX = 600_000;

export function createModelFetch({
  api,
  provider,
  key,
  host,
}: ModelFetchOptions): (url: unknown, init?: RequestInit) => Promise<Response> {
  const endpoint = api.endpoint(provider.url);
  const { hostname, port, protocol } = new URL(endpoint);
  const troubleOf = (result: WebResult): Trouble | undefined => {
    if (result.kind !== "response") return { kind: "failure", failure: webFailure(result, endpoint) };
    const isGood = isWanted(result, provider);
    if (isGood && !result.isCut) return undefined;
    if (isGood)
      return {
        kind: "failure",
        failure: { kind: "limit", limit: ANSWER_BYTES_MAX, unit: "bytes of answer", help: ["ask for less"] },
      };
    const { error } = api.whole(jsonIn(result.body));
    if (result.status === 200) return error ? { kind: "error", error } : { kind: "other" };
    return { kind: "error", error: { status: result.status, headers: result.headers, ...error } };
  };
  const allowedHost = `${hostname}:${port === "" ? (protocol === "https:" ? 443 : 80) : port}`;
  return (_url, init = {}) =>
    new Promise((resolve, reject) => {
      const body = new AnswerBody(resolve, reject);
      const stop = new AbortController();
      body.onCancel = () => stop.abort();
      const request = {
        url: endpoint,
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "text/event-stream, application/json",
          ...betasIn(init.headers),
          ...api.headers(key, provider),
        },
        body: String(init.body),
        signal: init.signal ? AbortSignal.any([init.signal, stop.signal]) : stop.signal,
        bytesMax: ANSWER_BYTES_MAX,
        timeoutMs: ANSWER_MS_MAX,
        // An API does not redirect, and its key must not go to another address.
        redirectsMax: 0,
        // The user's own configuration names it, so it may be in a private network.
        allowedHosts: [allowedHost],
        onBody: (bytes: Uint8Array, head: WebHead) => (isWanted(head, provider) ? body.add(bytes, head) : undefined),
      } as const;
      void host.web.fetch(request).then(
        (result) => {
          const trouble =
            result.kind === "unreachable" && (body.hasBegun || result.isLost)
              ? ({ kind: "error", error: { lost: "connection", message: result.reason } } as const)
              : troubleOf(result);
          if (trouble) return body.fail(new ModelTrouble(trouble));
          if (result.kind === "response") body.end(result);
        },
        (error: unknown) => body.fail(error),
      );
    });
}

/** Returns whether the answer is streamed; other answers are read completely and checked. */
function isWanted({ status, headers }: WebHead, { streams }: ApiProvider): boolean {
  return status === 200 && (!streams || /^text\/event-stream\b/i.test((headers["content-type"] ?? "").trim()));
}

/** Returns headers such as `anthropic-beta`: only the SDK knows what a model needs besides its version. */
function betasIn(headers: RequestInit["headers"]): Readonly<Record<string, string>> {
  const beta = new Headers(headers).get("anthropic-beta");
  return beta === null ? {} : { "anthropic-beta": beta };
}

function jsonIn(body: Uint8Array): Json {
  try {
    const json = JSON.parse(Buffer.from(body).toString("utf8")) as Json;
    return isJsonObject(json) ? json : null;
  } catch {
    return null;
  }
}

/** The body of a response that begins with its first byte, and is fed while it is read. */
class AnswerBody {
  onCancel: () => void = () => undefined;
  readonly #resolve: (response: Response) => void;
  readonly #reject: (error: unknown) => void;
  #feed: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isCancelled = false;

  get hasBegun(): boolean {
    return this.#feed !== undefined;
  }

  constructor(resolve: (response: Response) => void, reject: (error: unknown) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  add(bytes: Uint8Array, head: WebHead): void {
    if (!this.#isCancelled) this.#begin(head).enqueue(bytes.slice());
  }

  end(head: WebHead): void {
    if (!this.#isCancelled) this.#begin(head).close();
  }

  fail(error: unknown): void {
    if (this.#isCancelled) return;
    if (this.#feed) this.#feed.error(error);
    else this.#reject(error);
  }

  #begin({ status, headers }: WebHead): ReadableStreamDefaultController<Uint8Array> {
    if (this.#feed) return this.#feed;
    let feed: ReadableStreamDefaultController<Uint8Array> | undefined;
    const cancel = (): void => {
      this.#isCancelled = true;
      this.onCancel();
    };
    const stream = new ReadableStream<Uint8Array>({ start: (controller) => void (feed = controller), cancel });
    if (!feed) throw new Error("a stream starts when it is made");
    this.#feed = feed;
    this.#resolve(
      new Response(stream, { status, headers: { "content-type": headers["content-type"] ?? "application/json" } }),
    );
    return feed;
  }
}
