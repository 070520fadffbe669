// A `fetch` for the SDK's Streamable HTTP that goes through the guarded web client. Addresses are checked, and private
// ones are allowed only for the server that the user configured. No redirect is followed, because requests hold the
// user's credentials.
import { Buffer } from "node:buffer";
import type { FetchLike } from "@modelcontextprotocol/client";
import type { Host, WebHead, WebResult } from "../../core/tool/host.ts";

/** The limit of one answer; a stream of events continues in another one. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/** The longest time that a timer takes. A stream of events has no end of its own, so the caller's signal ends it. */
const STREAM_MS_MAX = 2_147_483_647;
const ID_LINE = /^id:/m;
const NO_BODY = new Set([101, 204, 205, 304]);

/** A failure of the web, in our words. */
export class WebTrouble extends Error {
  readonly help: readonly string[];
  /** Whether one answer failed after it had begun. The server is still there. */
  readonly isOfAnswer: boolean;

  constructor(reason: string, help: readonly string[], { isOfAnswer = false }: { readonly isOfAnswer?: boolean } = {}) {
    super(reason);
    this.help = help;
    this.isOfAnswer = isOfAnswer;
  }
}

interface WebListener {
  /** Reports a failure, since the SDK wraps or drops it. */
  told(trouble: WebTrouble): void;
  /** Reports a message that will get no answer, since the SDK does not. `sent` is its text. */
  lost(trouble: WebTrouble, sent: string): void;
}

interface FetchOptions extends WebListener {
  readonly host: Host;
  /** Where a login may lead; nowhere if absent. The user's headers are not sent there. */
  readonly elsewhere?: { readonly allowedHosts: readonly string[]; readonly withheld: readonly string[] };
}

export function guardedFetch(server: URL, { host, elsewhere, told, lost }: FetchOptions): FetchLike {
  const ownHosts = [
    `${server.hostname}:${server.port === "" ? (server.protocol === "https:" ? 443 : 80) : server.port}`,
  ];
  return (address, init = {}) =>
    new Promise((resolve, reject) => {
      const fail = (trouble: WebTrouble): void => {
        told(trouble);
        reject(trouble);
      };
      const url = new URL(address);
      const isOwn = url.origin === server.origin;
      if (!isOwn && !elsewhere)
        return fail(new WebTrouble(`it refers to \`${url.origin}\`, which is another server`, []));
      const { method = "GET", body } = init;
      let hasIds = false;
      let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
      const signal = init.signal ?? new AbortController().signal;
      const left = new AbortController();
      const begin = ({ status, headers }: WebHead): void => {
        const body = NO_BODY.has(status)
          ? null
          : new ReadableStream<Uint8Array>({
              start: (controller) => void (stream = controller),
              cancel: () => left.abort(),
            });
        // These headers no longer apply, since the body is unpacked.
        const { "content-encoding": _coding, "content-length": _length, ...others } = headers;
        resolve(new Response(body, { status, headers: others }));
      };
      const end = (result: WebResult): void => {
        const trouble = troubleOf(result);
        if (!trouble) return stream?.close();
        if (!stream) return signal.aborted ? reject(abortError()) : fail(trouble);
        if (!signal.aborted) told(trouble);
        // The SDK resumes a stream whose events have ids.
        if (!signal.aborted && method === "POST" && (!hasIds || (result.kind === "response" && result.isCut)))
          lost(new WebTrouble(trouble.message, trouble.help, { isOfAnswer: true }), String(body));
        stream.error(trouble);
      };
      host.web
        .fetch({
          url: url.href,
          method: method === "POST" || method === "DELETE" ? method : "GET",
          headers: Object.fromEntries(
            [...new Headers(init.headers)].filter(([name]) => isOwn || !elsewhere?.withheld.includes(name)),
          ),
          ...(body === undefined || body === null ? {} : { body: String(body) }),
          signal: AbortSignal.any([signal, left.signal]),
          bytesMax: ANSWER_BYTES_MAX,
          timeoutMs: STREAM_MS_MAX,
          redirectsMax: 0,
          allowedHosts: isOwn ? ownHosts : (elsewhere?.allowedHosts ?? []),
          onHead: begin,
          onBody: (bytes) => {
            hasIds ||= ID_LINE.test(Buffer.from(bytes).toString("latin1"));
            stream?.enqueue(bytes);
          },
        })
        .then((result) => {
          try {
            end(result);
          } catch {
            // The SDK has left the stream.
          }
        }, reject);
    });
}

function troubleOf(result: WebResult): WebTrouble | undefined {
  switch (result.kind) {
    case "response":
      return result.isCut ? new WebTrouble(`it answered with more than ${ANSWER_BYTES_MAX} bytes`, []) : undefined;
    case "refused":
    case "unreachable":
      return new WebTrouble(result.reason, result.help);
    case "timeout":
      return new WebTrouble(`no complete answer after ${result.limitMs} ms`, []);
    case "cancelled":
      return new WebTrouble("cancelled", []);
  }
}

function abortError(): Error {
  return new DOMException("This operation was aborted", "AbortError");
}
