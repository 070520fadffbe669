// `dottool worker`: makes the calls that batches put into a queue, until it is told to end.
import { PROJECT_FOLDER_NAME } from "../../../core/catalog/tool-folders.ts";
import { installedRecordsFolderOf } from "../../packages/installed-packages.ts";
import { recordFolderOf } from "../../../core/catalog/trust-store.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import { type CommandContext, type CommandInput, reportUsage, type WordsCommand } from "../../../cli/command.ts";
import type { OpenedSession } from "../../../core/session/assemble.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import { answerAlone, LONE_VARIABLE } from "../lone-item.ts";
import { handleItem } from "../handle-item.ts";
import { openQueue, QUEUE_VARIABLE } from "../queue-address.ts";
import { isJsonObject } from "../../../core/schema/json.ts";
import type { DeadItem, WorkQueue } from "../../../core/tool/host-queues.ts";
import type { Terminal } from "../../../core/tool/terminal.ts";
import { jsonText } from "../../../cli/view/json-text.ts";

const PARALLEL_DEFAULT = 4;
const PARALLEL_MAX = 1_000;
const LEASE_S_DEFAULT = 30;
const LEASE_S_MAX = 3_600;
/** Running calls get TERM and then KILL, and their items go back into the queue. */
const END_MS_MAX = 8_000;
/** When all is done, timers of the libraries are not waited for, such as those of a server that is away. */
const END_REST_MS = 100;

export const workerCommand: WordsCommand = {
  kind: "words",
  usage: [
    "worker [--queue ADDRESS] [--parallel N] [--lease SECONDS] [NAME…]",
    "worker [--queue ADDRESS] --dead list|show|retry|drop [ID…|all]",
  ],
  about:
    "Makes the calls that `dottool batch --queue` puts into a queue on Redis, Valkey or PostgreSQL. Start as many as you like, on as many machines. " +
    "A worker runs only tools that are installed and trusted where it runs, with the content that they have at the caller; it refuses the rest by name. Name tools to serve these alone. " +
    "What trust cannot answer for, such as `run_command`, needs `dottool allow --for worker NAME`. " +
    "Ctrl-C or TERM ends it, and what it was doing goes to another worker.",
  options: [
    {
      name: "queue",
      value: "ADDRESS",
      does: `\`redis://HOST[:PORT][/NUMBER]\`, \`rediss://…\` or \`postgres://USER@HOST/DATABASE\`; default: ${QUEUE_VARIABLE}`,
    },
    {
      name: "parallel",
      value: "N",
      does: `maximum number of calls at the same time, up to ${PARALLEL_MAX}; default ${PARALLEL_DEFAULT}`,
    },
    {
      name: "lease",
      value: "SECONDS",
      does: `give the items of a worker to others when nothing was heard of it for so long; default ${LEASE_S_DEFAULT}`,
    },
    {
      name: "dead",
      value: "ACTION",
      does: `make no calls, but list, show, retry or drop items that failed, which stay for a week`,
    },
  ],
  words: [0, 1_000],
  completes: "tools",
  examples: [
    ["dottool worker --queue redis://localhost", "make calls until Ctrl-C"],
    ["dottool worker --queue redis://localhost --dead retry all", "try every item that failed again"],
    ["DOTTOOL_QUEUE=redis://:PASSWORD@HOST dottool worker thumb", "serve one tool, with a password"],
  ],
  run: async (given, context) => {
    const { terminal } = context;
    const input = withAddress(given);
    const parallel = wholeNumber(input.value("parallel") ?? `${PARALLEL_DEFAULT}`, PARALLEL_MAX);
    const leaseS = wholeNumber(input.value("lease") ?? `${LEASE_S_DEFAULT}`, LEASE_S_MAX);
    if (parallel === undefined)
      return reportUsage(
        terminal,
        `\`--parallel\` must be a number from 1 to ${PARALLEL_MAX}; got \`${input.value("parallel") ?? ""}\``,
        "worker",
      );
    if (leaseS === undefined)
      return reportUsage(
        terminal,
        `\`--lease\` must be a number of seconds from 1 to ${LEASE_S_MAX}; got \`${input.value("lease") ?? ""}\``,
        "worker",
      );
    const dead = input.value("dead");
    if (dead !== undefined) return lookAtDead(dead, input, context);
    terminal.expectSignal?.();
    const opened = await openForWork(context);
    if (typeof opened === "number") return opened;
    const unknown = await unknownName(input.words, opened);
    if (unknown !== undefined) {
      terminal.errors.write(
        `failed[unknown-tool]: there is no tool \`${printable(unknown)}\` for the worker to serve\n  = \`dottool list\` shows the tools\n`,
      );
      return exitCodes.missing;
    }
    const served = { only: new Set(input.words), ending: terminal.signal };
    if (opened.host.environment(LONE_VARIABLE) !== undefined)
      return answerAlone(terminal, ({ name, ...item }, signal) =>
        handleItem(item, { ...served, name, session: () => opened.session, isAlone: true }, signal),
      );
    const queue = await openQueue({ address: input.value("queue"), host: opened.host, command: "worker" }, context);
    if (typeof queue === "number") return queue;
    terminal.signal.addEventListener("abort", () => terminal.endWithin?.(END_MS_MAX), { once: true });
    const current = followed(opened, context);
    const { workerName } = await opened.host.queues();
    const counts = { done: 0, failed: 0 };
    terminal.errors.write(
      `worker: \`${printable(workerName)}\` takes items from \`${printable(queue.shownAddress)}\`, ${parallel} at a time\n`,
    );
    await queue.work({
      parallel,
      leaseMs: leaseS * 1_000,
      signal: terminal.signal,
      handle: async (item, signal) => {
        const handled = await handleItem(
          item,
          { ...served, name: workerName, session: () => current().session },
          signal,
        );
        if (handled.kind !== "put-back") counts[handled.kind === "answered" ? "done" : "failed"]++;
        return handled;
      },
    });
    await queue.close();
    opened.host.processes.killAll();
    await terminal.errors.write(
      `worker: ${counts.done.toLocaleString("en")} done, ${counts.failed.toLocaleString("en")} failed\n`,
    );
    terminal.endWithin?.(END_REST_MS);
    return exitCodes.done;
  },
};

