// `dottool eval --model` and `--replay`: what models answer, now or in records, and how good that is.
import { join } from "node:path";
import { type CommandContext, writeJson } from "../../cli/command.ts";
import { printableLines } from "../../cli/view/layout.ts";
import { unwrittenText } from "../../cli/view/write-or-tell.ts";
import { exitCodes, failureExitCode } from "../../core/run/exit-code.ts";
import { failureText } from "../../core/run/failure-text.ts";
import { createMasks } from "../../core/run/mask.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import { printable } from "../../core/text/display.ts";
import type { Failure } from "../../core/tool/failure.ts";
import { openModel } from "../agent/open-model.ts";
import { answerOf } from "./ask-model.ts";
import type { ProjectAsks, ToolAsk } from "./project-asks.ts";
import { type EvalRecord, readRecords, writeRecords } from "./records.ts";
import { confusions, modelTotals, reportLines, scored } from "./report.ts";
import type { Try } from "./score.ts";
import { type Told, toldTo } from "./told.ts";

export interface ModelEval {
  /** As in `--model`; for a replay, empty for all that have records. */
  readonly models: readonly string[];
  readonly repeat: number;
  readonly distractors: number;
  readonly budgetUsd?: number;
  /** The part of answers that must be right, from 0 to 100. */
  readonly percentMin: number;
  readonly isReplay: boolean;
  readonly isJson: boolean;
}

interface Result {
  readonly tries: readonly Try[];
  /** Asks without a record of what a model would be told now. `isChanged`: it was told something else. */
  readonly stale: readonly { model: string; tool: string; text: string; isChanged: boolean }[];
  /** How many asks the budget left out. */
  readonly unasked: number;
}

interface Place {
  readonly opened: OpenedSession;
  readonly context: CommandContext;
  readonly told: Told;
  readonly folder: string;
  readonly shownFolder: string;
}

export async function evaluateWithModels(
  asked: ProjectAsks,
  options: ModelEval,
  { opened, context }: Pick<Place, "opened" | "context">,
): Promise<number> {
  const fail = (label: "missing" | "file", fact: string, help: string): number => {
    context.terminal.errors.write(`failed[${label}]: ${printable(fact)}\n  = ${printable(help)}\n`);
    return label === "missing" ? exitCodes.missing : exitCodes.definitions;
  };
  const project = opened.catalogue().folders.find(({ scope }) => scope === "project" || scope === "given");
  if (asked.asks.length === 0 || !project)
    return fail("missing", "no definition of this project has an `@ask`", 'add one: `@ask TEXT → {"NAME": VALUE}`');
  const told = toldTo(asked, options.distractors, opened.host);
  const [folder, shownFolder] = [join(project.path, "evals"), `${project.shownPath}/evals`];
  const place: Place = { opened, context, told, folder, shownFolder };
  if (!options.isReplay) {
    const result = await recorded(asked.asks, options, place);
    return typeof result === "number" ? result : report(result, options, place);
  }
  const records = readRecords(folder, opened.host);
  const again = "`dottool eval --model NAME` makes records";
  if ("problem" in records) return fail("file", `${shownFolder}: ${records.problem}`, again);
  if (records.length === 0) return fail("missing", `\`${shownFolder}\` has no records`, again);
  return report(replayed(asked.asks, records, { options, told }), options, place);
}

function replayed(
  asks: readonly ToolAsk[],
  records: readonly EvalRecord[],
  { options, told }: { readonly options: ModelEval; readonly told: Told },
): Result {
  const { models, distractors } = options;
  const isWanted = ({ model }: EvalRecord): boolean =>
    models.length === 0 || models.some((one) => model === one || model.startsWith(`${one}/`));
  const pool = records.filter((one) => isWanted(one) && one.distractors === distractors);
  const names = [...new Set(pool.map(({ model }) => model))];
  const found = (names.length === 0 ? models : names).flatMap((model) =>
    asks.map((ask) => {
      const known = pool.filter((one) => one.model === model && one.text === ask.ask.text);
      return { model, ask, known, present: known.filter(({ declarations }) => declarations === told.sha256) };
    }),
  );
  return {
    tries: found.flatMap(({ ask, present }) => present.map((record) => ({ ...ask, record }))),
    stale: found
      .filter(({ present }) => present.length === 0)
      .map(({ model, ask, known }) => ({ model, tool: ask.name, text: ask.ask.text, isChanged: known.length > 0 })),
    unasked: 0,
  };
}

