// Calls a tool for each line of standard input, a number of them at a time, and prints each result as a line of JSON.
import { callTool } from "../../run/call-tool.ts";
import { exitCodeOf } from "../../run/exit-code.ts";
import type { Session } from "../../run/session.ts";
import type { JsonObject } from "../../schema/json.ts";
import type { Parameter } from "../../schema/parameter.ts";
import type { ToolCall, ToolResult } from "../../tool/call.ts";
import type { Terminal } from "../../tool/terminal.ts";
import type { Tool } from "../../tool/tool.ts";
import { Turns } from "../../tool/turns.ts";
import { jsonLine } from "../view/json-text.ts";
import { jsonOf } from "../view/print-result.ts";
import { arrayParameter } from "../words/find-parameter.ts";
import { LINE_PATH, refused } from "../words/refused-words.ts";
import { readToolWords, type ToolWords } from "../words/tool-words.ts";
import { type DoneInputs, inputHash } from "./done-inputs.ts";
import { type InputLine, inputLines, LINE_CHARACTERS_MAX } from "./input-lines.ts";

export interface RunBatch {
  readonly name: string;
  readonly tool: Tool;
  readonly session: Session;
  /** The words of every call. */
  readonly own: readonly string[];
  readonly parallel: number;
  readonly isInOrder: boolean;
  /** What is left out. */
  readonly done?: DoneInputs | undefined;
}

/** The limit of results that wait for an earlier one, and of calls that have begun. */
const AHEAD_MAX = 256;

interface BatchCounts {
  readonly ok: number;
  readonly failed: number;
  /** The calls that the end of the program has cancelled. */
  readonly cancelled: number;
  readonly leftOut: number;
}

/** Ends when every call has been answered, or without reading on when the program is to end. */
export async function runBatch(batch: RunBatch, terminal: Terminal): Promise<BatchCounts> {
  const { parallel, isInOrder, done } = batch;
  const counts = { ok: 0, failed: 0, cancelled: 0, leftOut: 0 };
  const turns = new Turns(parallel);
  const printing: Promise<void>[] = [];
  let before: Promise<void> = Promise.resolve();
  for await (const line of inputLines(terminal)) {
    const input = inputHash(line.text, batch);
    if (takeOne(done, input)) {
      counts.leftOut++;
      continue;
    }
    if (!(await turns.enter(terminal.signal))) break;
    const answer = answered(line, batch, terminal.signal).finally(() => turns.leave());
    const print = async (earlier: Promise<void>): Promise<void> => {
      const result = await answer;
      await earlier;
      const isCancelled = terminal.signal.aborted && result.status === "failed" && result.failure.kind === "cancelled";
      counts[isCancelled ? "cancelled" : result.status]++;
      await terminal.output.write(await resultLine(result, { line: line.number, input, tool: batch.tool }));
    };
    before = print(isInOrder ? before : Promise.resolve());
    printing.push(before);
    if (printing.length > AHEAD_MAX) await printing.shift();
  }
  await Promise.all(printing);
  return counts;
}

function takeOne(done: DoneInputs | undefined, input: string): boolean {
  const left = done?.get(input) ?? 0;
  if (left > 0) done?.set(input, left - 1);
  return left > 0;
}

async function answered(line: InputLine, batch: RunBatch, signal: AbortSignal): Promise<ToolResult> {
  const { name, session } = batch;
  const read = argumentsIn(line, batch);
  const call: ToolCall = { id: session.host.randomId(), tool: name, arguments: read.arguments };
  return read.issues.length > 0 || read.whole !== undefined
    ? refused(call, read, session)
    : callTool(call, session, signal);
}

function argumentsIn({ text, isTooLong }: InputLine, { name, tool: { parameters }, own }: RunBatch): ToolWords {
  const shared = { parameters, tool: name };
  const fixed = readToolWords(own, { ...shared, form: "short" });
  if (isTooLong) {
    const message = `has more than ${LINE_CHARACTERS_MAX.toLocaleString("en")} characters`;
    return { ...fixed, issues: [...fixed.issues, { path: LINE_PATH, message }] };
  }
  if (text.includes("\uFFFD")) {
    const message = "has bytes that are not UTF-8; a U+FFFD that is meant is `\\ufffd` in an object";
    return { ...fixed, issues: [...fixed.issues, { path: LINE_PATH, message }] };
  }
  if (!text.trimStart().startsWith("{")) {
    const only = onlyOpen(parameters, fixed.arguments);
    if (only) return readToolWords([...own, `--${only.name}=${text}`], { ...shared, form: "short" });
    // What a line holds is data, and never an option.
    const word = text.startsWith("-") && !own.includes("--") ? ["--", text] : [text];
    return readToolWords([...own, ...word], { ...shared, form: "short" });
  }
  const given = readToolWords(["--json", text], { ...shared, form: "call" });
  const issues = given.issues.map((issue) => (issue.path === "--json" ? { ...issue, path: LINE_PATH } : issue));
  return { ...given, arguments: { ...fixed.arguments, ...given.arguments }, issues: [...fixed.issues, ...issues] };
}

/** Returns the one parameter that a line can only be meant for. */
function onlyOpen(parameters: readonly Parameter[], given: JsonObject): Parameter | undefined {
  if (arrayParameter(parameters)) return undefined;
  const open = parameters.filter(({ name, hidden }) => !hidden && !Object.hasOwn(given, name));
  const required = open.filter((one) => one.required);
  const meant = required.length > 0 ? required : open;
  return meant.length === 1 ? meant[0] : undefined;
}

interface ShownIn {
  readonly line: number;
  readonly input: string;
  readonly tool: Tool;
}

async function resultLine(result: ToolResult, { line, input, tool }: ShownIn): Promise<string> {
  // The call is in the line, and what its process printed is the content.
  const {
    call: _call,
    process: _process,
    status,
    durationMs,
    ...shown
  } = (await jsonOf(result, tool, true)) as JsonObject;
  return `${jsonLine({ line, input, status, exitCode: exitCodeOf(result), durationMs, ...shown })}\n`;
}
