// An item over which workers were lost is made by a process of its own, so that what it does to that process is known
// to be its doing, and hits no other item. A worker that is killed meanwhile proves nothing, however often.
import { isJsonObject } from "../../core/schema/json.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import { lineReader } from "../../core/text/line-reader.ts";
import type { HandledItem, TakenItem } from "../../core/tool/host-queues.ts";
import type { Terminal } from "../../core/tool/terminal.ts";
import { answerOfHelper } from "./host/helper-start.ts";
import { ANSWER_BYTES_MAX } from "./queue-job.ts";

/** Set in the environment of such a process. */
export const LONE_VARIABLE = "DOTTOOL_WORKER_ITEM";
const LINE_CHARACTERS_MAX = 16 * 1024 * 1024;

export interface LoneItem extends TakenItem {
  /** The name of the worker, which is that of the answer. */
  readonly name: string;
}

/** Returns undefined if its process was killed. */
export async function madeAlone(item: LoneItem, signal: AbortSignal): Promise<HandledItem | undefined> {
  const answer = await answerOfHelper({
    variable: LONE_VARIABLE,
    line: JSON.stringify(item),
    signal,
    answerBytesMax: 2 * ANSWER_BYTES_MAX,
  });
  return answer === undefined || answer === "" ? undefined : (JSON.parse(answer) as HandledItem);
}

/** The side of that process: takes the item, and prints what became of it. Ends early with its worker. */
export async function answerAlone(
  { input, output, signal }: Pick<Terminal, "input" | "output" | "signal">,
  handle: (item: LoneItem, signal: AbortSignal) => Promise<HandledItem>,
): Promise<number> {
  const ended = new AbortController();
  const lost = new AbortController();
  const item = await new Promise<LoneItem | undefined>((resolve) => {
    const take = lineReader({
      charactersMax: LINE_CHARACTERS_MAX,
      onLine: (line) => resolve(itemIn(line)),
      onTooLong: () => resolve(undefined),
    });
    input.listen(ended.signal, (text) => {
      if (text !== undefined) return void take(text);
      resolve(undefined);
      lost.abort();
    });
  });
  if (item) output.write(JSON.stringify(await handle(item, AbortSignal.any([signal, lost.signal]))));
  ended.abort();
  return item ? exitCodes.done : exitCodes.failed;
}

function itemIn(line: string): LoneItem | undefined {
  const value: unknown = JSON.parse(line);
  if (!isJsonObject(value)) return undefined;
  const { data, begun, name } = value;
  return typeof begun === "number" && typeof name === "string" ? { data, begun, name } : undefined;
}
