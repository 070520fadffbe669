// The answer to one request over HTTP: JSON if it comes soon and alone, else a stream of events, which shows the client
// and what lies between that the server is at work.
import type { Host } from "../../core/tool/host.ts";
import type { Outlet } from "./connection.ts";
import { errorCodes, type RpcMessage } from "./protocol.ts";

export interface HttpReply extends Outlet {
  readonly response: Promise<Response>;
  end(): void;
}

interface ReplyOptions {
  readonly host: Host;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it is of 2026-07-28, where an error may have a status. */
  readonly isModern?: boolean;
}

/** Proxies close connections without bytes after a minute or less. */
const KEEP_ALIVE_MS = 15_000;
/** The time after which an answer up to 2025-11-25 becomes a stream, as it may be from the start. */
const STREAM_AFTER_MS = 250;
/** The limit of messages to a client that does not read. It must connect again. */
const UNREAD_MAX = 1_000;

export function openReply({ host, headers = {}, isModern = false }: ReplyOptions): HttpReply {
  const answered = Promise.withResolvers<Response>();
  const done = new AbortController();
  let stream: EventStream | undefined;
  const open = (): EventStream => {
    if (stream) return stream;
    stream = openStream(host, headers);
    answered.resolve(stream.response);
    return stream;
  };
  void host
    .sleep(isModern ? KEEP_ALIVE_MS : STREAM_AFTER_MS, done.signal)
    .then(() => void (done.signal.aborted || open()));
  const finish = (answer: RpcMessage | undefined): void => {
    if (done.signal.aborted) return;
    done.abort();
    if (answer && !stream)
      return answered.resolve(Response.json(answer, { status: isModern ? statusOf(answer) : 200, headers }));
    const { write, end } = open();
    if (answer) write(answer)?.catch(() => undefined);
    end();
  };
  return {
    response: answered.promise,
    send: (message) => {
      if (message.method === undefined) return finish(message);
      return done.signal.aborted ? undefined : open().write(message);
    },
    end: () => finish(undefined),
  };
}

/** Results and errors of a method are answers like any other; these say that it was not begun. */
function statusOf({ error }: RpcMessage): number {
  if (error?.code === errorCodes.unknownMethod) return 404;
  return error?.code === errorCodes.missingCapability ? 400 : 200;
}

export interface EventStream {
  readonly response: Response;
  /** A returned promise says that the reader is slow. */
  write(message: RpcMessage): void | Promise<void>;
  end(): void;
}

export function openStream(host: Host, headers: Readonly<Record<string, string>>): EventStream {
  const encoder = new TextEncoder();
  const ended = new AbortController();
  let events: ReadableStreamDefaultController<Uint8Array> | undefined;
  let slow: PromiseWithResolvers<void> | undefined;
  const goOn = (): void => {
    slow?.resolve();
    slow = undefined;
  };
  const end = (): void => {
    if (ended.signal.aborted) return;
    ended.abort();
    goOn();
    events?.close();
  };
  const put = (text: string): void | Promise<void> => {
    if (ended.signal.aborted || !events) return;
    events.enqueue(encoder.encode(text));
    const room = events.desiredSize ?? 0;
    if (room > 0) return;
    if (room < -UNREAD_MAX) return end();
    slow ??= Promise.withResolvers();
    return slow.promise;
  };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (events = controller),
    pull: goOn,
    cancel: () => {
      ended.abort();
      goOn();
    },
  });
  const keepAlive = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await host.sleep(KEEP_ALIVE_MS, ended.signal);
      put(": keepalive\n\n")?.catch(() => undefined);
    }
  };
  keepAlive().catch(() => undefined);
  return {
    response: new Response(body, {
      headers: {
        "content-type": "text/event-stream",
        "cache-control": "no-cache, no-transform",
        "x-accel-buffering": "no",
        ...headers,
      },
    }),
    write: (message) => put(`event: message\ndata: ${JSON.stringify(message)}\n\n`),
    end,
  };
}
