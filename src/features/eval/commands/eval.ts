// `dottool eval`: whether what people ask for leads to the right tool.
import { type CommandContext, type CommandInput, reportUsage, type WordsCommand } from "../../../cli/command.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import { projectAsks } from "../project-asks.ts";
import type { ModelEval } from "../with-models.ts";

export const evalCommand: WordsCommand = {
  kind: "words",
  usage: [
    "eval --offline [NAME…] [--json]",
    "eval --model M[,N] [NAME…] [--repeat K] [--distractors N] [--budget DOLLARS] [--min PERCENT] [--json]",
    "eval --replay [NAME…] [--model M] [--distractors N] [--min PERCENT] [--json]",
  ],
  about:
    "Finds out whether what people ask for leads to the right tool. Each `@ask` of a definition is one such text, with the arguments that are meant. " +
    "`--offline` needs no model: it says where the search finds the tool of each ask among all tools, and what descriptions lack for a model. These are hints: the exit code is 0. " +
    "`--model` tells models of all tools of the project, and scores what they would call; no call is made. Models are configured as for `dottool agent`. " +
    "The answers are stored in `.tools/evals`, and `--replay` scores them again without a model: it exits with 66 if what models are told has changed since. " +
    "Both exit with 1 if fewer answers are right than `--min` says.",
  options: [
    { name: "offline", does: "without a model: the rank of each ask in the search, and hints about descriptions" },
    { name: "model", value: "M[,N]", does: "ask these models: a provider of config.yaml, or PROVIDER/MODEL" },
    { name: "replay", does: "score recorded answers, without a model" },
    { name: "repeat", value: "K", does: "ask each model so often; default 1" },
    { name: "distractors", value: "N", does: "also tell models of N tools that come with dottool; default 0" },
    { name: "budget", value: "DOLLARS", does: "ask no more once this much is spent" },
    { name: "min", value: "PERCENT", does: "how many of the answers must be right; default 100" },
    { name: "json", does: "print as JSON" },
  ],
  words: [0, Number.POSITIVE_INFINITY],
  completes: "tools",
  examples: [
    ["dottool eval --offline", "how well your tools are found"],
    ["dottool eval --model local,claude --repeat 3", "which tools two models would call"],
    ["dottool eval --replay", "whether the recorded answers still are of these tools, and right"],
  ],
  run: evaluate,
};

const REPEAT_MAX = 100;
const DISTRACTORS_MAX = 1_000;
const DOLLARS_MAX = 1_000_000;

async function evaluate(input: CommandInput, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const isOffline = input.has("offline");
  const options = isOffline ? undefined : readOptions(input);
  if (typeof options === "string") return reportUsage(terminal, options, "eval");
  // The present texts, also where a person has not agreed to them yet: nothing runs.
  const opened = await openSession(context, { isForAuthor: true });
  if (typeof opened === "number") return opened;
  const asked = await projectAsks(opened, input.words);
  if ("unknown" in asked) {
    terminal.errors.write(
      `failed[missing]: this project has no tool \`${printable(asked.unknown)}\`\n  = \`dottool list\` lists the tools\n`,
    );
    return exitCodes.missing;
  }
  if (options) return (await import("../with-models.ts")).evaluateWithModels(asked, options, { opened, context });
  const { evaluateOffline } = await import("../offline.ts");
  return evaluateOffline(asked, { names: input.words, isJson: input.has("json") }, context);
}

/** Returns what is wrong as a text. */
function readOptions(input: CommandInput): ModelEval | string {
  const models = input.values("model").flatMap((one) => one.split(",").filter((name) => name !== ""));
  const isReplay = input.has("replay");
  if (models.length === 0 && !isReplay) return "`eval` needs `--offline`, `--model NAME` or `--replay`";
  const numberOf = (name: string, most: number): number | undefined => {
    const text = input.value(name);
    if (text === undefined) return undefined;
    const value = /^\d{1,7}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
    return value <= most ? value : Number.NaN;
  };
  const [repeat = 1, budgetUsd, percentMin = 100, distractors = 0] = [
    numberOf("repeat", REPEAT_MAX),
    numberOf("budget", DOLLARS_MAX),
    numberOf("min", 100),
    numberOf("distractors", DISTRACTORS_MAX),
  ];
  if (!Number.isInteger(repeat) || repeat < 1) return `\`--repeat\` must be a whole number from 1 to ${REPEAT_MAX}`;
  if (Number.isNaN(budgetUsd)) return `\`--budget\` must be a number of dollars, up to ${DOLLARS_MAX}`;
  if (Number.isNaN(percentMin)) return "`--min` must be a number from 0 to 100";
  if (!Number.isInteger(distractors)) return `\`--distractors\` must be a whole number up to ${DISTRACTORS_MAX}`;
  return {
    models,
    isReplay,
    repeat,
    percentMin,
    distractors,
    isJson: input.has("json"),
    ...(budgetUsd === undefined ? {} : { budgetUsd }),
  };
}
