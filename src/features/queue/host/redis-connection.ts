// The connection to Redis or Valkey: what is wrong with it, in words, and how long a server that went away is waited for.
import { shownAddress } from "./queue-address.ts";
import { Redis } from "ioredis";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "../../../core/tool/error-code.ts";
import type { OpenedQueue, QueueOptions } from "../../../core/tool/host-queues.ts";
import { CLOSED_CODES, ServerAway } from "./server-away.ts";

export const CONNECT_MS_MAX = 5_000;
/** A server that answers nothing for so long is connected to anew. */
const SILENT_MS_MAX = 20_000;

/** How long the server may take to close a connection, too; the library waits as long for one that is closed already. */
const DISCONNECT_MS_MAX = 200;

/** The errors of full memory, and of a full disk. */
const FULL = /OOM|MISCONF/;

type Trouble = Extract<OpenedQueue, { problem: string }>;

export interface OpenRedis {
  readonly redis: Redis;
  /** Does something that needs room on the server, as often as it takes until there is some. */
  whenRoom<T>(act: () => Promise<T>): Promise<T>;
  /** Says what is wrong with the server, unless it is waited for anyway. */
  say(error: Error): void;
  /** Ends all connections without waiting for the server, and says what that means if there is something to say. */
  leave(text: string | undefined): void;
}

/** The server must be there now; later it may go away and come back. */
export async function openConnection(url: URL, { onTrouble }: QueueOptions): Promise<OpenRedis | Trouble> {
  const away = new ServerAway(`\`${shownAddress(url)}\` answers again`, onTrouble);
  const full = new ServerAway(`\`${shownAddress(url)}\` has room again`, onTrouble);
  let hasOpened = false;
  const redis = new Redis(url.href, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS_MAX,
    socketTimeout: SILENT_MS_MAX,
    disconnectTimeout: DISCONNECT_MS_MAX,
    maxRetriesPerRequest: null,
    retryStrategy: (times) => {
      if (!hasOpened) return null;
      away.isAway(redisTrouble(cause, url).problem);
      return away.waitMs(times);
    },
  });
  let cause: unknown;
  redis.on("error", (error) => void (cause ??= error));
  redis.on("ready", () => {
    away.isBack();
    cause = undefined;
  });
  const duplicate = redis.duplicate.bind(redis);
  const all = [redis];
  redis.duplicate = (...words) => {
    // Without a listener the library prints the error, as when BullMQ has taken its own away.
    const other = quiet(duplicate(...words).on("error", () => undefined));
    all.push(other);
    return other;
  };
  try {
    await redis.connect();
    await redis.ping();
    // The library takes no notice of a refusal, and goes on with database 0.
    const database = Number(url.pathname.slice(1));
    if (database > 0) await redis.select(database);
    const evicting = evictionTrouble(await redis.info("memory").catch(() => ""), url);
    if (evicting !== undefined) onTrouble(evicting);
    quiet(redis);
  } catch (error) {
    disconnect(redis);
    return redisTrouble(cause ?? error, url);
  }
  hasOpened = true;
  const said = new Set<string>();
  return {
    redis,
    whenRoom: async (act) => {
      for (let times = 1; ; times++)
        try {
          const done = await act();
          if (times > 1) full.isBack();
          return done;
        } catch (error) {
          if (!isFull(error)) throw error;
          full.isAway(redisTrouble(error, url).problem);
          const waitMs = full.waitMs(times);
          if (waitMs === undefined) throw error;
          await sleep(waitMs);
        }
    },
    say: (error) => {
      const { problem } = answerTrouble(error, url) ?? {};
      if (problem !== undefined && !isFull(error) && !said.has(problem)) onTrouble(problem);
      said.add(problem ?? "");
    },
    leave: (text) => {
      if (text !== undefined) onTrouble(text);
      for (const one of all) disconnect(one);
    },
  };
}

/** BullMQ asks each connection for the server's policy, and prints a warning of its own for each. */
function quiet(redis: Redis): Redis {
  const info = redis.info.bind(redis) as (...words: unknown[]) => Promise<string>;
  // The library itself asks with a callback.
  redis.info = (...words: unknown[]) =>
    words.length > 0
      ? info(...words)
      : info().then((text) => text.replace(/^maxmemory_policy:.*$/m, "maxmemory_policy:noeviction"));
  return redis;
}

/** Returns what a policy means that may remove items; without a limit of memory it never does. */
function evictionTrouble(info: string, url: URL): string | undefined {
  const [, policy = "noeviction"] = /^maxmemory_policy:(\S+)/m.exec(info) ?? [];
  const [, limit = "0"] = /^maxmemory:(\d+)/m.exec(info) ?? [];
  if (policy === "noeviction" || limit === "0") return undefined;
  return `\`${shownAddress(url)}\` removes items and answers when its memory is full (\`maxmemory-policy ${policy}\`), and their calls are made again; \`noeviction\` keeps them`;
}

function isFull(error: unknown): boolean {
  return FULL.test(messageOf(error));
}

/** Leaves a connection alone that has ended: the library would set a timer of two seconds that nothing stops. */
export function disconnect(redis: Redis): void {
  if (redis.status !== "end") redis.disconnect();
}

/** The texts of errors may repeat what was sent, so only known ones are shown. */
export function redisTrouble(error: unknown, url: URL): Trouble {
  const answered = answerTrouble(error, url);
  if (answered) return answered;
  const code = codeOf(error) ?? "";
  const why =
    code === "ECONNREFUSED"
      ? "nothing listens there"
      : code === "ENOTFOUND" || code === "EAI_AGAIN"
        ? "there is no such host"
        : code === "ETIMEDOUT" || /timeout/i.test(messageOf(error))
          ? "it does not answer"
          : code === "" || CLOSED_CODES.test(code)
            ? "the connection was closed"
            : code;
  return {
    problem: `the queue at \`${shownAddress(url)}\` cannot be reached: ${why}`,
    help: ["start the server, for example with `redis-server`, or check the address"],
  };
}

/** Returns what a server means that answers with an error. */
function answerTrouble(error: unknown, url: URL): Trouble | undefined {
  const shown = shownAddress(url);
  const message = messageOf(error);
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
  if (FULL.test(message))
    return {
      problem: `\`${shown}\` has no room left, in memory or on its disk`,
      help: ["`redis-cli info` on that machine says which"],
    };
  return undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}
