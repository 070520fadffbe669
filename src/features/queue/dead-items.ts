// `dottool worker --dead`: the items of a queue that ended with a failure, for a person who looks after the queue.
import { isJsonObject } from "../../core/schema/json.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import { printable } from "../../core/text/display.ts";
import type { DeadItem, WorkQueue } from "../../core/tool/host-queues.ts";
import type { Terminal } from "../../core/tool/terminal.ts";
import { jsonText } from "../../cli/view/json-text.ts";

export const deadActions = ["list", "show", "retry", "drop"] as const;
type DeadAction = (typeof deadActions)[number];

const SHOWN_DIGITS = 12;
const ALL = "all";

/** `ids` are ids or their first digits, or `all`. */
export async function deadItems(
  queue: WorkQueue,
  { action, ids }: { readonly action: DeadAction; readonly ids: readonly string[] },
  { output, errors }: Terminal,
): Promise<number> {
  const items = await queue.dead();
  const missing = ids.find((id) => id !== ALL && !items.some((item) => item.id.startsWith(id)));
  if (missing !== undefined) {
    errors.write(
      `failed[queue]: no item that failed begins with \`${printable(missing)}\`\n  = \`dottool worker --dead list\` shows them\n`,
    );
    return exitCodes.missing;
  }
  const chosen = ids.includes(ALL) ? items : items.filter((item) => ids.some((id) => item.id.startsWith(id)));
  switch (action) {
    case "list":
      for (const item of ids.length === 0 ? items : chosen) output.write(`${line(item)}\n`);
      if (items.length === 0) errors.write("worker: no item of this queue has failed\n");
      break;
    case "show":
      for (const { id, data, reason, atMs } of chosen)
        output.write(`${jsonText({ id, failedAt: new Date(atMs).toISOString(), reason, item: data })}\n`);
      break;
    case "retry":
      await queue.revive(chosen);
      errors.write(`worker: ${chosen.length.toLocaleString("en")} put in again\n`);
      break;
    case "drop":
      await queue.forget(chosen);
      errors.write(`worker: ${chosen.length.toLocaleString("en")} dropped\n`);
  }
  return exitCodes.done;
}

function line({ id, data, reason, atMs }: DeadItem): string {
  const tool = isJsonObject(data) && typeof data["tool"] === "string" ? data["tool"] : "?";
  const when = new Date(atMs).toISOString().slice(0, 19).replace("T", " ");
  return printable(`${id.slice(0, SHOWN_DIGITS)}  ${when}  ${tool}  ${reason.split("\n")[0] ?? ""}`);
}
