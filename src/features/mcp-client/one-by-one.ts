import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";

/**
 * Delivers messages to the SDK one by one, also those that came in one piece: it takes a notification up in a later
 * microtask, and forgets the progress of a request with its answer.
 */
export function deliveredOneByOne(transport: Transport): (message: JSONRPCMessage) => void {
  let delivered = Promise.resolve();
  return (message) => {
    delivered = delivered
      .then(() => transport.onmessage?.(message))
      .catch((error: unknown) => transport.onerror?.(error instanceof Error ? error : new Error(String(error))));
  };
}
