// `dottool batch`: calls one tool for each line of standard input, and prints a line of JSON for each result.
import { exitCodes } from "../../run/exit-code.ts";
import { printable } from "../../text/display.ts";
import { type RunBatch, runBatch } from "../batch/run-batch.ts";
import { doneInputs } from "../batch/done-inputs.ts";
import { findTool } from "../call.ts";
import { type CommandContext, type RawCommand, reportUsage } from "../command.ts";
import { openTraced } from "../session/open-session.ts";
import { type OptionRow, readOption } from "../words/option-words.ts";

const PARALLEL_DEFAULT = 4;
const PARALLEL_MAX = 1_000;

const rows = [
  {
    name: "parallel",
    value: "N",
    does: `maximum number of calls at the same time, up to ${PARALLEL_MAX}; default ${PARALLEL_DEFAULT}`,
  },
  { name: "in-order", does: "print results in the order of the lines, not as they come" },
  { name: "done", value: "RESULTS", does: "leave out lines that have succeeded according to this file of results" },
] as const satisfies readonly OptionRow[];

export const batchCommand: RawCommand = {
  kind: "raw",
  usage: ["batch [--parallel N] [--in-order] [--done RESULTS] NAME [ARG…] < INPUTS > RESULTS"],
  about:
    "Calls a tool for each line of standard input. A line is a JSON object of arguments. Any other line is the value of the tool's only parameter, or of the only required one, that the ARGs do not give; or else a word behind the ARGs, which are those of every call. " +
    "Prints a line of JSON for each result: `line`, `input` (a hash of the line and of the words behind `batch`), `status` (`ok` or `failed`), `exitCode`, `durationMs`, `content`, and `failure` if it failed. A line that is wrong has a result that says so. " +
    "Rules, approvals and trust are those of `dottool NAME`; where they ask, the call is denied. " +
    "After an interruption, `--done` goes on: `dottool batch --done results NAME < inputs >> results`. " +
    "Exit code: 0 if every call succeeded, 1 if one failed, 130 for Ctrl-C.",
  options: rows,
  completes: "tools",
  examples: [
    ["ls | dottool batch file_type", "one call for each line, with the line as its argument"],
    ["dottool batch --parallel 16 web_fetch < inputs.ndjson > results.ndjson", 'lines such as `{"url": "https://…"}`'],
    [
      "dottool batch --done results.ndjson web_fetch < inputs.ndjson >> results.ndjson",
      "go on, and try failed ones again",
    ],
  ],
  run: async (words, context) => {
    const read = readBatchWords(words);
    if ("problem" in read) return reportUsage(context.terminal, read.problem, "batch");
    const { terminal } = context;
    if (terminal.input.isTerminal)
      return reportUsage(
        terminal,
        `\`batch\` reads its lines from a file or a pipe: \`dottool batch ${read.name} < FILE\``,
        "batch",
      );
    const found = await findTool(read.name, { words: read.own, form: "short" }, { context, waiting: undefined });
    if (typeof found === "number") return found;
    const { name, tool } = found;
    const traced = await openTraced(found.opened, context);
    if (typeof traced === "number") return traced;
    const { opened } = traced;
    if (!tool) {
      const { reportMissingTool } = await import("../words/no-such-tool.ts");
      const called = { words: read.own, form: "short" } as const;
      return traced.end(await reportMissingTool(name, opened, { ...context, called }));
    }
    const done = read.done === undefined ? undefined : await doneInputs(read.done, opened.session.host, terminal);
    if (typeof done === "string") {
      terminal.errors.write(
        `failed[file]: ${printable(done)}\n  = \`--done\` takes a file that \`batch\` has printed\n`,
      );
      return traced.end(exitCodes.missing);
    }
    return traced.end(await finished({ ...read, tool, session: opened.session, done }, context));
  },
};

async function finished(batch: RunBatch, { terminal }: CommandContext): Promise<number> {
  const { ok, failed, cancelled, leftOut } = await runBatch(batch, terminal);
  const counts = Object.entries({ ok, failed, cancelled, "done before": leftOut }).flatMap(([what, count]) =>
    what !== "ok" && count === 0 ? [] : [`${count.toLocaleString("en")} ${what}`],
  );
  if (counts.length > 1 || terminal.errors.isTerminal) terminal.errors.write(`batch: ${counts.join(", ")}\n`);
  if (terminal.ending === "interrupted") return exitCodes.interrupted;
  if (failed > 0) return exitCodes.failed;
  // The reader has read enough; then the terminal makes this a success.
  return cancelled > 0 ? exitCodes.interrupted : exitCodes.done;
}

interface BatchWords {
  readonly name: string;
  /** The words of every call. */
  readonly own: readonly string[];
  readonly parallel: number;
  readonly isInOrder: boolean;
  /** A path as it was typed. */
  readonly done: string | undefined;
}

function readBatchWords(words: readonly string[]): BatchWords | { readonly problem: string } {
  const given = new Map<string, string>();
  let at = 0;
  while (words[at]?.startsWith("-")) {
    const read = readOption(words, at, rows);
    if ("problem" in read) return read;
    const { option, bare, value = "", next } = read;
    if (!option) return { problem: `unknown option \`${bare}\`; options of the tool stand behind its name` };
    if ("value" in option && value === "") return { problem: `\`${bare}\` needs a value` };
    given.set(option.name, value);
    at = next;
  }
  const [name, ...own] = words.slice(at);
  if (name === undefined) return { problem: "`batch` needs the name of a tool" };
  const parallel = given.get("parallel") ?? String(PARALLEL_DEFAULT);
  if (!/^\d{1,4}$/.test(parallel) || Number(parallel) < 1 || Number(parallel) > PARALLEL_MAX)
    return { problem: `\`--parallel\` must be a number from 1 to ${PARALLEL_MAX}; got \`${parallel}\`` };
  return { name, own, parallel: Number(parallel), isInOrder: given.has("in-order"), done: given.get("done") };
}
