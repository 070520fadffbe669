// The calls of a stored conversation, and which of them led to its result.
import { type CallPart, callsOf, type Entry } from "../../agent/entry.ts";
import { toolOfApiName } from "../../../core/tool/api-name.ts";
import { argumentsOf } from "../../dialects/text-call.ts";
import { MASK } from "../../../core/schema/describe.ts";
import type { Json, JsonObject } from "../../../core/schema/json.ts";
import { saysNothing } from "../../../core/run/model-text.ts";
import { withoutLastLineEnd } from "../../../core/steps/step-record.ts";
import type { ToolRegistry } from "../../../core/tool/registry.ts";
import { loopBreakerOf, type Tool } from "../../../core/tool/tool.ts";
import type { LineWord } from "../../new/parameter-guesses.ts";
import { pipedLine } from "../../new/starter.ts";

export interface RecordedCall {
  /** Counted from 1, over all calls of the conversation. */
  readonly number: number;
  readonly tool: Tool;
  readonly arguments: JsonObject;
  /** What the model got, without the final line end. */
  readonly output: string;
  /** What the person had said before it, in order. */
  readonly prompts: readonly string[];
}

interface LeftOut {
  readonly number: number;
  /** As the model wrote it. */
  readonly tool: string;
  /** The end of a sentence that begins with the call. */
  readonly reason: string;
}

export interface Recorded {
  readonly prompts: readonly string[];
  /** The successful calls of tools that are known here. */
  readonly calls: readonly RecordedCall[];
  readonly leftOut: readonly LeftOut[];
  /** Whether a call had an argument that the conversation hides. */
  readonly hidesSecrets: boolean;
  /** The answer to the person; empty if there was none. */
  readonly answer: string;
}

/** Tools whose calls mean nothing outside of the conversation. */
const OWN_TOOLS = new Set(["todo_write", "search_tools", "read_output", "forge_tool", "run_forged"]);

export function recordedCalls(entries: readonly Entry[], tools: ToolRegistry): Recorded {
  const prompts: string[] = [];
  const calls: RecordedCall[] = [];
  const leftOut: LeftOut[] = [];
  const waiting = new Map<string, CallPart>();
  let [answer, hidesSecrets, number] = ["", false, 0];
  for (const entry of entries) {
    if (entry.kind === "user") prompts.push(entry.text);
    if (entry.kind === "reply") {
      for (const call of callsOf(entry)) {
        waiting.set(call.id, call);
        hidesSecrets ||= call.arguments.includes(MASK);
      }
      const text = entry.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
      if (waiting.size === 0 && text.trim() !== "") answer = text.trim();
    }
    const call = entry.kind === "result" ? waiting.get(entry.id) : undefined;
    if (entry.kind !== "result" || !call) continue;
    waiting.delete(entry.id);
    number++;
    const name = toolOfApiName(call.name, tools.names(), call.isText) ?? call.name;
    const tool = tools.find(name);
    const read = argumentsOf(call.arguments);
    const output = withoutLastLineEnd(entry.text);
    const leave = (reason: string): void => void leftOut.push({ number, tool: name, reason });
    if (tool && loopBreakerOf(tool) !== undefined) answer = entry.isFailed === undefined ? output.trim() : answer;
    else if (OWN_TOOLS.has(tool?.definition.name.value ?? "")) leave("belongs to the conversation alone");
    else if (entry.isFailed) leave(`failed${failureKind(entry.text)}`);
    else if (!tool) leave("is of a tool that is not known here");
    else if (!("arguments" in read)) leave("has arguments that cannot be read");
    else {
      const shown = saysNothing(output) ? "" : output;
      calls.push({ number, tool, arguments: read.arguments, output: shown, prompts: [...prompts] });
    }
  }
  return { prompts, calls, leftOut, hidesSecrets, answer };
}

/** Returns ` (exit)` for a text with `failed[exit]` in it. */
function failureKind(text: string): string {
  const kind = /^failed\[([a-z-]+)\]/m.exec(text)?.[1];
  return kind === undefined ? "" : ` (${kind})`;
}

