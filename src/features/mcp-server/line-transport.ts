// JSON-RPC over lines of text, as in MCP's stdio. It reads and writes through the caller, so that streams stay in
// host/. A line that is not a message is answered with an error.
import { lineReader } from "../../core/text/line-reader.ts";
import { errorCodes, failedAnswer, type RpcMessage } from "./protocol.ts";
import { readText } from "./rpc-message.ts";

export interface Lines {
  /** Passes on input as it comes, and undefined at its end. A returned promise pauses the input until it settles. */
  listen(onText: (text: string | undefined) => void | Promise<void>): void;
  /** Writes text. A returned promise says that the reader is slow. */
  write(text: string): void | Promise<void>;
}

/** The limit of a message. A longer one is answered with an error, and reading continues after it. */
export const MESSAGE_CHARACTERS_MAX = 10 * 1024 * 1024;

export interface LineTransport {
  onmessage?: (message: RpcMessage) => void;
  /** The number of messages without an answer. */
  readonly waiting: number;
  start(): void;
  /** A returned promise says that the reader is slow. */
  send(message: RpcMessage): void | Promise<void>;
  close(): void;
}

export function lineTransport({ listen, write }: Lines, onEnd: () => void): LineTransport {
  const waiting = new Set<unknown>();
  let isClosed = false;
  const say = (message: RpcMessage): void | Promise<void> => {
    const wait = write(`${JSON.stringify(message)}\n`);
    held.wrote(wait);
    return wait;
  };
  const answer = (error: RpcMessage): void => void say(error)?.catch(() => undefined);
  const take = (line: string): void => {
    if (isClosed || line.trim() === "") return;
    const read = readText(line, "line");
    if ("refused" in read) return answer(read.refused);
    const { message } = read;
    if (message.method !== undefined && message.id !== undefined) waiting.add(message.id);
    // A cancelled request gets no answer.
    else if (message.method === "notifications/cancelled") waiting.delete(message.params?.["requestId"]);
    transport.onmessage?.(message);
  };
  const held = holdText({
    charactersMax: MESSAGE_CHARACTERS_MAX,
    read: lineReader({
      charactersMax: MESSAGE_CHARACTERS_MAX,
      onLine: take,
      onTooLong: () => answer(tooLong),
    }),
    waiting: () => waiting.size,
  });
  const transport: LineTransport = {
    get waiting(): number {
      return waiting.size + held.pieces;
    },
    start: () => {
      listen((text) => {
        // The last line may lack its end. It counts if it is valid JSON.
        if (text !== undefined) return held.hear(text);
        held.hear("\n")?.catch(() => undefined);
        onEnd();
      });
    },
    send: (message) => {
      if (isClosed) return undefined;
      if (message.method === undefined) waiting.delete(message.id);
      const said = say(message);
      held.goOn();
      return said;
    },
    close: () => void (isClosed = true),
  };
  return transport;
}

const tooLong = failedAnswer(null, {
  code: errorCodes.invalidRequest,
  message: `a message can have at most ${MESSAGE_CHARACTERS_MAX} characters`,
});

// Input from a client that does not read its answers. It is held as text up to a limit, so that no answers pile up, and
// the end of the input is still seen.

interface HeldText {
  /** Takes text. A returned promise pauses the input until it settles. */
  hear(text: string): void | Promise<void>;
  /** Waits until the client has read what was written. */
  wrote(wait: void | Promise<void>): void;
  /** Continues after an answer. */
  goOn(): void;
  readonly pieces: number;
}

interface HeldTextOptions {
  readonly charactersMax: number;
  read(text: string): void;
  /** Returns the number of requests without an answer. */
  waiting(): number;
}

/** The limit of requests without an answer, which may be large. Beyond it, held messages wait. */
const WAITING_MAX = 1_000;

function holdText({ charactersMax, read, waiting }: HeldTextOptions): HeldText {
  const pieces: string[] = [];
  let characters = 0;
  let behind: Promise<void> | undefined;
  const goOn = (): void => {
    while (pieces.length > 0 && !behind && waiting() < WAITING_MAX) {
      const text = pieces.shift() ?? "";
      characters -= text.length;
      read(text);
    }
  };
  return {
    get pieces(): number {
      return pieces.length;
    },
    hear: (text) => {
      if (!behind && pieces.length === 0) return read(text);
      pieces.push(text);
      characters += text.length;
      return characters > charactersMax ? behind : undefined;
    },
    wrote: (wait) => {
      if (!wait) return;
      const readAgain = (): void => {
        behind = undefined;
        goOn();
      };
      // A client that accepts no more answers has disconnected. The end of its input follows.
      behind ??= wait.then(readAgain, readAgain);
    },
    goOn,
  };
}
