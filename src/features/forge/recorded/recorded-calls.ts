// The calls of a stored conversation, and which of them led to its result.
import { type CallPart, callsOf, type Entry } from "../../agent/entry.ts";
import { toolOfApiName } from "../../../core/tool/api-name.ts";
import { argumentsOf } from "../../dialects/text-call.ts";
import { loopBreakerOf } from "../../../core/tool/loop-breaking.ts";
import { MASK } from "../../../core/schema/describe.ts";
import type { Json, JsonObject } from "../../../core/schema/json.ts";
import { withoutLastLineEnd } from "../../../core/steps/step-record.ts";
import type { Tool } from "../../../core/tool/tool.ts";
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

export interface LeftOut {
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
  /** Failed calls of tools that are known here, whose values tell what was tried. */
  readonly failed: readonly Pick<RecordedCall, "tool" | "arguments">[];
  readonly leftOut: readonly LeftOut[];
  /** Whether a call had an argument that the conversation hides. */
  readonly hidesSecrets: boolean;
  /** The answer to the person; absent if there was none. */
  readonly answer?: string;
}

/** The text of a result without output: see features/agent/run-calls.ts. */
const NO_OUTPUT = "(no output)";
/** Tools that are about the conversation itself, and what they are for. */
const OWN_TOOLS: ReadonlyMap<string, string> = new Map([
  ["todo_write", "is a note of the model to itself"],
  ["search_tools", "looks for tools"],
  ["read_output", "reads on in a result of this conversation"],
  ["forge_tool", "makes a tool"],
  ["run_forged", "runs a tool that the session had made for itself; keep that one with `dottool forge keep`"],
]);

export function recordedCalls(entries: readonly Entry[], tools: ReadonlyMap<string, Tool>): Recorded {
  const prompts: string[] = [];
  const calls: RecordedCall[] = [];
  const failed: Pick<RecordedCall, "tool" | "arguments">[] = [];
  const leftOut: LeftOut[] = [];
  const waiting = new Map<string, CallPart>();
  let answer: string | undefined;
  let number = 0;
  for (const entry of entries) {
    if (entry.kind === "user") prompts.push(entry.text);
    if (entry.kind === "reply") {
      for (const call of callsOf(entry)) waiting.set(call.id, call);
      const text = entry.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
      if (waiting.size === 0 && text.trim() !== "") answer = text;
    }
    if (entry.kind !== "result") continue;
    const call = waiting.get(entry.id);
    waiting.delete(entry.id);
    if (!call) continue;
    number++;
    const name = toolOfApiName(call.name, [...tools.keys()], call.isText);
    const tool = name === undefined ? undefined : tools.get(name);
    const read = argumentsOf(call.arguments);
    const args = "arguments" in read ? read.arguments : undefined;
    const output = withoutLastLineEnd(entry.text);
    const leave = (reason: string): void => void leftOut.push({ number, tool: name ?? call.name, reason });
    if (tool && loopBreakerOf(tool) !== undefined) {
      if (entry.isFailed === undefined) answer = output;
      continue;
    }
    const own = OWN_TOOLS.get(tool?.definition.name.value ?? "");
    if (own !== undefined) leave(own);
    else if (entry.isFailed) {
      leave(`failed${failureKind(entry.text)}`);
      if (tool && args) failed.push({ tool, arguments: args });
    } else if (!tool) leave("is of a tool that is not known here");
    else if (!args) leave("has arguments that cannot be read");
    else
      calls.push({
        number,
        tool,
        arguments: args,
        output: output === NO_OUTPUT ? "" : output,
        prompts: [...prompts],
      });
  }
  const hidesSecrets = entries.some(
    (entry) => entry.kind === "reply" && callsOf(entry).some((call) => call.arguments.includes(MASK)),
  );
  return {
    prompts,
    calls,
    failed,
    leftOut,
    hidesSecrets,
    ...(answer === undefined ? {} : { answer: withoutLastLineEnd(answer) }),
  };
}

/** Returns ` (exit)` for a text with `failed[exit]` in it. */
function failureKind(text: string): string {
  const kind = /(?:^|\n)failed\[([a-z-]+)\]/.exec(text)?.[1];
  return kind === undefined ? "" : ` (${kind})`;
}

