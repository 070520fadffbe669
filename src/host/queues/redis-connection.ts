// The connection to Redis or Valkey: what is wrong with it, in words, and how long a server that went away is waited for.
import { Redis } from "ioredis";
import type { OpenedQueue, QueueOptions } from "../../tool/host-queues.ts";
import { shownAddress } from "./host-queues.ts";

export const CONNECT_MS_MAX = 5_000;
/** A server that answers nothing for so long is connected to anew. */
const SILENT_MS_MAX = 20_000;
/** How long a server that went away is waited for. Then every command fails. */
const AWAY_MS_MAX = 10 * 60_000;
const RETRY_MS_MAX = 1_000;

type Trouble = Extract<OpenedQueue, { problem: string }>;

/** The server must be there now; later it may go away and come back. */
export async function openConnection(
  url: URL,
  { onTrouble }: QueueOptions,
): Promise<{ readonly redis: Redis } | Trouble> {
  let hasOpened = false;
  let awaySinceMs: number | undefined;
  const redis = new Redis(url.href, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS_MAX,
    socketTimeout: SILENT_MS_MAX,
    maxRetriesPerRequest: null,
    retryStrategy: (times) => {
      if (!hasOpened) return null;
      if (awaySinceMs === undefined) onTrouble(`${redisTrouble(cause, url).problem}; waiting for it`);
      awaySinceMs ??= performance.now();
      return performance.now() - awaySinceMs > AWAY_MS_MAX ? null : Math.min(times * 50, RETRY_MS_MAX);
    },
  });
  let cause: unknown;
  redis.on("error", (error) => void (cause ??= error));
  redis.on("ready", () => {
    if (awaySinceMs !== undefined) onTrouble(`\`${shownAddress(url)}\` answers again`);
    awaySinceMs = undefined;
    cause = undefined;
  });
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    redis.disconnect();
    return redisTrouble(cause ?? error, url);
  }
  hasOpened = true;
  return { redis };
}

/** The texts of errors may repeat what was sent, so only known ones are shown. */
export function redisTrouble(error: unknown, url: URL): Trouble {
  const shown = shownAddress(url);
  const { code, message = "" } = (error ?? {}) as { readonly code?: unknown; readonly message?: string };
  if (/WRONGPASS|invalid password|invalid username-password/i.test(message))
    return {
      problem: `\`${shown}\` does not accept this user and password`,
      help: ["the address has them before the host: `redis://USER:PASSWORD@HOST`, with `%40` for `@`"],
    };
  if (/NOAUTH/.test(message))
    return {
      problem: `\`${shown}\` asks for a password`,
      help: ["write it before the host, `redis://:PASSWORD@HOST`, and the whole address into `DOTTOOL_QUEUE`"],
    };
  if (/NOPERM/.test(message))
    return {
      problem: `this user of \`${shown}\` may not do what a queue needs`,
      help: ["give it the keys `~dottool:*` and the commands `+@all -@dangerous +info`"],
    };
  if (/DB index is out of range/.test(message))
    return { problem: `\`${shown}\` has no database of this number`, help: ["most servers have 0 to 15"] };
  if (/protocol error|RESP type|unexpected/i.test(message))
    return { problem: `\`${shown}\` is not a Redis or Valkey server`, help: ["check the port; 6379 is usual"] };
  if (/OOM|MISCONF/.test(message))
    return {
      problem: `\`${shown}\` has no room left, in memory or on its disk`,
      help: ["`redis-cli info` on that machine says which"],
    };
  const why =
    code === "ECONNREFUSED"
      ? "nothing listens there"
      : code === "ENOTFOUND" || code === "EAI_AGAIN"
        ? "there is no such host"
        : code === "ETIMEDOUT" || /timeout/i.test(message)
          ? "it does not answer"
          : typeof code === "string"
            ? code
            : "the connection was closed";
  return {
    problem: `the queue at \`${shown}\` cannot be reached: ${why}`,
    help: ["start the server, for example with `redis-server`, or check the address"],
  };
}
