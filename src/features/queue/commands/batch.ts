// `dottool batch`: calls one tool for each line of standard input, and prints a line of JSON for each result.
import { rowOf } from "../../../core/text/row-of.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import { callHere } from "../call-here.ts";
import { BatchLine, type Watched } from "../batch-line.ts";
import { type DoneInputs, doneInputs } from "../done-inputs.ts";
import { type BatchCounts, type RunBatch, runBatch, STOP_ENDED_MIN } from "../run-batch.ts";
import { findTool } from "../../../cli/call.ts";
import { type CommandContext, type RawCommand, reportUsage } from "../../../cli/command.ts";
import type { OpenedSession } from "../../../core/session/assemble.ts";
import type { Terminal } from "../../../core/tool/terminal.ts";
import type { Tool } from "../../../core/tool/tool.ts";
import { openTraced } from "../../../cli/session/open-session.ts";
import { arrayParameter } from "../../../core/run/find-parameter.ts";
import { type OptionRow, readOptionsBefore } from "../../../cli/words/option-words.ts";

const PARALLEL_DEFAULT = 4;
const PARALLEL_MAX = 1_000;
/** How many items of a batch are in the queue at the same time. */
const QUEUED_DEFAULT = 1_000;
const QUEUED_MAX = 10_000;
const RETRIES_MAX = 10;

/** Options of GNU parallel and xargs, and what does it here. */
const otherWords: readonly (readonly [words: RegExp, here: string])[] = [
  [/^--joblog$/, "the results are the log: each has `line`, `exitCode` and `durationMs`"],
  [/^--re(?:sume|sume-failed|try-failed)$/, "`--done RESULTS` leaves out the lines that have succeeded"],
  [/^--halt$/, "`--stop-after 1` begins no call after a failure, and `--stop-after 50%` none once half have failed"],
  [/^(?:--keep-order|-k)$/, "`--in-order` prints the results in the order of the lines"],
  [/^(?:--jobs|-j|-P)$/, "`--parallel N` makes so many calls at the same time"],
];

const rows = [
  {
    name: "parallel",
    value: "N",
    does: `maximum number of calls at the same time, up to ${PARALLEL_MAX}; default ${PARALLEL_DEFAULT}. With \`--queue\` of items in the queue, up to ${QUEUED_MAX}; default ${QUEUED_DEFAULT}`,
  },
  { name: "in-order", does: "print results in the order of the lines, not as they come" },
  { name: "done", value: "RESULTS", does: "leave out lines that have succeeded according to this file of results" },
  {
    name: "stop-after",
    value: "FAILURES",
    does: `begin no more calls once so many have failed: a number, or such a part as \`50%\` of those that have ended, once ${STOP_ENDED_MIN} have`,
  },
  {
    name: "queue",
    value: "ADDRESS",
    does: "let workers make the calls: `redis://HOST[:PORT][/NUMBER]`, `postgres://USER@HOST/DATABASE`, or `-` for the address in DOTTOOL_QUEUE",
  },
  { name: "key", value: "PARAMETER", does: "with `--queue`: lines with the same value of this parameter are one call" },
  {
    name: "retries",
    value: "N",
    does: `with \`--queue\`: try a failed call again, up to ${RETRIES_MAX} times, after 1, 2, 4, … seconds; default 0`,
  },
  {
    name: "rate",
    value: "N/UNIT",
    does: "with `--queue`: begin at most so many calls in a `s`, `m` or `h`, over all workers",
  },
] as const satisfies readonly OptionRow[];

