// `dottool eval --offline`: whether the search finds what people ask for, and what descriptions lack.
import { type CommandContext, writeJson } from "../../cli/command.ts";
import { printableLines, rows } from "../../cli/view/layout.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import { printable } from "../../core/text/display.ts";
import { descriptionHints, type Hint } from "./description-hints.ts";
import type { ProjectAsks } from "./project-asks.ts";
import type { ListedTool } from "../../core/session/listed-tool.ts";
import { searchTools } from "../../core/session/search-tools.ts";

interface OfflineOptions {
  /** Absent: the hints for all tools. */
  readonly names: readonly string[];
  readonly isJson: boolean;
}

/** What it finds are hints, so the exit code is always that of success. */
export function evaluateOffline(
  { listed, tools, asks }: ProjectAsks,
  { names, isJson }: OfflineOptions,
  { terminal }: CommandContext,
): number {
  const ranked = rankAsks(
    asks.map(({ name, ask }) => ({ tool: name, text: ask.text, leads: ask.arguments !== undefined })),
    listed,
  );
  const totals = rankTotals(ranked);
  const hints = descriptionHints(tools).filter(({ tool }) => names.length === 0 || names.includes(tool));
  if (isJson) writeJson(terminal, { asks: ranked, totals, hints });
  else {
    const { columns } = terminal.output;
    terminal.output.write(
      [...rankLines(ranked, totals, columns), ...hintLines(hints, columns)].map((line) => `${line}\n`).join(""),
    );
  }
  return exitCodes.done;
}

function rankLines(
  ranked: readonly RankedAsk[],
  totals: ReturnType<typeof rankTotals>,
  columns: number,
): readonly string[] {
  if (ranked.length === 0) return ["no definition has an `@ask`, so there is nothing to find"];
  const { asks, first, amongFive, meanReciprocalRank } = totals;
  return [
    ...rows(
      ranked.map((one) => [printable(one.tool), printableLines(`${rankText(one)}: ${one.text}`)]),
      { columns, indent: 0, nameColumnsMax: 30 },
    ),
    `found first: ${first} of ${asks}, among the first five: ${amongFive}, MRR ${meanReciprocalRank.toFixed(2)}`,
  ];
}

function rankText({ leads, rank, first }: RankedAsk): string {
  if (!leads) return rank === 1 ? "found first, and should not be" : "not found first, as it should be";
  if (rank === 1) return "found first";
  return `${rank === undefined ? "not found" : `found as number ${rank}`}${first === undefined ? "" : `, behind ${first}`}`;
}

function hintLines(hints: readonly Hint[], columns: number): readonly string[] {
  if (hints.length === 0) return ["", "no hints about descriptions"];
  return [
    "",
    "hints about descriptions:",
    ...rows(
      hints.map(({ tool, about, text }) => [printable(tool), printable(`${about}: ${text}`)]),
      { columns, indent: 0, nameColumnsMax: 30 },
    ),
  ];
}

interface Sought {
  readonly tool: string;
  readonly text: string;
  /** Whether it should lead to the tool. */
  readonly leads: boolean;
}

interface RankedAsk extends Sought {
  /** From 1; absent if the search does not find the tool. */
  readonly rank?: number;
  /** The tool that is found first. */
  readonly first?: string;
}

function rankAsks(asks: readonly Sought[], listed: readonly ListedTool[]): readonly RankedAsk[] {
  return asks.map((ask) => {
    const found = searchTools(listed, ask.text);
    const at = found.findIndex(({ name }) => name === ask.tool);
    return {
      ...ask,
      ...(at === -1 ? {} : { rank: at + 1 }),
      ...(found[0] ? { first: found[0].name } : {}),
    };
  });
}

/** Counts the asks that should lead to a tool. A tool that is not found counts 0 in the mean of 1/rank. */
function rankTotals(ranked: readonly RankedAsk[]) {
  const leading = ranked.filter(({ leads }) => leads);
  const reached = (most: number): number => leading.filter(({ rank = Infinity }) => rank <= most).length;
  const sum = leading.reduce((total, { rank }) => total + (rank === undefined ? 0 : 1 / rank), 0);
  return {
    asks: leading.length,
    first: reached(1),
    amongFive: reached(5),
    meanReciprocalRank: leading.length === 0 ? 0 : Math.round((sum / leading.length) * 1000) / 1000,
  };
}
