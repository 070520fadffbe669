// Opens the queue that an address names. The library of each server is loaded when an address asks for it.
import { hostname } from "node:os";
import process from "node:process";
import type { HostQueues, OpenedQueue } from "../../../core/tool/host-queues.ts";

const ACCEPTED = [
  "`redis://HOST[:PORT][/NUMBER]` (or `rediss://` with TLS) is Redis or Valkey",
  "`postgres://USER@HOST[:PORT]/DATABASE` is PostgreSQL",
];

const PASSWORD_HASH = "in a password, `#` is `%23`";

export const hostQueues: HostQueues = {
  workerName: `${hostname()}:${process.pid}`,
  open: async (address, options) => {
    const url = readAddress(address);
    if ("problem" in url) return url;
    switch (url.protocol) {
      case "redis:":
      case "rediss:":
        return (await import("./redis-queue.ts")).openRedisQueue(url, options);
      case "postgres:":
      case "postgresql:":
        return (await import("./postgres-queue.ts")).openPostgresQueue(url, options);
      default:
        return {
          problem: `\`${url.protocol}//\` is not a kind of queue that dottool knows`,
          help: ACCEPTED,
        };
    }
  },
};

/** `HOST:PORT`, as it stands in the documents of servers. */
const HOST_PORT = /^(?:[a-z][\w.-]*|\d+(?:\.\d+){3}|\[[\da-f:]+\]):\d{1,5}$/i;

/** A text that is no address may be a password, so it is not shown. */
function readAddress(address: string): URL | Extract<OpenedQueue, { problem: string }> {
  try {
    const url = new URL(HOST_PORT.test(address) ? `redis://${address}` : address);
    if (url.hostname === "") return { problem: "the address of the queue has no host", help: ACCEPTED };
    if (url.hash !== "") return { problem: "the address of the queue has something behind `#`", help: [PASSWORD_HASH] };
    return url;
  } catch {
    return { problem: "the address of the queue does not begin with `redis://` or `postgres://`", help: ACCEPTED };
  }
}