export function isBase({ tool }: Pick<RecordedCall, "tool">, name: string): boolean {
  return tool.definition.origin.kind === "base" && tool.definition.name.value === name;
}

/** Programs that only look, unless an option says otherwise. */
const LOOKING = new Set(
  "ls cat head tail wc grep rg find pwd file stat tree du df which sort uniq cut tr nl basename dirname realpath id whoami uname".split(
    " ",
  ),
);
const CHANGING_OPTION = /^-(?:delete|exec|execdir|ok|okdir|fprint|fprintf|fls|o|-output.*|-pre.*)$/;
const GIT_LOOKING = new Set(["status", "log", "diff", "show", "blame", "ls-files", "rev-parse"]);

/** Whether the call can have changed nothing, as far as its tool or its command line tells. */
export function onlyLooks(call: RecordedCall): boolean {
  const { effects } = call.tool;
  if (effects.length > 0 && effects.every((effect) => effect === "read" || effect === "network")) return true;
  const commands = isBase(call, "run_command") ? commandsOf(call) : [];
  return commands.length > 0 && commands.every((words) => isLook(words.map(({ text }) => text)));
}

function isLook([program = "", ...words]: readonly string[]): boolean {
  const isLooking = LOOKING.has(program) || (program === "git" && GIT_LOOKING.has(words[0] ?? ""));
  return isLooking && !words.some((word) => CHANGING_OPTION.test(word));
}

/** Returns the words of each command of a pipe; none if a shell has to read the line. */
export function commandsOf({ arguments: { command, argv } }: RecordedCall): readonly (readonly LineWord[])[] {
  if (typeof command === "string") return pipedLine(command) ?? [];
  return Array.isArray(argv)
    ? [(argv as readonly Json[]).map((word) => ({ text: String(word), isQuoted: false }))]
    : [];
}

export interface Selection {
  readonly kept: readonly RecordedCall[];
  /** The call whose output is the result. */
  readonly result: RecordedCall;
  readonly leftOut: readonly LeftOut[];
}

/**
 * `usedBy` returns the numbers of the calls whose outputs the call took values from. Returns undefined for no calls.
 */
export function callsToResult(
  { calls, answer, leftOut }: Recorded,
  usedBy: (call: RecordedCall) => readonly number[],
): Selection | undefined {
  const reasons = new Map<RecordedCall, string>();
  for (const [index, call] of calls.entries()) {
    const same = onlyLooks(call) ? calls.slice(0, index).find((one) => isSame(one, call)) : undefined;
    if (same) reasons.set(call, `repeats call ${same.number}, with the same result`);
  }
  const distinct = calls.filter((call) => !reasons.has(call));
  const result = resultOf(distinct, answer);
  if (!result) return undefined;
  const needed = new Set<number>();
  for (const call of [...distinct].reverse()) {
    if (call !== result && onlyLooks(call) && !needed.has(call.number))
      reasons.set(call, "only looked, and nothing after it used what it found");
    else for (const number of [call.number, ...usedBy(call)]) needed.add(number);
  }
  const others = [...reasons].map(([{ number, tool }, reason]) => ({
    number,
    tool: tool.definition.name.value,
    reason,
  }));
  return {
    kept: calls.filter((call) => !reasons.has(call)),
    result,
    leftOut: [...leftOut, ...others].sort((one, other) => one.number - other.number),
  };
}

function isSame(one: RecordedCall, other: RecordedCall): boolean {
  const isAlike = JSON.stringify(one.arguments) === JSON.stringify(other.arguments);
  return one.tool === other.tool && one.output === other.output && isAlike;
}

/** Returns the last call whose output is the answer, or else is in the answer, or else the last one. */
function resultOf(calls: readonly RecordedCall[], answer: string): RecordedCall | undefined {
  const shown = (call: RecordedCall): string => call.output.trim();
  return (
    calls.findLast((call) => shown(call) !== "" && shown(call) === answer) ??
    calls.findLast((call) => shown(call).length > 1 && answer.includes(shown(call))) ??
    calls.at(-1)
  );
}