/** Whether it is the base tool that runs commands. */
export function runsLine({ tool }: Pick<RecordedCall, "tool">): boolean {
  return tool.definition.origin.kind === "base" && tool.definition.name.value === "run_command";
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
export function onlyLooks(call: Pick<RecordedCall, "tool" | "arguments">): boolean {
  const { effects } = call.tool;
  if (effects.length > 0 && effects.every((effect) => effect === "read" || effect === "network")) return true;
  const commands = runsLine(call) ? commandsOf(call.arguments) : undefined;
  return (
    commands?.every(
      ([program = "", ...words]) =>
        (LOOKING.has(program) && !words.some((word) => CHANGING_OPTION.test(word))) ||
        (program === "git" && GIT_LOOKING.has(words[0] ?? "") && !words.some((word) => word.startsWith("--output"))),
    ) ?? false
  );
}

/** Returns the words of each command of a pipe; undefined if a shell has to read the line. */
export function commandsOf({ command, argv }: JsonObject): readonly (readonly string[])[] | undefined {
  if (Array.isArray(argv)) return [(argv as readonly Json[]).map(String)];
  return typeof command === "string" ? pipedLine(command)?.map((words) => words.map(({ text }) => text)) : undefined;
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
  { calls, answer }: Recorded,
  usedBy: (call: RecordedCall) => readonly number[],
): Selection | undefined {
  const { distinct, leftOut } = withoutRepeats(calls);
  const result = resultOf(distinct, answer);
  if (!result) return undefined;
  const needed = new Set([result.number, ...distinct.filter((call) => !onlyLooks(call)).map(({ number }) => number)]);
  for (const call of [...distinct].reverse())
    if (needed.has(call.number)) for (const number of usedBy(call)) needed.add(number);
  return {
    kept: distinct.filter(({ number }) => needed.has(number)),
    result,
    leftOut: [
      ...leftOut,
      ...distinct
        .filter(({ number }) => !needed.has(number))
        .map((call) => left(call, "only looked, and nothing after it used what it found")),
    ],
  };
}

function left({ number, tool }: RecordedCall, reason: string): LeftOut {
  return { number, tool: tool.definition.name.value, reason };
}

function withoutRepeats(calls: readonly RecordedCall[]): {
  readonly distinct: readonly RecordedCall[];
  readonly leftOut: readonly LeftOut[];
} {
  const distinct: RecordedCall[] = [];
  const leftOut: LeftOut[] = [];
  for (const [index, call] of calls.entries()) {
    const next = calls[index + 1];
    const same = distinct.find((one) => isSame(one, call) && one.output === call.output);
    if (same && onlyLooks(call)) leftOut.push(left(call, `repeats call ${same.number}, with the same result`));
    else if (next && isWrittenAgain(call, next))
      leftOut.push(left(call, `wrote a file that call ${next.number} wrote again before anything used it`));
    else distinct.push(call);
  }
  return { distinct, leftOut };
}

function isSame(one: RecordedCall, other: RecordedCall): boolean {
  return one.tool === other.tool && JSON.stringify(one.arguments) === JSON.stringify(other.arguments);
}

function isWrittenAgain(call: RecordedCall, next: RecordedCall): boolean {
  const isWrite = ({ tool }: RecordedCall): boolean =>
    tool.definition.origin.kind === "base" && tool.definition.name.value === "write_file";
  return isWrite(call) && isWrite(next) && call.arguments["file_path"] === next.arguments["file_path"];
}

/** Returns the last call whose output is the answer, or else is in the answer, or else the last one. */
function resultOf(calls: readonly RecordedCall[], answer: string | undefined): RecordedCall | undefined {
  const said = answer?.trim() ?? "";
  const shown = (call: RecordedCall): string => call.output.trim();
  return (
    calls.findLast((call) => shown(call) !== "" && shown(call) === said) ??
    calls.findLast((call) => shown(call).length > 1 && said.includes(shown(call))) ??
    calls.at(-1)
  );
}