/** No tool is called like an address, so a word that is one is the queue's. */
function withAddress(input: CommandInput): CommandInput {
  const address = input.words.find((word) => word.includes("://"));
  if (address === undefined || input.value("queue") !== undefined) return input;
  return {
    ...input,
    words: input.words.filter((word) => word !== address),
    value: (name) => (name === "queue" ? address : input.value(name)),
  };
}

async function lookAtDead(asked: string, input: CommandInput, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const action = deadActions.find((one) => one === asked);
  if (!action)
    return reportUsage(terminal, `\`--dead\` must be one of ${deadActions.join(", ")}; got \`${asked}\``, "worker");
  if (action !== "list" && input.words.length === 0)
    return reportUsage(terminal, `\`--dead ${action}\` needs ids, or \`all\``, "worker");
  const opened = await openForWork(context);
  if (typeof opened === "number") return opened;
  const queue = await openQueue({ address: input.value("queue"), host: opened.host, command: "worker" }, context);
  if (typeof queue === "number") return queue;
  const exitCode = await deadItems(queue, { action, ids: input.words }, terminal);
  await queue.close();
  return exitCode;
}

function openForWork(
  context: CommandContext,
  again: { readonly host?: OpenedSession["host"] } = {},
): Promise<OpenedSession | number> {
  return openSession(context, {
    frontEnd: "worker",
    person: undefined,
    approver: { ask: () => Promise.resolve("denied") },
    ...again,
  });
}

/** Returns the present session: a new one after each change of the tool folders. */
function followed(first: OpenedSession, context: CommandContext): () => OpenedSession {
  const { host, cwd, catalogue } = first;
  let current = first;
  let opening: Promise<void> = Promise.resolve();
  const folders = [
    ...catalogue().folders.map(({ path }) => path),
    `${cwd}/${PROJECT_FOLDER_NAME}`,
    recordFolderOf(host),
    installedRecordsFolderOf(host),
  ];
  host.watcher.watch([...new Set(folders)], {
    signal: context.terminal.signal,
    onChange: () =>
      void (opening = opening.then(async () => {
        const again = await openForWork(context, { host });
        if (typeof again !== "number") current = again;
      })),
    onTrouble: (folder, code) =>
      void context.terminal.errors.write(
        `warning[worker]: \`${printable(folder)}\` cannot be watched for changes: ${code}\n`,
      ),
  });
  return () => current;
}

async function unknownName(names: readonly string[], { session }: OpenedSession): Promise<string | undefined> {
  for (const name of names) if (!(await session.registry.resolve(name)) && !(await session.broken?.(name))) return name;
  return undefined;
}

function wholeNumber(text: string, maximum: number): number | undefined {
  return /^\d{1,7}$/.test(text) && Number(text) >= 1 && Number(text) <= maximum ? Number(text) : undefined;
}

// `dottool worker --dead`: the items of a queue that ended with a failure, for a person who looks after the queue.

export const deadActions = ["list", "show", "retry", "drop"] as const;
type DeadAction = (typeof deadActions)[number];

const SHOWN_DIGITS = 12;
const ALL = "all";

/** `ids` are ids or their first digits, or `all`. */
export async function deadItems(
  queue: WorkQueue,
  { action, ids }: { readonly action: DeadAction; readonly ids: readonly string[] },
  { output, errors }: Terminal,
): Promise<number> {
  const items = await queue.dead();
  const missing = ids.find((id) => id !== ALL && !items.some((item) => item.id.startsWith(id)));
  if (missing !== undefined) {
    errors.write(
      `failed[queue]: no item that failed begins with \`${printable(missing)}\`\n  = \`dottool worker --dead list\` shows them\n`,
    );
    return exitCodes.missing;
  }
  const chosen = ids.includes(ALL) ? items : items.filter((item) => ids.some((id) => item.id.startsWith(id)));
  switch (action) {
    case "list":
      for (const item of ids.length === 0 ? items : chosen) output.write(`${line(item)}\n`);
      if (items.length === 0) errors.write("worker: no item of this queue has failed\n");
      break;
    case "show":
      for (const { id, data, reason, atMs } of chosen)
        output.write(`${jsonText({ id, failedAt: new Date(atMs).toISOString(), reason, item: data })}\n`);
      break;
    case "retry":
      await queue.revive(chosen);
      errors.write(`worker: ${chosen.length.toLocaleString("en")} put in again\n`);
      break;
    case "drop":
      await queue.forget(chosen);
      errors.write(`worker: ${chosen.length.toLocaleString("en")} dropped\n`);
  }
  return exitCodes.done;
}

function line({ id, data, reason, atMs }: DeadItem): string {
  const tool = isJsonObject(data) && typeof data["tool"] === "string" ? data["tool"] : "?";
  const when = new Date(atMs).toISOString().slice(0, 19).replace("T", " ");
  return printable(`${id.slice(0, SHOWN_DIGITS)}  ${when}  ${tool}  ${reason.split("\n")[0] ?? ""}`);
}
