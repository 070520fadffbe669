// The limits of a run of the loop. They are checked before each turn, so that a paid reply is never thrown away.
import type { ModelPrice } from "../models/model-settings.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { Tokens } from "../models/read-reply.ts";

export interface AgentLimits {
  readonly turnsMax: number;
  /** US dollars. */
  readonly costUsdMax?: number | undefined;
  readonly timeMsMax?: number | undefined;
}

export const TURNS_MAX_DEFAULT = 25;

export class Spending {
  readonly #limits: AgentLimits;
  readonly #price: ModelPrice | undefined;
  turns = 0;
  tokens: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  /** Whether a reply came without a token count. */
  isUncounted = false;

  constructor(limits: AgentLimits, price: ModelPrice | undefined) {
    this.#limits = limits;
    this.#price = price;
  }

  /** Undefined if the price or the number of tokens is not known. */
  get costUsd(): number | undefined {
    if (!this.#price || this.isUncounted) return undefined;
    const { input, output, cacheRead, cacheWrite } = this.tokens;
    const price = this.#price;
    return (
      ((input - cacheRead - cacheWrite) * price.input +
        cacheRead * price.cacheRead +
        cacheWrite * price.cacheWrite +
        output * price.output) /
      1_000_000
    );
  }

  add(tokens: Tokens | undefined): void {
    this.turns++;
    this.isUncounted ||= tokens === undefined;
    if (!tokens) return;
    const before = this.tokens;
    this.tokens = {
      input: before.input + tokens.input,
      output: before.output + tokens.output,
      cacheRead: before.cacheRead + tokens.cacheRead,
      cacheWrite: before.cacheWrite + tokens.cacheWrite,
    };
  }

  /** Returns why no further turn is allowed. */
  over(): Failure | undefined {
    const { turnsMax, costUsdMax } = this.#limits;
    if (this.turns >= turnsMax)
      return { kind: "limit", limit: turnsMax, unit: "turns of the model", help: ["allow more with `--max-turns`"] };
    if (costUsdMax === undefined) return undefined;
    const cost = this.costUsd;
    if (cost === undefined)
      return {
        kind: "rejected",
        reason: "the API does not report its tokens, so `--max-cost` cannot be enforced",
        help: ["leave `--max-cost` out; `--max-turns` and `--max-time` work with every API"],
      };
    return cost >= costUsdMax
      ? {
          kind: "limit",
          limit: costUsdMax,
          unit: "dollars",
          help: [`it has cost ${costText(cost)}; allow more with \`--max-cost\``],
        }
      : undefined;
  }
}

/** Formats a cost with more digits than cents, for small runs. */
function costText(costUsd: number): string {
  return `$${costUsd < 1 ? costUsd.toPrecision(3).replace(/\.?0+$/, "") : costUsd.toFixed(2)}`;
}
