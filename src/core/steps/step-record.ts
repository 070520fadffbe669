// The record of a step for the steps after it.
import { isJsonObject, type Json } from "../schema/json.ts";
import { type Outcome, outputTextOf } from "../tool/call.ts";
import type { Failure } from "../tool/failure.ts";
import { type Reference, valueAt } from "../tool/reference.ts";
import { outputNames, type Step } from "../tool/step.ts";

export interface StepRecord {
  /** Standard output without its final line end, or the text of a tool. */
  readonly output: string;
  readonly stdout: string;
  readonly stderr: string;
  /** 0 if no process ran. */
  readonly exitCode: number;
  readonly ok: boolean;
  /** Why there are no texts: the output is bytes or an image, "12 bytes of application/octet-stream". */
  readonly noText?: string;
  /** Set if the tool returned data, and not text that is JSON. */
  readonly data?: Json;
  /** Set if the output was longer than a step may return. */
  readonly isCut?: true;
  /** Parses the output when first asked. Returns undefined if it is not JSON. */
  json(): Json | undefined;
}

/** The record of a step that was skipped, or never started. */
export const emptyRecord: StepRecord = {
  output: "",
  stdout: "",
  stderr: "",
  exitCode: 0,
  ok: false,
  json: () => undefined,
};

export function recordOf(outcome: Outcome, bytesMax: number): StepRecord {
  const { process } = outcome;
  const whole = process ? outputTextOf(process, "stdout") : contentText(outcome);
  const wholeErrors = process ? outputTextOf(process, "stderr") : "";
  const stdout = shortened(whole, bytesMax);
  const stderr = shortened(wholeErrors, bytesMax);
  const values = outcome.content.flatMap((item) => (item.type === "json" ? [item.value] : []));
  const ok = outcome.status === "ok";
  return {
    output: withoutLastLineEnd(stdout),
    stdout,
    stderr,
    exitCode: outcome.status === "ok" ? (process?.exitCode ?? 0) : exitCodeIn(outcome.failure),
    ok,
    json: lazyJson(stdout, values[0]),
    ...(values[0] === undefined ? {} : { data: values[0] }),
    ...(stdout === "" ? noTextIn(outcome) : {}),
    ...(stdout.length < whole.length || stderr.length < wholeErrors.length ? { isCut: true } : {}),
  };
}

function noTextIn({ content: [first] }: Outcome): Pick<StepRecord, "noText"> {
  if (first?.type === "file") return { noText: `${first.sizeBytes} bytes of ${first.mediaType}` };
  if (first?.type === "audio") return { noText: `audio of ${first.mediaType}` };
  return first?.type === "image" ? { noText: `an image of ${first.mediaType}` } : {};
}

/** Returns the exit code of the innermost process; 1 if there was none. */
function exitCodeIn(failure: Failure): number {
  if (failure.kind === "step-failed") return exitCodeIn(failure.cause);
  return failure.kind === "exit" ? (failure.exitCode ?? 1) : 1;
}

/** Returns a record for each of a step's outputs: several are the parts of one JSON object. */
export function recordsOf(step: Step, record: StepRecord): readonly (readonly [name: string, record: StepRecord])[] {
  const [only, ...others] = outputNames(step);
  if (!only || others.length === 0) return [[step.name.value, record]];
  return [only, ...others].map(({ value: name }) => [name, partRecord(record, valueAt(record.json(), [name]))]);
}

function partRecord(record: StepRecord, value: Json | undefined): StepRecord {
  const text = value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
  return {
    ...record,
    output: withoutLastLineEnd(text),
    stdout: text,
    json: lazyJson(text, typeof value === "string" ? undefined : value),
  };
}

/** Joins the records of a step that ran once for each item: outputs line by line, and as a list. */
export function joinedRecord(records: readonly StepRecord[]): StepRecord {
  const failed = records.find((record) => !record.ok);
  const lines = (texts: readonly string[]): string =>
    texts
      .filter((text) => text !== "")
      .map((text) => (text.endsWith("\n") ? text : `${text}\n`))
      .join("");
  const stdout = lines(records.map((record) => record.stdout));
  return {
    output: withoutLastLineEnd(stdout),
    stdout,
    stderr: lines(records.map((record) => record.stderr)),
    exitCode: failed?.exitCode ?? 0,
    ok: failed === undefined,
    json: () => records.map((record) => record.json() ?? record.output),
  };
}

/** Returns the part of a record that `{step.PATH}` names. */
export function partOfRecord(record: StepRecord, path: Reference["path"]): Json | undefined {
  const [field, ...inner] = path;
  switch (field) {
    case undefined:
    case "output":
      return record.output;
    case "stdout":
      return record.stdout;
    case "stderr":
      return record.stderr;
    case "exit-code":
      return record.exitCode;
    case "ok":
      return record.ok;
    case "value":
      return record.data ?? record.output;
    case "json":
      return valueAt(record.json(), inner);
  }
  return undefined;
}

function contentText(outcome: Outcome): string {
  return outcome.content
    .flatMap((item) => (item.type === "text" ? [item.text] : item.type === "json" ? [JSON.stringify(item.value)] : []))
    .join("\n");
}

export function withoutLastLineEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

function shortened(text: string, bytesMax: number): string {
  if (text.length <= bytesMax / 3) return text;
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytesMax)).read);
}

function lazyJson(text: string, value: Json | undefined): () => Json | undefined {
  let parsed: { readonly value: Json | undefined } | undefined = value === undefined ? undefined : { value };
  return () => (parsed ??= { value: parsedOrNothing(text) }).value;
}

function parsedOrNothing(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isJsonObject(value) || Array.isArray(value) || typeof value !== "object" ? value : undefined;
  } catch {
    return undefined;
  }
}
