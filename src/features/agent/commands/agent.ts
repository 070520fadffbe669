// `dottool agent`: a model does a task with the tools.
import type { AgentInput } from "./agent-run.ts";
import { type CommandContext, type CommandInput, reportUsage, type WordsCommand } from "../../../cli/command.ts";
import { forgeOption, forgingOf, offerChoiceOf, offerOptions } from "../../../cli/words/offer-choice.ts";
import { openSession, openTraced } from "../../../cli/session/open-session.ts";

const TASK_BYTES_MAX = 4 * 1024 * 1024;
const TURNS_MAX_MAX = 10_000;
const COST_MAX_MAX = 1_000_000;

export const agentCommand: WordsCommand = {
  kind: "words",
  usage: ["agent TASK", "agent -", "agent --continue [TASK]", "agent --resume ID [TASK]"],
  about:
    "Lets a model do a task with the tools: your own, or those that come with dottool where you have none. Models are configured as for `ask_model` (`dottool ask_model --help`). The answer goes to standard output. At a terminal, progress is shown, and you are asked before anything is changed or run. " +
    "Without a terminal, calls that need your approval are denied, and a question from the model ends the run with exit code 75. " +
    "Conversations are stored in the state folder, without secrets, and can be continued; to answer a question, give the answer as TASK. " +
    "For models without tool calling, set `tools: text` on the provider. `--max-cost` needs `price: { input: 3, output: 15 }` there, in dollars per million tokens.",
  options: [
    {
      name: "model",
      value: "NAME",
      does: "a provider of config.yaml, or PROVIDER/MODEL; default: the default provider",
    },
    { name: "max-turns", value: "N", does: "maximum number of model replies; default 25" },
    { name: "max-cost", value: "DOLLARS", does: "request no more replies once this much is spent" },
    { name: "max-time", value: "TIME", does: "stop after this long, such as 90s or 10m" },
    ...offerOptions,
    forgeOption,
    { name: "system", value: "FILE", does: "additional instructions" },
    { name: "continue", does: "continue the last conversation of this folder, with its model, tools and instructions" },
    { name: "resume", value: "ID", does: "continue this conversation in the same way" },
    { name: "json", does: "print answer, turns, tokens, cost and calls as JSON" },
  ],
  words: [0, 1],
  examples: [
    ["dottool agent 'which of the tests is the slowest?'", "ask the default model"],
    [
      "dottool agent --model local/qwen3 --bundled --only read - <task.md",
      "a task from a file, and tools that only read",
    ],
    ["dottool agent --continue 'and now the second slowest'", "continue where it ended"],
  ],
  run: async (input, context) => {
    const asked = await readAgentInput(input, context);
    if (typeof asked === "number") return asked;
    const opened = await openSession(context, { frontEnd: "agent", audience: "model", forging: forgingOf(input) });
    if (typeof opened === "number") return opened;
    const traced = await openTraced(opened, context);
    if (typeof traced === "number") return traced;
    const { runAgent } = await import("./agent-run.ts");
    return traced.end(await runAgent(asked, traced.opened, context));
  },
};

/** Returns an exit code if the words cannot be used; the reason has been printed. */
async function readAgentInput(input: CommandInput, { terminal }: CommandContext): Promise<AgentInput | number> {
  const wrong = (message: string): number => reportUsage(terminal, message, "agent");
  const turns = numberOption(input, "max-turns", { highest: TURNS_MAX_MAX, isWhole: true });
  const cost = numberOption(input, "max-cost", { highest: COST_MAX_MAX, isWhole: false });
  const time = await timeOption(input);
  for (const limit of [turns, cost, time]) if ("problem" in limit) return wrong(limit.problem);
  const id = input.value("resume");
  if (id !== undefined && input.has("continue"))
    return wrong("`--resume` and `--continue` cannot be combined; give one of them");
  const isResumed = id !== undefined || input.has("continue");
  const [word] = input.words;
  if (word === undefined && !isResumed)
    return wrong("`agent` needs a task: words in quotes, or `-` for standard input");
  const { readInputText, withoutMark } = await import("../../../cli/words/input-text.ts");
  const read = word === "-" ? await readInputText(terminal.input, TASK_BYTES_MAX) : word;
  if (typeof read === "object") return wrong(read.problem);
  const task = read === undefined ? undefined : withoutMark(read);
  if (task?.trim() === "") return wrong("the task is empty");
  const model = input.value("model");
  const systemFile = input.value("system");
  const { TURNS_MAX_DEFAULT } = await import("../limits.ts");
  return {
    limits: { turnsMax: valueOf(turns) ?? TURNS_MAX_DEFAULT, costUsdMax: valueOf(cost), timeMsMax: valueOf(time) },
    choice: offerChoiceOf(input),
    isJson: input.has("json"),
    ...(task === undefined ? {} : { task }),
    ...(model === undefined ? {} : { model }),
    ...(systemFile === undefined ? {} : { systemFile }),
    ...(isResumed ? { resume: id === undefined ? {} : { id } } : {}),
  };
}

type NumberRead = { readonly value?: number } | { readonly problem: string };

function valueOf(read: NumberRead): number | undefined {
  return "problem" in read ? undefined : read.value;
}

function numberOption(
  input: CommandInput,
  name: string,
  { highest, isWhole }: { readonly highest: number; readonly isWhole: boolean },
): NumberRead {
  const text = input.value(name);
  if (text === undefined) return {};
  const value = /^\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (value > 0 && value <= highest && (!isWhole || Number.isInteger(value))) return { value };
  return {
    problem: `\`--${name}\` must be a ${isWhole ? "whole " : ""}number above 0, up to ${highest}; got \`${text}\``,
  };
}

async function timeOption(input: CommandInput): Promise<NumberRead> {
  const text = input.value("max-time");
  if (text === undefined) return {};
  const [, digits = "", unit = ""] = /^(\d{1,6})(s|m|h)$/.exec(text) ?? [];
  const value = Number(digits) * ({ s: 1_000, m: 60_000, h: 3_600_000 }[unit] ?? 0);
  return value > 0 && value <= TIME_MS_MAX
    ? { value }
    : { problem: `\`--max-time\` must be a time such as \`90s\`, \`10m\` or \`2h\`, up to 24h; got \`${text}\`` };
}

/** Runtimes limit timers to 24 days. */
const TIME_MS_MAX = 24 * 3_600_000;
