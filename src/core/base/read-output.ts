// Reads the left-out part of a long result: page by page, or the lines that match a pattern.
import { integer, string } from "../schema/declare.ts";
import type { ArgumentIssue } from "../schema/argument-issue.ts";
import { baseTool, failed, okText } from "../tool/base-tool.ts";
import type { Outcome } from "../tool/call.ts";
import { codeOf } from "../tool/error-code.ts";
import type { Host } from "../tool/host.ts";
import type { BaseTool } from "../tool/tool.ts";
import { estimateTokens } from "../text/tokens.ts";
import { fileFailure } from "./file-failure.ts";
import {
  DamagedOutput,
  handlePattern,
  KEPT_BYTES_MAX,
  keptFile,
  type KeptReader,
  openKept,
} from "../output/kept-file.ts";

const LINES_DEFAULT = 500;
const LINES_MAX = 1_500;
const CONTEXT_LINES_MAX = 50;
/** The limit of a page. It is below the budget of a result, so that a page is never cut. */
const PAGE_TOKENS_MAX = 8_000;
const MATCHING_MS_MAX = 2_000;
/** The time limit of all blocks, which only a pattern reaches that is slow in each. */
const SEARCH_MS_MAX = 60_000;

export const readOutput: BaseTool = baseTool({
  name: "read_output",
  title: "Read Output",
  description: `Read the part that was left out of a long result; the result names the handle.

Returns \`limit\` lines from line \`offset\`; with \`pattern\` only the lines that match, with their numbers. Lines longer than 2,000 characters count as several.`,
  parameters: {
    handle: string("The handle that the result names", { required: true, pattern: handlePattern }),
    offset: integer("The line to start at; the first is 1", { default: 1, minimum: 1 }),
    limit: integer("How many lines or matches to return", {
      default: LINES_DEFAULT,
      minimum: 1,
      maximum: LINES_MAX,
    }),
    pattern: string("A JavaScript regular expression; only lines that match are returned", {
      minimumLength: 1,
      maximumLength: 1_000,
    }),
    context: integer("How many lines to show before and after each match", {
      default: 0,
      minimum: 0,
      maximum: CONTEXT_LINES_MAX,
    }),
  },
  effects: ["read"],
  examples: [
    { handle: "0f8fad5bd9cb469fa16570867728950e", offset: 1001, limit: 200 },
    { handle: "0f8fad5bd9cb469fa16570867728950e", pattern: "error|warning", context: 2 },
  ],
  check: (args) => patternIssues(args.pattern),
  execute: async (args, context) => {
    const { handle, limit, pattern } = args;
    try {
      const kept = await openKept(handle, context.host);
      if (!kept)
        return rejected(
          `there is no stored output \`${handle}\``,
          "output is stored for a week, and the oldest is removed beyond 200 MiB; make the call again",
        );
      const from = args.offset - 1;
      if (from >= kept.lines) return okText(`[there are ${kept.lines} lines${notKept(kept)}]`);
      if (pattern === undefined) return okText(await page(kept, from, limit));
      const matches = await findMatches(kept, { from, pattern, matchesMax: limit }, context.host);
      if (matches === undefined)
        return rejected(
          `\`${pattern}\` timed out on this output after ${MATCHING_MS_MAX / 1000} s`,
          "avoid nested repetition, such as `(a+)+`",
        );
      return okText(
        matches.length === 0
          ? `[none of the lines ${args.offset} to ${kept.lines} matches${notKept(kept)}]`
          : await matchedPage(kept, matches, { matchesMax: limit, context: args.context }),
      );
    } catch (error) {
      if (error instanceof DamagedOutput)
        return rejected(
          `the stored output \`${handle}\` is damaged: its file was truncated or changed`,
          "make the call again",
        );
      return fileFailure(error, { path: keptFile(context.host.folders, handle), action: "read" }, context);
    }
  },
});

function patternIssues(pattern: string | undefined): readonly ArgumentIssue[] {
  try {
    new RegExp(pattern ?? "");
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*\/: /s, "").toLowerCase() : String(error);
    return [{ path: "pattern", message: `expected a regular expression, got "${pattern}" (${reason})` }];
  }
}

