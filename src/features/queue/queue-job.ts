// What stands in a queue: a call as data, and its answer. Both may have been written by anybody who can reach the
// server, and by another version of dottool, so both are read with care.
import { isJsonObject, type JsonObject } from "../../core/schema/json.ts";

/** Another form is refused, because a part of it that is not understood may matter. */
export const JOB_FORM = 1;
export const JOB_BYTES_MAX = 1024 * 1024;
export const ANSWER_BYTES_MAX = 4 * 1024 * 1024;

export interface QueueJob {
  readonly form: number;
  /** The batch, 32 hexadecimal digits. */
  readonly batch: string;
  readonly tool: string;
  /** The hash of the tool's content: see `portableHash`. */
  readonly content: string;
  readonly arguments: JsonObject;
  /** Set if the queue has lost this item before, so that it may have run. */
  readonly isAgain?: true;
  /** Set if it must not run twice, whatever the tool says. */
  readonly isOnce?: true;
  /** Set for an item of a step: its answer tells the streams apart, because steps read them. */
  readonly isOfStep?: true;
}

const KEYS: ReadonlySet<string> = new Set([
  "form",
  "batch",
  "tool",
  "content",
  "arguments",
  "isAgain",
  "isOnce",
  "isOfStep",
]);
const TOOL_NAME = /^[\w./:@-]{1,256}$/;
const HASH = /^[\da-f]{64}$/;

/** Returns why it is refused, as the end of a sentence that begins with the item. */
export function readJob(data: unknown): QueueJob | { readonly problem: string } {
  if (!isJsonObject(data)) return { problem: "is not an object" };
  const { form, batch, tool, content, arguments: args, isAgain, isOnce, isOfStep } = data;
  if (form !== JOB_FORM)
    return {
      problem: `has the form ${typeof form === "number" ? form : "of another program"}, and this version of dottool reads form ${JOB_FORM}`,
    };
  if (!Object.keys(data).every((key) => KEYS.has(key))) return { problem: "has parts that are not of its form" };
  if (typeof batch !== "string" || typeof tool !== "string" || !TOOL_NAME.test(tool))
    return { problem: "names no tool" };
  if (typeof content !== "string" || !HASH.test(content)) return { problem: "has no hash of its tool" };
  if (!isJsonObject(args)) return { problem: "has no arguments" };
  if ([isAgain, isOnce, isOfStep].some((flag) => flag !== undefined && flag !== true))
    return { problem: "has parts that are not of its form" };
  if (JSON.stringify(args).length > JOB_BYTES_MAX)
    return { problem: `has more than ${JOB_BYTES_MAX.toLocaleString("en")} characters of arguments` };
  const flags = {
    ...(isAgain === true ? { isAgain } : {}),
    ...(isOnce === true ? { isOnce } : {}),
    ...(isOfStep === true ? { isOfStep } : {}),
  };
  return { form, batch, tool, content, arguments: args, ...flags };
}

/** A result as `dottool batch` prints it, but for what the caller knows. */
export interface JobAnswer {
  readonly status: "ok" | "failed";
  readonly exitCode: number;
  readonly durationMs: number;
  readonly worker: string;
  /** The content, the failure and whatever else a result has. */
  readonly shown: JsonObject;
}

export function answerText({ status, exitCode, durationMs, worker, shown }: JobAnswer): string {
  return JSON.stringify({ status, exitCode, durationMs, worker, shown });
}

/** Returns undefined if no worker of dottool wrote it. */
export function readAnswer(text: string): JobAnswer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value)) return undefined;
    const { status, exitCode, durationMs, worker, shown } = value;
    if (status !== "ok" && status !== "failed") return undefined;
    if (typeof exitCode !== "number" || typeof durationMs !== "number" || typeof worker !== "string") return undefined;
    if (!isJsonObject(shown) || !Array.isArray(shown["content"])) return undefined;
    if (status === "failed" && !isJsonObject(shown["failure"])) return undefined;
    return { status, exitCode, durationMs, worker, shown };
  } catch {
    return undefined;
  }
}