export const batchCommand: RawCommand = {
  kind: "raw",
  usage: [
    "batch [--parallel N] [--in-order] [--done RESULTS] [--stop-after FAILURES] NAME [ARG…] < INPUTS > RESULTS",
    "batch --queue ADDRESS [--key PARAMETER] [--retries N] [--rate N/UNIT] [OPTION…] NAME [ARG…] < INPUTS > RESULTS",
  ],
  about:
    "Calls a tool for each line of standard input. A line is a JSON object of arguments. Any other line is the value of the tool's only parameter, or of the only required one, that the ARGs do not give; or else a word behind the ARGs, which are those of every call. " +
    "Prints a line of JSON for each result: `line`, `input` (a hash of the line and of the words behind `batch`), `status` (`ok` or `failed`), `exitCode`, `durationMs`, `content`, and `failure` if it failed. A line that is wrong has a result that says so. " +
    "Rules, approvals and trust are those of `dottool NAME`; where they ask, the call is denied. " +
    "With `--queue`, `dottool worker` makes the calls, on as many machines as you like. " +
    "After an interruption or `--stop-after`, `--done` goes on: `dottool batch --done results NAME < inputs >> results`. " +
    "Exit code: 0 if every call succeeded, 1 if one failed, 130 for Ctrl-C.",
  options: rows,
  completes: "tools",
  examples: [
    ["ls | dottool batch file_type", "one call for each line, with the line as its argument"],
    ["dottool batch --queue redis://localhost thumb < inputs.ndjson > results.ndjson", "let workers make the calls"],
    ["dottool batch --parallel 16 web_fetch < inputs.ndjson > results.ndjson", 'lines such as `{"url": "https://…"}`'],
    [
      "dottool batch --done results.ndjson web_fetch < inputs.ndjson >> results.ndjson",
      "go on, and try failed ones again",
    ],
  ],
  run: async (words, given) => {
    const line = new BatchLine(given.terminal);
    const { terminal } = line;
    const context = { ...given, terminal };
    const read = readBatchWords(words);
    if ("problem" in read) return reportUsage(terminal, read.problem, "batch");
    if (terminal.input.isTerminal)
      return reportUsage(
        terminal,
        `\`batch\` reads its lines from a file or a pipe: \`dottool batch ${read.name} < FILE\``,
        "batch",
      );
    const found = await findTool(read.name, { words: read.own, form: "short" }, { context, waiting: undefined });
    if (typeof found === "number") return found;
    const { name, tool } = found;
    const stray = tool ? strayOption(read.own, tool) : undefined;
    if (stray !== undefined)
      return reportUsage(
        terminal,
        `\`--${stray}\` is an option of \`batch\` and goes before the tool's name: \`dottool batch --${stray} … ${name}\``,
        "batch",
      );
    const traced = await openTraced(found.opened, context);
    if (typeof traced === "number") return traced;
    const { opened } = traced;
    if (!tool) {
      const { reportMissingTool } = await import("../../../cli/words/no-such-tool.ts");
      const called = { words: read.own, form: "short" } as const;
      return traced.end(await reportMissingTool(name, opened, { ...context, called }));
    }
    const done = read.results === undefined ? undefined : await doneInputs(read.results, opened.session.host, terminal);
    if (typeof done === "string") {
      terminal.errors.write(
        `failed[file]: ${printable(done)}\n  = \`--done\` takes a file that \`batch\` has printed\n`,
      );
      return traced.end(exitCodes.missing);
    }
    const batch = { ...read, name, tool, opened, done, line, terminal };
    return traced.end(await (read.queue === undefined ? runHere(batch, context) : runOnQueue(batch, context)));
  },
};

/** Said once, and not for each line. A tool with an array parameter takes such words. */
function strayOption(own: readonly string[], { parameters }: Tool): string | undefined {
  if (arrayParameter(parameters)) return undefined;
  const end = own.indexOf("--");
  const names = (end === -1 ? own : own.slice(0, end)).map((word) => /^--([^=]*)/.exec(word)?.[1]);
  return rows.find(({ name }) => names.includes(name) && !parameters.some((one) => one.name === name))?.name;
}

interface FoundBatch extends BatchWords {
  readonly tool: Tool;
  readonly opened: OpenedSession;
  readonly done: DoneInputs | undefined;
  readonly line: BatchLine;
  readonly terminal: Terminal;
}

async function runHere(batch: FoundBatch, context: CommandContext): Promise<number> {
  const { session } = batch.opened;
  const { terminal } = context;
  // Said once, and not for each line.
  const untrusted = await session.distrust?.(batch.name);
  if (untrusted) {
    const named = { tool: batch.tool, name: batch.name, audience: "person" } as const;
    terminal.errors.write(
      `${await (await import("../../../cli/view/print-result.ts")).failureLines(untrusted, named)}\n`,
    );
    return exitCodes.denied;
  }
  if (batch.tool.runsProcess || batch.tool.definition.kind === "steps") await session.host.processes.startMany?.();
  const caller = callHere({ ...batch, session }, terminal);
  const parallel = batch.parallel ?? PARALLEL_DEFAULT;
  return report(await runWatched({ ...batch, parallel, caller }, { open: caller.open, where: "running" }), context);
}

function runWatched(batch: RunBatch & FoundBatch, watched: Watched): Promise<BatchCounts> {
  const { line, opened, terminal } = batch;
  line.watch(watched, opened.host).catch(() => undefined);
  return runBatch(
    {
      ...batch,
      onCounts: (counts) => {
        line.count(counts);
        batch.onCounts?.(counts);
      },
    },
    terminal,
  ).finally(() => line.end());
}

async function runOnQueue(batch: FoundBatch, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const { queue: address, done, key, tool } = batch;
  if (key !== undefined && !tool.parameters.some(({ name }) => name === key))
    return reportUsage(
      terminal,
      `\`--key\` names a parameter of \`${batch.name}\`: ${tool.parameters.map(({ name }) => name).join(", ")}; got \`${key}\``,
      "batch",
    );
  const { openQueue } = await import("../queue-address.ts");
  const { host } = batch.opened;
  const queue = await openQueue({ address: address === "-" ? undefined : address, host, command: "batch" }, context);
  if (typeof queue === "number") return queue;
  const { callOnQueue } = await import("../call-on-queue.ts");
  const { workerHint } = await import("../worker-hint.ts");
  const caller = await callOnQueue({ ...batch, queue, done }, terminal);
  const hint = workerHint(queue, host, terminal);
  const parallel = batch.parallel ?? QUEUED_DEFAULT;
  const counts = await runWatched(
    { ...batch, parallel, caller, onCounts: hint.answered },
    { open: caller.open, where: "in the queue", look: () => hint.look(caller.open()) },
  );
  await caller.end();
  await queue.close();
  const failure = caller.failure();
  if (failure !== undefined)
    terminal.errors.write(
      `failed[queue]: the queue at \`${printable(queue.shownAddress)}\` was lost, and ${counts.cancelled.toLocaleString("en")} ${counts.cancelled === 1 ? "call has" : "calls have"} no result\n  = go on with \`--done\` and the results, when it is back\n`,
    );
  const exitCode = report(counts, context);
  return failure === undefined ? exitCode : exitCodes.failed;
}

