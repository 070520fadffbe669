// The answers of models in `.tools/evals/MODEL.jsonl`, a line each: what CI replays. They are files of the project, made
// to be committed.
import { join } from "node:path";
import type { Host } from "../../core/tool/host.ts";
import { isJsonObject, type JsonObject } from "../../core/schema/json.ts";

export interface EvalRecord {
  readonly version: 1;
  /** `PROVIDER/MODEL`. */
  readonly model: string;
  /** What the person said, and its SHA-256. */
  readonly text: string;
  readonly ask: string;
  /** The SHA-256 of everything else that the model was told. */
  readonly declarations: string;
  readonly distractors: number;
  /** From 1. */
  readonly attempt: number;
  readonly calls: readonly RecordedCall[];
  readonly tokens?: { readonly input: number; readonly output: number };
  readonly costUsd?: number;
  readonly timeMs: number;
}

export interface RecordedCall {
  /** The tool's own name; as the model wrote it, if there is no such tool. */
  readonly name: string;
  /** Absent if the model wrote no JSON object. */
  readonly arguments?: JsonObject;
}

const FILE_BYTES_MAX = 64 * 1024 * 1024;

/** Returns why a file or line cannot be read as a problem. `folder` may be missing. */
export function readRecords(folder: string, host: Host): readonly EvalRecord[] | { readonly problem: string } {
  const names = host.instant.stat(folder)?.kind === "folder" ? host.instant.names(folder).toSorted() : [];
  const records: EvalRecord[] = [];
  for (const name of names.filter((one) => one.endsWith(".jsonl"))) {
    const read = readFile(join(folder, name), host);
    const odd = read.indexOf(undefined);
    if (odd !== -1) return { problem: `\`${name}\` has no record of an eval in line ${odd + 1}` };
    records.push(...read.filter((record) => record !== undefined));
  }
  return records;
}

/** Returns undefined for each line that is no record, and for a file that cannot be read. */
function readFile(path: string, host: Host): readonly (EvalRecord | undefined)[] {
  try {
    return linesOf(path, host).map(readRecord);
  } catch {
    return [undefined];
  }
}

function linesOf(path: string, host: Host): readonly string[] {
  const text = new TextDecoder().decode(host.instant.readBytes(path, FILE_BYTES_MAX));
  return text.replace(/\n$/, "").split("\n");
}

function readRecord(line: string): EvalRecord | undefined {
  try {
    const json: unknown = JSON.parse(line);
    if (!isJsonObject(json) || json["version"] !== 1) return undefined;
    const { model, text, ask, declarations, distractors, attempt, calls, tokens, costUsd = 0, timeMs } = json;
    const { input, output } = isJsonObject(tokens) ? tokens : { input: 0, output: 0 };
    const areTexts = [model, text, ask, declarations].every((one) => typeof one === "string");
    const areNumbers = [distractors, attempt, costUsd, timeMs, input, output].every((one) => typeof one === "number");
    const isWhole = areTexts && areNumbers && Array.isArray(calls) && calls.every(isCall);
    return isWhole ? (json as unknown as EvalRecord) : undefined;
  } catch {
    return undefined;
  }
}

function isCall(json: unknown): boolean {
  if (!isJsonObject(json) || typeof json["name"] !== "string") return false;
  return json["arguments"] === undefined || isJsonObject(json["arguments"]);
}

/**
 * Writes records of one model, in place of earlier ones of the same asks; lines that are no records stay. Throws if the file, or its folder, is a link:
 * a repository must not choose where it is.
 */
export async function writeRecords(folder: string, fresh: readonly EvalRecord[], host: Host): Promise<void> {
  const [{ model, distractors } = { model: "", distractors: 0 }] = fresh;
  const path = join(folder, `${model.replaceAll(/[^\w.-]/g, "-")}.jsonl`);
  for (const one of [folder, path])
    if (host.instant.isLink(one) === true) throw Object.assign(new Error(`${one} is a link`), { code: "ELOOP" });
  await host.files.makeFolder(folder);
  const asks = new Set(fresh.map(({ ask }) => ask));
  const lines = host.instant.stat(path) ? linesOf(path, host) : [];
  const kept = lines.filter((line) => {
    const record = readRecord(line);
    return !record || !(asks.has(record.ask) && record.distractors === distractors);
  });
  const text = [...kept, ...fresh.map((one) => JSON.stringify(one))].map((line) => `${line}\n`).join("");
  await host.files.write(path, text);
}
