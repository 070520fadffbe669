// `dottool exec`: reads a model's reply from standard input, runs its calls, and prints their results in the form of
// that API.
import { answerCalls, PARALLEL_DEFAULT } from "../answer-calls.ts";
import { apiDialectNames, type DialectName, dialectNames } from "../dialect.ts";
import { loadDialect } from "../dialects.ts";
import { readReply } from "../read-reply.ts";
import { textResults } from "../text.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import { readsOnName } from "../../../core/tool/base-tool-names.ts";
import type { Terminal } from "../../../core/tool/terminal.ts";
import { type CommandContext, type CommandInput, reportUsage, type WordsCommand } from "../../../cli/command.ts";
import { jsonText } from "../../../cli/view/json-text.ts";
import { forgeOption, forgingOf } from "../../../cli/words/offer-choice.ts";
import { openSession, openTraced } from "../../../cli/session/open-session.ts";

const REPLY_BYTES_MAX = 16 * 1024 * 1024;
const PARALLEL_MAX = 64;
const AUTO = "auto";

export const execCommand: WordsCommand = {
  kind: "words",
  usage: ["exec [--dialect DIALECT] [--parallel N] < REPLY"],
  about:
    `Reads a model's reply from standard input, runs the calls in it, and prints their results in the form of that API: an array of messages or items, one result per call, in order. ` +
    "A reply is a response body, its message, an array of calls, or a whole stream; or text with `<tool>` in it, which is answered with text. " +
    "If a call is wrong (no such tool, bad arguments, cut off), its result says so, and the model can act on it. Calls that only read run at the same time; each other call runs alone. " +
    "Policy treats these calls as a model's. Exit code: 0 if every call has a result, even a failure, or if there is no call; 64 if the reply, or every call in a text, cannot be read, and then nothing has run; 130 for Ctrl-C.",
  options: [
    {
      name: "dialect",
      value: "DIALECT",
      choices: [AUTO, ...dialectNames],
      does: `${AUTO} (default), ${apiDialectNames.join(", ")} or text`,
    },
    {
      name: "parallel",
      value: "N",
      does: `maximum number of calls at the same time; default ${PARALLEL_DEFAULT}, 1 runs them in turn`,
    },
    forgeOption,
    { name: "show-dialect", does: "print the dialect of the reply to standard error" },
  ],
  words: [0, 0],
  examples: [
    ["dottool exec < response.json", "run the calls in a saved API response"],
    ["dottool exec --dialect text < reply.txt", "run the `<tool>` calls in a text"],
  ],
  run: async (input, context) => {
    const { terminal } = context;
    const parallel = parallelOf(input);
    if (parallel === undefined)
      return reportUsage(
        terminal,
        `\`--parallel\` must be a number from 1 to ${PARALLEL_MAX}; got \`${input.value("parallel") ?? ""}\``,
        "exec",
      );
    const text = await replyText(terminal);
    if (typeof text !== "string") return refuse(terminal, text.problem, text.help);
    const read = await readReply(text, (input.value("dialect") ?? AUTO) as DialectName | typeof AUTO);
    if ("problem" in read) return refuse(terminal, read.problem, read.help);
    if (input.has("show-dialect"))
      terminal.errors.write(
        `dialect: ${read.dialect}, ${read.calls.length} ${read.calls.length === 1 ? "call" : "calls"}\n`,
      );
    if (read.note !== undefined) terminal.errors.write(`note: ${printable(read.note)}\n`);
    const opened = await openSession(context, { frontEnd: "exec", audience: "model", forging: forgingOf(input) });
    if (typeof opened === "number") return opened;
    const traced = await openTraced(opened, context);
    if (typeof traced === "number") return traced;
    const answers = await answerCalls(read.calls, {
      session: traced.opened.session,
      signal: terminal.signal,
      dialect: read.dialect,
      parallel,
    });
    await terminal.output.write(
      read.dialect === "text"
        ? textResults(answers)
        : `${jsonText((await loadDialect[read.dialect]()).results(answers))}\n`,
    );
    if (
      answers.some(({ result }) => result?.content.some((piece) => piece.type === "file" && piece.handle !== undefined))
    )
      terminal.errors.write(
        `note: a result was cut; offer the model \`${readsOnName}\` from now on: dottool schema ${readsOnName} --for ${read.dialect}\n`,
      );
    return traced.end(
      terminal.ending === "interrupted" ? exitCodes.interrupted : read.isUnread ? exitCodes.usage : exitCodes.done,
    );
  },
};

function parallelOf(input: CommandInput): number | undefined {
  const given = input.value("parallel");
  if (given === undefined) return PARALLEL_DEFAULT;
  return /^\d{1,3}$/.test(given) && Number(given) >= 1 && Number(given) <= PARALLEL_MAX ? Number(given) : undefined;
}

async function replyText({ input }: Terminal): Promise<string | { readonly problem: string; readonly help: string }> {
  const bytes = await input.readBytes(REPLY_BYTES_MAX);
  if (bytes === undefined)
    return {
      problem: `the reply has more than ${REPLY_BYTES_MAX.toLocaleString("en")} bytes`,
      help: "nothing was run; send only the message, or fewer calls",
    };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0")
      ? {
          problem: "the reply contains NUL characters, so it is not text",
          help: "nothing was run; give the reply as the API sent it",
        }
      : text;
  } catch {
    return { problem: "the reply is not UTF-8", help: "nothing was run; give the reply as the API sent it" };
  }
}

function refuse({ errors }: CommandContext["terminal"], problem: string, help: string): number {
  errors.write(`failed[reply]: ${printable(problem)}\n  = ${printable(help)}\n`);
  return exitCodes.usage;
}
