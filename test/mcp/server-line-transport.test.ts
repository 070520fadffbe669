// Lines from a client that does not read: they wait as text, so that no answers pile up.
import { lineTransport, MESSAGE_CHARACTERS_MAX } from "../../src/features/mcp-server/line-transport.ts";
import { assert, suite } from "../harness.ts";

const test = suite("features/mcp-server/line-transport.ts");

test("what a client sends while it does not read is held, asked for no more of when there is much, and answered in order afterwards", async () => {
  const drained = Promise.withResolvers<void>();
  const seen: unknown[] = [];
  let isReading = false;
  let hear: ((text: string | undefined) => void | Promise<void>) | undefined;
  const transport = lineTransport(
    { listen: (onText) => void (hear = onText), write: () => (isReading ? undefined : drained.promise) },
    () => undefined,
  );
  transport.onmessage = (message) => {
    if (!("id" in message)) return;
    seen.push(message.id);
    void transport.send({ jsonrpc: "2.0", id: message.id ?? 0, result: {} });
  };
  await transport.start();
  const line = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`;
  assert.equal(hear?.(line(0)), undefined);
  assert.equal([hear?.(line(1)), hear?.(line(2))], [undefined, undefined]);
  assert.equal([seen, transport.waiting], [[0], 2]);
  const wait = hear?.(" ".repeat(MESSAGE_CHARACTERS_MAX));
  assert.ok(wait instanceof Promise);
  isReading = true;
  drained.resolve();
  await wait;
  assert.equal([hear?.(`\n${line(3)}`), seen, transport.waiting], [undefined, [0, 1, 2, 3], 0]);
});

test("a client that takes no more answers breaks nothing: what it sent before is read to its end", async () => {
  const seen: unknown[] = [];
  let hear: ((text: string | undefined) => void | Promise<void>) | undefined;
  let hasEnded = false;
  const write = (): Promise<void> => Promise.reject(new Error("the pipe is closed"));
  const transport = lineTransport({ listen: (onText) => void (hear = onText), write }, () => void (hasEnded = true));
  transport.onmessage = (message) => void ("id" in message && seen.push(message.id));
  await transport.start();
  hear?.("no JSON\n");
  hear?.('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  hear?.(undefined);
  // An unhandled rejection would end this process.
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal([seen, hasEnded], [[1], true]);
});

test.run();
