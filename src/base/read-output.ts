// Reads what was left out of a long result: page by page, or the lines that match a pattern.
import { integer, string } from "../schema/declare.ts";
import type { ArgumentIssue } from "../schema/argument-issue.ts";
import { baseTool, failed, okText } from "../tool/base-tool.ts";
import { codeOf } from "../tool/error-code.ts";
import type { Failure } from "../tool/failure.ts";
import type { Host } from "../tool/host.ts";
import type { BaseTool } from "../tool/tool.ts";
import { fileFailure } from "./file-failure.ts";
import { handlePattern, keptFile, lineStarts } from "./kept-output.ts";

const LINES_DEFAULT = 500;
const LINES_MAX = 1_500;
const CONTEXT_LINES_MAX = 50;
/** Below the budget of a result, so that a page is never cut itself. */
const PAGE_BYTES_MAX = 40 * 1024;
/** More than a process may print. */
const FILE_BYTES_MAX = 256 * 1024 * 1024;
const MATCHING_MS_MAX = 2_000;

export const readOutput: BaseTool = baseTool({
  name: "read_output",
  title: "Read Output",
  description: `Read what was left out of a long result, whose middle names the handle.

Gives \`limit\` lines from line \`offset\`; with \`pattern\` only the lines that match, with their numbers. Lines longer than 2,000 characters count as several.`,
  parameters: {
    handle: string("The handle that the result names", { required: true, pattern: handlePattern }),
    offset: integer("The line to start at; the first is 1", { default: 1, minimum: 1 }),
    limit: integer("How many lines to give, or how many matches", { default: LINES_DEFAULT, minimum: 1, maximum: LINES_MAX }),
    pattern: string("A regular expression (JavaScript); only lines that match are given", { minimumLength: 1, maximumLength: 1_000 }),
    context: integer("How many lines around each match to give too", { default: 0, minimum: 0, maximum: CONTEXT_LINES_MAX }),
  },
  effects: ["read"],
  examples: [{ handle: "0f8fad5bd9cb469fa16570867728950e", offset: 1001, limit: 200 }, { handle: "0f8fad5bd9cb469fa16570867728950e", pattern: "error|warning", context: 2 }],
  check: (args) => patternIssues(args.pattern),
  execute: async (args, context) => {
    const { handle, limit, pattern } = args;
    const path = keptFile(context.host.folders, handle);
    let text: string | undefined;
    try {
      text = await textIn(path, context.host);
    } catch (error) {
      return fileFailure(error, { path, action: "read" }, context);
    }
    if (text === undefined) return failed(noSuchOutput(handle));
    const lines = countedLines(text);
    const from = args.offset - 1;
    if (from >= lines.count) return okText(`[there are ${lines.count} lines]`);
    if (pattern === undefined) return okText(page(lines, from, limit));
    const matches = findMatches(lines, { from, pattern, matchesMax: limit }, context.host);
    if (matches === undefined) return failed(tooSlow(pattern));
    return okText(matches.length === 0 ? `[none of the lines ${args.offset} to ${lines.count} matches]` : matchedPage(lines, matches, { matchesMax: limit, context: args.context }));
  },
});

interface CountedLines {
  readonly count: number;
  /** Without its line end. */
  at(index: number): string;
}

function patternIssues(pattern: string | undefined): readonly ArgumentIssue[] {
  try {
    new RegExp(pattern ?? "");
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*\/: /s, "").toLowerCase() : String(error);
    return [{ path: "pattern", message: `expected a regular expression, got "${pattern}" (${reason})` }];
  }
}

/** Undefined when nothing is kept there. */
async function textIn(path: string, host: Host): Promise<string | undefined> {
  const stat = await host.files.stat(path);
  if (stat?.kind !== "file") return undefined;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await host.files.readBytes(path, { offset: 0, lengthMax: FILE_BYTES_MAX }));
}

function noSuchOutput(handle: string): Failure {
  const help = ["output is kept for a week, and the oldest goes when there is more than 200 MiB; make the call again"];
  return { kind: "rejected", reason: `no output is kept under \`${handle}\``, help };
}

function tooSlow(pattern: string): Failure {
  const help = ["say it without a repetition inside a repetition, such as `(a+)+`"];
  return { kind: "rejected", reason: `\`${pattern}\` is not done with this output after ${MATCHING_MS_MAX / 1000} s`, help };
}

function countedLines(text: string): CountedLines {
  const starts = lineStarts(text);
  return { count: starts.length, at: (index) => text.slice(starts[index], starts[index + 1] ?? text.length).replace(/\r?\n$/, "") };
}

/** Lines as they are; what follows them is said at the end. */
function page(lines: CountedLines, from: number, linesMax: number): string {
  const wanted = Array.from({ length: Math.min(linesMax, lines.count - from) }, (_item, index) => lines.at(from + index));
  const shown = fittingLines(wanted);
  const next = from + shown.length;
  return [...shown, ...(next < lines.count ? [`[${lines.count - next} more lines; offset ${next + 1} goes on]`] : [])].join("\n");
}

/** Indexes of the lines that match, at most one more than `matchesMax`; undefined when matching takes too long. */
function findMatches(lines: CountedLines, query: { readonly from: number; readonly pattern: string; readonly matchesMax: number }, host: Host): readonly number[] | undefined {
  const expression = new RegExp(query.pattern);
  const matches: number[] = [];
  const search = (): void => {
    for (let index = query.from; index < lines.count && matches.length <= query.matchesMax; index++) {
      if (expression.test(lines.at(index))) matches.push(index);
    }
  };
  try {
    host.runBounded(search, MATCHING_MS_MAX);
    return matches;
  } catch (error) {
    if (codeOf(error) === "ETIMEDOUT") return undefined;
    throw error;
  }
}

/** As `grep -n -C` writes: `12:` before a line that matches, `13-` before one around it, `--` where lines are left out. */
function matchedPage(lines: CountedLines, matches: readonly number[], options: { readonly matchesMax: number; readonly context: number }): string {
  const shown = matches.slice(0, options.matchesMax);
  const matching = new Set(shown);
  const numbered: string[] = [];
  let leftBytes = PAGE_BYTES_MAX;
  let last = -1;
  let given = 0;
  for (const match of shown) {
    const group: string[] = [];
    const start = Math.max(match - options.context, last + 1);
    const end = Math.min(match + options.context, lines.count - 1);
    if (given > 0 && start > last + 1 && options.context > 0) group.push("--");
    for (let index = start; index <= end; index++) group.push(`${index + 1}${matching.has(index) ? ":" : "-"}${lines.at(index)}`);
    leftBytes -= sizeInBytes(group);
    if (leftBytes < 0 && given > 0) break;
    numbered.push(...group);
    last = end;
    given++;
  }
  const next = matches[given];
  return [...fittingLines(numbered), ...(next === undefined ? [] : [`[more lines match; offset ${next + 1} goes on]`])].join("\n");
}

function sizeInBytes(lines: readonly string[]): number {
  return new TextEncoder().encode(lines.join("\n")).length + 1;
}

function fittingLines(lines: readonly string[]): readonly string[] {
  let leftBytes = PAGE_BYTES_MAX;
  const encoder = new TextEncoder();
  const end = lines.findIndex((line) => {
    leftBytes -= encoder.encode(line).length + 1;
    return leftBytes < 0;
  });
  return end === -1 ? lines : lines.slice(0, Math.max(1, end));
}
