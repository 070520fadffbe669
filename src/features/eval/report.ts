// What an eval has found, as tables and as JSON.
import { padEnd, rows } from "../../cli/view/layout.ts";
import { printable } from "../../core/text/display.ts";
import type { RecordedCall } from "./records.ts";
import { scoreOf, type Score, type Try } from "./score.ts";
import { wordsIn } from "./tool-words.ts";

export interface Scored extends Try {
  readonly score: Score;
}

const WORDS_SHOWN_MAX = 8;

export function scored(tries: readonly Try[]): readonly Scored[] {
  return tries.map((one) => ({ ...one, score: scoreOf(one) }));
}

/**
 * `tool`: of the tries, whose tool is right. `leading`: how many should lead to a call; `typed` has values that the tool
 * accepts, the exact ones among them. Tokens and cost are absent if they are not known of each.
 */
export function modelTotals(all: readonly Scored[]) {
  return [...Map.groupBy(all, ({ record }) => record.model)].map(([model, tries]) => {
    const count = (holds: (one: Scored) => boolean): number => tries.filter(holds).length;
    const sum = (of: (one: Scored) => number | undefined): number | undefined =>
      tries.reduce<number | undefined>((total, one) => {
        const value = of(one);
        return total === undefined || value === undefined ? undefined : total + value;
      }, 0);
    return {
      model,
      tries: tries.length,
      right: count(({ score }) => score.isRight),
      tool: count(({ score }) => score.isTool),
      leading: count(({ ask }) => ask.arguments !== undefined),
      exact: count(({ score }) => score.arguments === "exact"),
      typed: count(({ score }) => score.arguments === "exact" || score.arguments === "typed"),
      calls: sum(({ record }) => record.calls.length),
      inputTokens: sum(({ record }) => record.tokens?.input),
      outputTokens: sum(({ record }) => record.tokens?.output),
      costUsd: sum(({ record }) => record.costUsd),
      timeMs: sum(({ record }) => record.timeMs),
    };
  });
}

/** `won` was called in place of `tool`; the words are those that only the one is described with, and only the other. */
export function confusions(all: readonly Scored[], words: ReadonlyMap<string, string>) {
  const lost = all.flatMap(({ name, ask, record, score }) => {
    const won = record.calls[0]?.name;
    return score.isTool || won === undefined || won === name ? [] : [{ tool: name, won, text: ask.text }];
  });
  return [...Map.groupBy(lost, ({ tool, won }) => `${tool} ${won}`).values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const [own, other] = [wordsIn(words.get(first.tool) ?? ""), wordsIn(words.get(first.won) ?? "")];
    const only = (some: ReadonlySet<string>, others: ReadonlySet<string>): readonly string[] =>
      [...some].filter((word) => !others.has(word)).slice(0, WORDS_SHOWN_MAX);
    return [{ ...first, times: same.length, words: only(own, other), wordsOfWinner: only(other, own) }];
  });
}

export function reportLines(
  all: readonly Scored[],
  { columns, words }: { readonly columns: number; readonly words: ReadonlyMap<string, string> },
): readonly string[] {
  const wrong = all.filter(({ score }) => !score.isRight);
  return [
    ...tableLines(modelTotals(all)),
    ...wrong.flatMap((one) => ["", ...wrongLines(one, columns)]),
    ...confusions(all, words).flatMap((one) => ["", ...confusionLines(one)]),
  ].map((line) => line.trimEnd());
}

const heads = ["model", "right", "tool", "arguments", "by type", "calls", "tokens", "cost", "time"] as const;

function tableLines(totals: ReturnType<typeof modelTotals>): readonly string[] {
  const cells = totals.map((one): readonly string[] => [
    printable(one.model),
    `${one.right} of ${one.tries}`,
    `${one.tool} of ${one.tries}`,
    `${one.exact} of ${one.leading}`,
    `${one.typed} of ${one.leading}`,
    String(one.calls),
    one.inputTokens === undefined ? "unknown" : `${one.inputTokens} + ${one.outputTokens}`,
    one.costUsd === undefined ? "unknown" : `$${one.costUsd.toFixed(4)}`,
    `${((one.timeMs ?? 0) / 1000).toFixed(1)} s`,
  ]);
  const table = [heads, ...cells];
  const widths = heads.map((_, column) => Math.max(...table.map((row) => (row[column] ?? "").length)));
  return table.map((row) => row.map((cell, column) => padEnd(cell, widths[column] ?? 0)).join("  "));
}

function wrongLines({ name, ask, record, score }: Scored, columns: number): readonly string[] {
  const expected = ask.arguments ? callText({ name, arguments: ask.arguments }) : `no call of ${name}`;
  const called = record.calls.length === 0 ? "no call" : record.calls.map(callText).join(", then ");
  const note = score.arguments === "refused" ? " (which it refuses)" : "";
  return rows(
    [
      ["wrong", printable(ask.text)],
      ["expected", printable(expected)],
      ["got", printable(`${called}${note}, from ${record.model}`)],
    ],
    { columns, indent: 0, nameColumnsMax: 8 },
  );
}

function callText({ name, arguments: args }: RecordedCall): string {
  return `${name} ${args ? JSON.stringify(args) : "without arguments that are JSON"}`;
}

function confusionLines({
  tool,
  won,
  times,
  words,
  wordsOfWinner,
}: ReturnType<typeof confusions>[number]): readonly string[] {
  const line = (name: string, only: readonly string[]): string =>
    `  only ${printable(name)} says: ${only.length === 0 ? "nothing" : printable(only.join(" "))}`;
  return [
    `${printable(won)} was called in place of ${printable(tool)} ${times === 1 ? "once" : `${times} times`}`,
    line(tool, words),
    line(won, wordsOfWinner),
  ];
}