function report(
  { ok, failed, cancelled, leftOut, repeated, isStopped }: BatchCounts,
  { terminal }: CommandContext,
): number {
  const counts = Object.entries({
    ok,
    failed,
    cancelled,
    "done before": leftOut,
    "left out, with a key that an earlier line has": repeated,
  }).filter(([what, count]) => what === "ok" || count > 0);
  // The first `toLocaleString` of a program takes as long as a hundred calls.
  if (counts.length > 1 || terminal.errors.isTerminal)
    terminal.errors.write(
      `batch: ${counts.map(([what, count]) => `${count.toLocaleString("en")} ${what}`).join(", ")}\n`,
    );
  if (isStopped)
    terminal.errors.write(
      "warning[batch]: it was stopped by `--stop-after`, and has not read all lines\n  = `--done` with the results goes on\n",
    );
  if (terminal.ending === "interrupted") return exitCodes.interrupted;
  if (failed > 0) return exitCodes.failed;
  // The reader has read enough; then the terminal makes this a success.
  return cancelled > 0 ? exitCodes.interrupted : exitCodes.done;
}

interface BatchWords {
  readonly name: string;
  /** The words of every call. */
  readonly own: readonly string[];
  readonly parallel: number | undefined;
  readonly isInOrder: boolean;
  readonly stopAfter: string | undefined;
  readonly queue: string | undefined;
  readonly key: string | undefined;
  readonly retriesMax: number;
  /** The shortest time between two calls. */
  readonly everyMs: number;
}

interface ReadBatchWords extends BatchWords {
  /** A path as it was typed. */
  readonly results: string | undefined;
}

function readBatchWords(words: readonly string[]): ReadBatchWords | { readonly problem: string } {
  const read = readOptionsBefore<OptionRow>(words, rows, (bare) => {
    const here = otherWords.find(([word]) => word.test(bare))?.[1];
    return `\`batch\` has no option \`${bare}\`${here === undefined ? " (options of the tool stand behind its name)" : `; ${here}`}`;
  });
  if ("problem" in read) return read;
  const given = new Map(read.given.map(({ option, value }) => [option.name, value]));
  const [name, ...own] = read.rest;
  if (name === undefined) {
    const [taken, value] = [...given].at(-1) ?? [];
    const hint =
      value === undefined || value === "" || value.includes("@") ? "" : `; \`${value}\` is the value of \`--${taken}\``;
    return { problem: `\`batch\` needs the name of a tool${hint}` };
  }
  const queue = given.get("queue");
  const lone = ["key", "retries", "rate"].find((one) => given.has(one));
  if (queue === undefined && lone !== undefined) return { problem: `\`--${lone}\` goes with \`--queue\`` };
  const parallel = given.get("parallel");
  const parallelMax = queue === undefined ? PARALLEL_MAX : QUEUED_MAX;
  if (parallel !== undefined && !isWhole(parallel, 1, parallelMax))
    return { problem: `\`--parallel\` must be a number from 1 to ${parallelMax}; got \`${parallel}\`` };
  const retries = given.get("retries") ?? "0";
  if (!isWhole(retries, 0, RETRIES_MAX))
    return { problem: `\`--retries\` must be a number from 0 to ${RETRIES_MAX}; got \`${retries}\`` };
  const stopAfter = given.get("stop-after");
  if (stopAfter !== undefined && !/^(?:[1-9]\d{0,5}|[1-9]\d?%|100%)$/.test(stopAfter))
    return { problem: `\`--stop-after\` must be a number of failures or a part such as 50%; got \`${stopAfter}\`` };
  const everyMs = everyMsOf(given.get("rate"));
  if (everyMs === undefined)
    return { problem: `\`--rate\` must be a number and a unit, such as 10/s or 500/m; got \`${given.get("rate")}\`` };
  return {
    name,
    own,
    parallel: parallel === undefined ? undefined : Number(parallel),
    isInOrder: given.has("in-order"),
    stopAfter,
    results: given.get("done"),
    queue,
    key: given.get("key"),
    retriesMax: Number(retries),
    everyMs,
  };
}

function isWhole(text: string, minimum: number, maximum: number): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

function everyMsOf(rate: string | undefined): number | undefined {
  if (rate === undefined) return 0;
  const [, count, unit] = /^([1-9]\d{0,6})\/([smh])$/.exec(rate) ?? [];
  const ms = rowOf(unitMs, unit ?? "");
  return ms === undefined ? undefined : ms / Number(count);
}