function rejected(reason: string, help: string): Outcome {
  return failed({ kind: "rejected", reason, help: [help] });
}

function notKept({ isCut }: KeptReader): string {
  return isCut ? `; only the first ${KEPT_BYTES_MAX / 1024 / 1024} MiB are stored` : "";
}

/** Returns lines as they are. The end says what follows them. */
async function page(kept: KeptReader, from: number, linesMax: number): Promise<string> {
  const shown: string[] = [];
  let leftTokens = PAGE_TOKENS_MAX;
  blocks: for await (const { lines } of kept.linesFrom(from)) {
    for (const line of lines) {
      leftTokens -= tokensIn([line]);
      if (shown.length === linesMax || (leftTokens < 0 && shown.length > 0)) break blocks;
      shown.push(line);
    }
  }
  const next = from + shown.length;
  const end =
    next < kept.lines
      ? [`[${kept.lines - next} more lines; continue with offset ${next + 1}]`]
      : kept.isCut
        ? [`[the end${notKept(kept)}]`]
        : [];
  return [...shown, ...end].join("\n");
}

/**
 * Returns the indexes of matching lines, at most one more than `matchesMax`, or undefined if matching a block takes too
 * long, or all of them.
 * Other calls run between blocks.
 */
async function findMatches(
  kept: KeptReader,
  query: { readonly from: number; readonly pattern: string; readonly matchesMax: number },
  host: Host,
): Promise<readonly number[] | undefined> {
  const expression = new RegExp(query.pattern);
  const matches: number[] = [];
  const endMs = host.nowMs() + SEARCH_MS_MAX;
  for await (const { first, lines } of kept.linesFrom(query.from)) {
    const search = (): readonly number[] => {
      const found: number[] = [];
      for (let index = 0; index < lines.length && matches.length + found.length <= query.matchesMax; index++) {
        if (expression.test(lines[index] ?? "")) found.push(first + index);
      }
      return found;
    };
    try {
      matches.push(...host.runBounded(search, MATCHING_MS_MAX));
    } catch (error) {
      if (codeOf(error) === "ETIMEDOUT") return undefined;
      throw error;
    }
    if (matches.length > query.matchesMax) break;
    if (host.nowMs() > endMs) return undefined;
  }
  return matches;
}

/**
 * Returns a page in the form of `grep -n -C`: `12:` before a line that matches, `13-` before one around it, `--` where
 * lines are left out.
 */
async function matchedPage(
  kept: KeptReader,
  matches: readonly number[],
  options: { readonly matchesMax: number; readonly context: number },
): Promise<string> {
  const shown = matches.slice(0, options.matchesMax);
  const matching = new Set(shown);
  const numbered: string[] = [];
  let leftTokens = PAGE_TOKENS_MAX;
  let last = -1;
  let given = 0;
  for (const match of shown) {
    const group: string[] = [];
    const start = Math.max(match - options.context, last + 1);
    const end = Math.min(match + options.context, kept.lines - 1);
    if (given > 0 && start > last + 1 && options.context > 0) group.push("--");
    for (let index = start; index <= end; index++)
      group.push(`${index + 1}${matching.has(index) ? ":" : "-"}${await kept.line(index)}`);
    leftTokens -= tokensIn(group);
    if (leftTokens < 0 && given > 0) break;
    numbered.push(...group);
    last = end;
    given++;
  }
  const next = matches[given];
  return [
    ...fittingLines(numbered),
    ...(next === undefined ? [] : [`[more lines match; continue with offset ${next + 1}]`]),
  ].join("\n");
}

function tokensIn(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + estimateTokens(`${line}\n`), 0);
}

function fittingLines(lines: readonly string[]): readonly string[] {
  let leftTokens = PAGE_TOKENS_MAX;
  const end = lines.findIndex((line) => {
    leftTokens -= tokensIn([line]);
    return leftTokens < 0;
  });
  return end === -1 ? lines : lines.slice(0, Math.max(1, end));
}
