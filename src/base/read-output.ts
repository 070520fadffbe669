// Reads what was left out of a long result: page by page, or the lines that match a pattern.
import { integer, string } from "../schema/declare.ts";
import type { ArgumentIssue } from "../schema/argument-issue.ts";
import { baseTool, okText } from "../tool/base-tool.ts";
import type { Outcome } from "../tool/call.ts";
import { codeOf } from "../tool/error-code.ts";
import type { Host } from "../tool/host.ts";
import type { BaseTool, ToolContext } from "../tool/tool.ts";
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
    const text = await keptText(args.handle, context.host);
    if (text === undefined) return noSuchOutput(args.handle);
    const lines = splitLines(text);
    const from = args.offset - 1;
    if (args.pattern === undefined) return okText(page(lines, from, args.limit));
    const matches = findMatches(lines, { from, pattern: args.pattern, limit: args.limit }, context);
    if (matches === undefined) return tooSlow(args.pattern);
    return okText(matches.length === 0 ? `[none of the ${lines.length} lines matches]` : matchedPage(lines, matches, args));
  },
});

function patternIssues(pattern: string | undefined): readonly ArgumentIssue[] {
  try {
    new RegExp(pattern ?? "");
    return [];
  } catch (error) {
    return [{ path: "pattern", message: error instanceof Error ? error.message : String(error) }];
  }
}

async function keptText(handle: string, host: Host): Promise<string | undefined> {
  const path = keptFile(host.folders, handle);
  const stat = await host.files.stat(path);
  if (stat?.kind !== "file") return undefined;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await host.files.readBytes(path, { offset: 0, lengthMax: FILE_BYTES_MAX }));
}

function noSuchOutput(handle: string): Outcome {
  const help = ["output is kept for a week, and the oldest goes when there is more than 200 MiB; make the call again"];
  return { status: "failed", content: [], failure: { kind: "rejected", reason: `no output is kept under \`${handle}\``, help } };
}

function tooSlow(pattern: string): Outcome {
  const help = ["say it without a repetition inside a repetition, such as `(a+)+`"];
  return { status: "failed", content: [], failure: { kind: "rejected", reason: `\`${pattern}\` is not done with this output after ${MATCHING_MS_MAX / 1000} s`, help } };
}

function splitLines(text: string): readonly string[] {
  const starts = lineStarts(text);
  return starts.map((start, index) => text.slice(start, starts[index + 1] ?? text.length).replace(/\r?\n$/, ""));
}

/** Lines as they are; what follows them is said at the end. */
function page(lines: readonly string[], from: number, limit: number): string {
  if (from >= lines.length) return `[there are ${lines.length} lines]`;
  const shown = fittingLines(lines.slice(from, from + limit));
  const next = from + shown.length;
  return [...shown, ...(next < lines.length ? [`[${lines.length - next} more lines; offset ${next + 1} goes on]`] : [])].join("\n");
}

/** Indexes of the lines that match, at most one more than `limit`; undefined when matching takes too long. */
function findMatches(lines: readonly string[], query: { readonly from: number; readonly pattern: string; readonly limit: number }, context: ToolContext): readonly number[] | undefined {
  const expression = new RegExp(query.pattern);
  const matches: number[] = [];
  const search = (): void => {
    for (let index = query.from; index < lines.length && matches.length <= query.limit; index++) {
      if (expression.test(lines[index] ?? "")) matches.push(index);
    }
  };
  try {
    context.host.runBounded(search, MATCHING_MS_MAX);
    return matches;
  } catch (error) {
    if (codeOf(error) === "ETIMEDOUT") return undefined;
    throw error;
  }
}

/** As `grep -n -C` writes: `12:` before a line that matches, `13-` before one around it, `--` where lines are left out. */
function matchedPage(lines: readonly string[], matches: readonly number[], options: { readonly limit: number; readonly context: number }): string {
  const shown = matches.slice(0, options.limit);
  const matching = new Set(shown);
  const numbered: string[] = [];
  let leftBytes = PAGE_BYTES_MAX;
  let last = -1;
  let given = 0;
  for (const match of shown) {
    const group: string[] = [];
    const start = Math.max(match - options.context, last + 1);
    const end = Math.min(match + options.context, lines.length - 1);
    if (given > 0 && start > last + 1 && options.context > 0) group.push("--");
    for (let index = start; index <= end; index++) group.push(`${index + 1}${matching.has(index) ? ":" : "-"}${lines[index] ?? ""}`);
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
