// The connection to an editor, over the standard streams of this program. It ends when the editor says so, or when the
// input ends; the library's own watch would end the process in the middle of what it writes.
import process from "node:process";
import { type Connection, createConnection } from "vscode-languageserver";
import { createProtocolConnection, StreamMessageReader, StreamMessageWriter } from "vscode-languageserver/node";

export interface OpenConnection {
  readonly connection: Connection;
  /** Settles at the end, with whether the editor had asked for it. */
  readonly ended: Promise<boolean>;
}

export function openConnection(signal: AbortSignal): OpenConnection {
  let end: (isAsked: boolean) => void = () => undefined;
  const ended = new Promise<boolean>((resolve) => (end = resolve));
  const watchDog = {
    shutdownReceived: false,
    initialize: (): void => undefined,
    exit: (): void => end(watchDog.shutdownReceived),
  };
  const connection = createConnection(
    (logger) =>
      createProtocolConnection(new StreamMessageReader(process.stdin), new StreamMessageWriter(process.stdout), logger),
    watchDog,
  );
  process.stdin.once("end", watchDog.exit);
  process.stdout.on("error", watchDog.exit);
  signal.addEventListener("abort", () => end(true), { once: true });
  // A check that has begun may still write; nothing waits for input any more.
  return { connection, ended: ended.finally(() => process.stdin.pause().unref?.()) };
}
