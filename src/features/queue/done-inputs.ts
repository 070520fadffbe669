// What has succeeded in an earlier batch, from its results.
import { resolve } from "node:path";
import { isJsonObject } from "../../core/schema/json.ts";
import { valueOfText } from "../../core/schema/convert-text.ts";
import { lineReader } from "../../core/text/line-reader.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host } from "../../core/tool/host.ts";
import type { Terminal } from "../../core/tool/terminal.ts";

const NEWLINE = "\n".charCodeAt(0);
const PIECE_BYTES = 1024 * 1024;
const BATCH = /^[\da-f]{32}$/;
/** The limit of a result. A call with a longer one is made again. */
const RESULT_CHARACTERS_MAX = 128 * 1024 * 1024;

export interface DoneInputs {
  /** How often each input has succeeded, by its hash. */
  readonly succeeded: Map<string, number>;
  /** The id of the last batch on a queue, whose items may still have answers there. */
  batch?: string;
}

interface InputOptions {
  readonly name: string;
  /** The words of every call. */
  readonly own: readonly string[];
  readonly session: { readonly host: Host };
}

/** The hash of an input in its result: the same line in a changed file of inputs is the same input. */
export function inputHash(text: string, { name, own, session }: InputOptions): string {
  return session.host.sha256(JSON.stringify([name, ...own, text.trim()])).slice(0, 32);
}

/**
 * Reads a file of results; a missing one has none. Ends the last line on the output if it was cut, so that further
 * results can be appended. Returns why the file cannot be read.
 */
export async function doneInputs(
  path: string,
  host: Host,
  { output, workingFolder }: Terminal,
): Promise<DoneInputs | string> {
  const done: DoneInputs = { succeeded: new Map() };
  const decoder = new TextDecoder();
  const take = lineReader({
    charactersMax: RESULT_CHARACTERS_MAX,
    onLine: (line) => count(line, done),
    onTooLong: () => undefined,
  });
  let isLineEnd = true;
  try {
    for (let offset = 0; ; offset += PIECE_BYTES) {
      const bytes = await host.files.readBytes(resolve(workingFolder(), path), { offset, lengthMax: PIECE_BYTES });
      if (bytes.length > 0) isLineEnd = bytes.at(-1) === NEWLINE;
      take(decoder.decode(bytes, { stream: true }));
      if (bytes.length < PIECE_BYTES) break;
    }
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return code === "ENOENT" ? done : `\`${path}\` cannot be read (${code})`;
  }
  if (!isLineEnd) output.write("\n");
  return done;
}

function count(line: string, done: DoneInputs): void {
  const result = valueOfText({ type: "string", format: "any" }, line);
  if (!isJsonObject(result)) return;
  const { batch, status, input } = result;
  if (typeof batch === "string" && BATCH.test(batch)) done.batch = batch;
  if (status !== "ok" || typeof input !== "string") return;
  done.succeeded.set(input, (done.succeeded.get(input) ?? 0) + 1);
}
