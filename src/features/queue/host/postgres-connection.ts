// The connections to PostgreSQL: each statement waits for a server that went away, and troubles have messages.
import { shownAddress } from "./queue-address.ts";
import pg from "pg";
import { codeOf } from "../../../core/tool/error-code.ts";
import type { OpenedQueue, QueueOptions } from "../../../core/tool/host-queues.ts";
import { CLOSED_CODES, RETRY_MS_MAX, ServerAway } from "./server-away.ts";

export const CONNECT_MS_MAX = 5_000;
/** A statement that is not answered for so long is sent again, on another connection. */
const SILENT_MS_MAX = 20_000;
const CONNECTIONS_MAX = 8;
/** How many connections in a row may turn out to have ended before, with a server that has come back. */
const STALE_MAX = 2;
/** Seen by others who look at the server. Those that wait for items are counted as workers. */
export const APPLICATION = "dottool";
export const WORKER_APPLICATION = "dottool worker";

type Trouble = Extract<OpenedQueue, { problem: string }>;

export interface Database {
  /** Every statement of the queue can be sent twice. */
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly Record<string, unknown>[] }>;
  /** Calls `onNotify` for each notification of a channel, and after each time that some may have been missed. */
  listen(channel: string, applicationName: string, onNotify: () => void): { end(): void };
  close(): Promise<void>;
  /** Whether the server is away now, as far as is known. */
  isAway(): boolean;
  /** From now on, the server is not waited for. */
  leave(): void;
}

/** The server must be there now; later it may go away and come back. */
export async function openDatabase(
  url: URL,
  { onTrouble }: QueueOptions,
): Promise<{ readonly database: Database } | Trouble> {
  const connection = {
    connectionString: url.href,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    query_timeout: SILENT_MS_MAX,
    keepAlive: true,
  };
  const pool = new pg.Pool({ ...connection, application_name: APPLICATION, max: CONNECTIONS_MAX });
  // An idle connection fails here; the next statement opens another one.
  pool.on("error", () => undefined);
  try {
    await pool.query("select 1");
  } catch (error) {
    pool.end().catch(() => undefined);
    return postgresTrouble(error, url);
  }
  const closing = new AbortController();
  let isLeft = false;
  const away = new ServerAway(`\`${shownAddress(url)}\` answers again`, onTrouble);
  const full = new ServerAway(`\`${shownAddress(url)}\` has room again`, onTrouble);
  const query: Database["query"] = async (text, values = []) => {
    let wasFull = false;
    for (let times = 1; ; times++) {
      try {
        const result = await pool.query(text, [...values]);
        away.isBack();
        // Others that need less room may have succeeded meanwhile.
        if (wasFull) full.isBack();
        return { rows: Array.isArray(result) ? [] : (result.rows as Record<string, unknown>[]) };
      } catch (error) {
        if (closing.signal.aborted || !isPassing(error)) throw error;
        const isFull = NO_ROOM.test(codeOf(error) ?? "");
        wasFull ||= isFull;
        const reason = isFull ? full : away;
        if (isFull || times > STALE_MAX) reason.isAway(postgresTrouble(error, url).problem);
        const waitMs = reason.waitMs(times);
        if (waitMs === undefined) throw error;
        await pause(waitMs, closing.signal);
      }
    }
  };
  return {
    database: {
      query,
      isAway: () => away.lasts,
      leave: () => {
        isLeft = true;
        closing.abort();
      },
      listen: (channel, applicationName, onNotify) =>
        listening({ ...connection, application_name: applicationName }, channel, onNotify),
      close: async () => {
        closing.abort();
        const ended = new AbortController();
        pool
          .end()
          .catch(() => undefined)
          .finally(() => ended.abort());
        // A server that does not answer is not waited for.
        if (!isLeft) await pause(CONNECT_MS_MAX, ended.signal);
      },
    },
  };
}

function listening(config: pg.ClientConfig, channel: string, onNotify: () => void): { end(): void } {
  const ended = new AbortController();
  let client: pg.Client | undefined;
  const listen = async (): Promise<void> => {
    const lost = new Promise<void>((resolve) => {
      client = new pg.Client(config);
      client.on("error", () => resolve()).on("end", () => resolve());
      client.on("notification", onNotify);
    });
    await client?.connect();
    await client?.query(`listen ${channel}`);
    onNotify();
    await lost;
  };
  const keepListening = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await listen().catch(() => undefined);
      client?.end().catch(() => undefined);
      await pause(RETRY_MS_MAX, ended.signal);
    }
  };
  keepListening().catch(() => undefined);
  return {
    end: () => {
      ended.abort();
      client?.end().catch(() => undefined);
    },
  };
}

export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const stop = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** PostgreSQL's classes of errors: connections, resources such as the disk, an end by the operator. */
const PASSING_CLASSES = /^(?:08|53|57)/;
const PASSING_CODES = /^E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN)$/;
/** The codes of a full disk and of full memory. */
const NO_ROOM = /^53[12]00$/;
/** What the library says without a code. */
const PASSING_TEXT = /timeout|terminated|not queryable|closed the connection/i;

/** Whether it may be gone when the statement is sent again. */
function isPassing(error: unknown): boolean {
  const code = codeOf(error) ?? "";
  if (code !== "") return PASSING_CLASSES.test(code) || PASSING_CODES.test(code);
  return PASSING_TEXT.test(messageOf(error));
}

/** The texts of errors may repeat what was sent, so only known ones are shown. */
export function postgresTrouble(error: unknown, url: URL): Trouble {
  const shown = shownAddress(url);
  const [text, message] = [codeOf(error) ?? "", messageOf(error)];
  const address = "`postgres://USER:PASSWORD@HOST/DATABASE`";
  if (text === "28P01" || text === "28000")
    return {
      problem: `\`${shown}\` does not accept this user and password`,
      help: [`the address has them before the host: ${address}, with \`%40\` for \`@\``],
    };
  if (/password must be a (?:non-empty )?string/i.test(message))
    return {
      problem: `\`${shown}\` asks for a password`,
      help: [`write it before the host, ${address}, and the whole address into \`DOTTOOL_QUEUE\``],
    };
  if (text === "3D000")
    return {
      problem: `\`${shown}\` has no such database`,
      help: ["make it: `createdb NAME`, and name it behind the host"],
    };
  if (text === "42501")
    return {
      problem: `this user of \`${shown}\` may not do what a queue needs`,
      help: ["let it make the schema `dottool` once: `grant create on database NAME to USER`"],
    };
  if (text.startsWith("53"))
    return {
      problem: `\`${shown}\` has no room left, on its disk, in memory or for connections`,
      help: ["its log on that machine says which"],
    };
  // What a server says when it ends has a code.
  if (
    text === "" &&
    !PASSING_TEXT.test(message) &&
    /unexpected|unknown (?:message|response)|protocol|SSL connection|invalid response/i.test(message)
  )
    return {
      problem: `\`${shown}\` is not a PostgreSQL server, or not with this kind of connection`,
      help: ["check the port; 5432 is usual"],
    };
  const why =
    text === "ECONNREFUSED"
      ? "nothing listens there"
      : text === "ENOTFOUND" || text === "EAI_AGAIN"
        ? "there is no such host"
        : text === "ETIMEDOUT" || /timeout/i.test(message)
          ? "it does not answer"
          : text === "57P03" || text === "57P01" || text === "57P02"
            ? "it starts or ends now"
            : text === "" || CLOSED_CODES.test(text)
              ? "the connection was closed"
              : text;
  return {
    problem: `the queue at \`${shown}\` cannot be reached: ${why}`,
    help: ["start the server, or check the address"],
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}
