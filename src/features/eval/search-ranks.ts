// Where the search of `dottool list QUERY` and of models finds the tool of each ask.
import type { ListedTool } from "../../core/session/listed-tool.ts";
import { searchTools } from "../../core/session/search-tools.ts";

export interface RankedAsk {
  readonly tool: string;
  readonly text: string;
  /** Whether it should lead to the tool. */
  readonly leads: boolean;
  /** From 1; absent if the search does not find the tool. */
  readonly rank?: number;
  /** The tool that is found first. */
  readonly first?: string;
}

export interface RankTotals {
  /** How many asks should lead to a tool. */
  readonly asks: number;
  readonly first: number;
  readonly amongFive: number;
  /** The mean of 1/rank, and 0 for a tool that is not found. */
  readonly meanReciprocalRank: number;
}

interface Sought {
  readonly tool: string;
  readonly text: string;
  readonly leads: boolean;
}

export function rankAsks(asks: readonly Sought[], listed: readonly ListedTool[]): readonly RankedAsk[] {
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

export function rankTotals(ranked: readonly RankedAsk[]): RankTotals {
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