/** Returns an exit code if a model cannot be asked; what was answered before is stored. */
async function recorded(asks: readonly ToolAsk[], options: ModelEval, place: Place): Promise<Result | number> {
  const { opened, context, folder, shownFolder } = place;
  const tell = (failure: Failure): number => {
    const own = failure.kind === "unavailable" ? { ...failure, tool: "eval" } : failure;
    context.terminal.errors.write(`${printableLines(failureText(own, { audience: "person", tool: "eval" }))}\n`);
    return failureExitCode(own);
  };
  const tries: Try[] = [];
  let [leftUsd, unasked] = [options.budgetUsd, 0];
  for (const wanted of options.models) {
    const asking = await askAll(wanted, asks, { options, place, leftUsd });
    if ("problem" in asking) return tell(asking.problem);
    const { records, failure } = asking;
    try {
      if (records.size > 0) await writeRecords(folder, [...records.values()], opened.host);
    } catch (error) {
      context.terminal.errors.write(unwrittenText("file", shownFolder, error));
      return exitCodes.failed;
    }
    if (failure) return tell(failure);
    ({ leftUsd } = asking);
    unasked += asking.unasked;
    for (let attempt = 1; attempt <= options.repeat; attempt++)
      for (const ask of asks) {
        const record = records.get(`${attempt} ${ask.ask.text}`);
        if (record) tries.push({ ...ask, record });
      }
  }
  return { tries, stale: [], unasked };
}

interface AllAnswers {
  /** By attempt and text. */
  readonly records: ReadonlyMap<string, EvalRecord>;
  readonly unasked: number;
  readonly leftUsd: number | undefined;
  readonly failure?: Failure;
}

interface Asked {
  readonly options: ModelEval;
  readonly place: Place;
  readonly leftUsd: number | undefined;
}

/** Asks until something fails or the budget is spent. Returns why the model cannot be asked as a problem. */
async function askAll(
  wanted: string,
  asks: readonly ToolAsk[],
  { options: { repeat, distractors }, place: { opened, context, told }, leftUsd }: Asked,
): Promise<AllAnswers | { readonly problem: Failure }> {
  const { host } = opened;
  const { errors, signal } = context.terminal;
  const found = await openModel(wanted, host, signal);
  if ("failure" in found) return { problem: found.failure };
  const { model, secrets } = found;
  const { name, configPath, provider } = model;
  const help = `add \`price: { input: 3, output: 15 }\` to it in \`${configPath}\`, in dollars per million tokens`;
  if (leftUsd !== undefined && !provider.price)
    return { problem: { kind: "rejected", reason: `\`--budget\` needs the price of \`${name}\``, help: [help] } };
  const mask = createMasks([], { used: [], hidden: secrets, environment: () => undefined });
  const id = `${name}/${model.model}`;
  const records = new Map<string, EvalRecord>();
  const texts = [...new Set(asks.map(({ ask }) => ask.text))];
  let [left, unasked] = [leftUsd, 0];
  for (let attempt = 1; attempt <= repeat; attempt++)
    for (const text of texts) {
      if (left !== undefined && left <= 0) {
        unasked++;
        continue;
      }
      if (errors.isTerminal) errors.write(`${printable(`${id}: ${text}`)}\n`);
      const onNote = (note: string): void => void errors.write(`${printable(mask.text(note))}\n`);
      const answer = await answerOf(model, text, { told, host, signal, onNote });
      if ("failure" in answer) return { records, unasked, leftUsd: left, failure: answer.failure };
      if (left !== undefined) left -= answer.costUsd ?? 0;
      const head = { version: 1, model: id, text, ask: host.sha256(text), declarations: told.sha256 } as const;
      const line = JSON.stringify({ ...head, distractors, attempt, ...answer } satisfies EvalRecord);
      records.set(`${attempt} ${text}`, JSON.parse(mask.text(line)) as EvalRecord);
    }
  return { records, unasked, leftUsd: left };
}

function report({ tries, stale, unasked }: Result, options: ModelEval, { context, told }: Place): number {
  const { output, errors } = context.terminal;
  const all = scored(tries);
  const right = all.filter(({ score }) => score.isRight).length;
  if (options.isJson)
    writeJson(context.terminal, {
      models: modelTotals(all),
      tries: all.map(({ name, ask, record, score }) => ({
        tool: name,
        expected: ask.arguments ?? null,
        ...score,
        ...record,
      })),
      confusions: confusions(all, told.words),
      ...{ stale, unasked },
    });
  else if (all.length > 0)
    for (const line of reportLines(all, { columns: output.columns, words: told.words })) output.write(`${line}\n`);
  for (const { model, tool, text, isChanged } of stale)
    errors.write(
      `failed[stale]: ${printable(`${model}: ${tool}: ${text}`)}\n  = ${isChanged ? "it was answered to other declarations" : "it was never asked"}; record it again: dottool eval --model ${printable(model)}\n`,
    );
  if (unasked > 0)
    errors.write(
      `failed[limit]: the budget is spent, so ${unasked} asks were not made\n  = allow more with \`--budget\`\n`,
    );
  if (stale.length > 0) return exitCodes.missing;
  return unasked > 0 || right * 100 < options.percentMin * all.length ? exitCodes.failed : exitCodes.done;
}
