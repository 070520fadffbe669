// `dottool runs cancel` and `dottool runs prune`.
import { exitCodes } from "../../core/run/exit-code.ts";
import { removeRun, startMsOf } from "./prune.ts";
import { readRun, type RunRecord, runFile, runIds } from "./run-record.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host } from "../../core/tool/host.ts";
import { holderOf } from "../../core/store/lock-file.ts";
import { printable } from "../../core/text/display.ts";
import { reportUsage, writeJson } from "../../cli/command.ts";
import { namedRun, runJson, type RunsPlace } from "./run-facts.ts";

/** Longer than processes get to end, and a cleanup to run. */
const CANCEL_MS_MAX = 20_000;
const LOOK_MS = 50;

/** Ends a run as Ctrl-C does, and waits until it has ended. */
export async function cancelRun(word: string, place: RunsPlace): Promise<number> {
  const run = namedRun(word, place);
  if (typeof run === "number") return run;
  const { host, context, isJson } = place;
  const { terminal } = context;
  const { id } = run.record;
  if (run.state !== "running") {
    terminal.errors.write(`failed[runs]: \`${id}\` has ended already: ${run.state}\n  = \`dottool runs show ${id}\`\n`);
    return exitCodes.failed;
  }
  const isTold = await askToEnd(run.record, host);
  const untilMs = host.nowMs() + CANCEL_MS_MAX;
  for (;;) {
    const read = readRun(id, host);
    if (read && "run" in read && read.run.state !== "running") {
      if (isJson) writeJson(terminal, runJson(read.run, host));
      else
        terminal.output.write(`${id} ${read.run.state === "cancelled" ? "was cancelled" : `is ${read.run.state}`}\n`);
      return exitCodes.done;
    }
    if (!isTold || terminal.signal.aborted || host.nowMs() > untilMs) break;
    await host.sleep(LOOK_MS, terminal.signal);
  }
  terminal.errors.write(
    isTold
      ? `failed[runs]: \`${id}\` has not ended yet\n  = a second \`dottool runs cancel ${id}\` ends it at once\n`
      : `failed[runs]: \`${id}\` runs in another container or as another user, so it cannot be ended from here\n  = cancel it there\n`,
  );
  return exitCodes.failed;
}

/** Asks the process of a run to end it. Returns false if it cannot be reached from here. */
export async function askToEnd(record: RunRecord, host: Host): Promise<boolean> {
  if (!record.served) return interrupted(record, host);
  // A server makes other calls too, and looks for this file.
  await host.files.append(runFile(record.id, "cancel", host), "\n", { mode: 0o600 });
  return true;
}

function interrupted({ id, processId }: RunRecord, host: Host): boolean {
  const holder = holderOf(runFile(id, "lock", host), host);
  if (!holder) return false;
  // A resident process makes the calls of many launchers, and each launcher passes its signals on.
  const { start: _ofHolder, ...place } = holder;
  return host.shared.interrupt(holder.processId === processId ? holder : { ...place, processId });
}

interface PruneOptions {
  readonly ids: readonly string[];
  readonly olderThan: string | undefined;
}

export async function pruneRuns(
  { ids, olderThan }: PruneOptions,
  { host, context, isJson }: RunsPlace,
): Promise<number> {
  const { terminal } = context;
  const ageMs = olderThan === undefined ? 0 : ageMsOf(olderThan);
  if (ageMs === undefined)
    return reportUsage(
      terminal,
      `\`--older-than\` must be a time such as \`90m\`, \`12h\` or \`7d\`; got \`${olderThan ?? ""}\``,
      "runs",
    );
  const known = runIds(host);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown !== undefined) {
    terminal.errors.write(
      `failed[runs]: there is no run \`${printable(unknown)}\`\n  = nothing is removed; \`dottool runs\` lists them\n`,
    );
    return exitCodes.missing;
  }
  const nowMs = Date.parse(host.timestamp());
  const removed: string[] = [];
  const kept: string[] = [];
  try {
    for (const id of ids.length === 0 ? known : ids)
      if (nowMs - startMsOf(id) >= ageMs) ((await removeRun(id, host)) ? removed : kept).push(id);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    terminal.errors.write(`failed[runs]: the run cannot be removed: the system reports ${code}\n`);
    return exitCodes.failed;
  }
  if (isJson) writeJson(terminal, { removed, running: kept });
  else terminal.output.write(`removed ${countText(removed.length)}\n`);
  // A person who names a run wants it removed, so one that still runs is reported.
  if (ids.length === 0 || kept.length === 0) return exitCodes.done;
  terminal.errors.write(
    `failed[runs]: \`${kept.join("`, `")}\` ${kept.length === 1 ? "is" : "are"} running\n  = \`dottool runs cancel ID\` ends a run\n`,
  );
  return exitCodes.failed;
}

function countText(count: number): string {
  return `${count} ${count === 1 ? "run" : "runs"}`;
}

function ageMsOf(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d{1,5})([smhd])$/.exec(text) ?? [];
  return digits === undefined
    ? undefined
    : Number(digits) * ({ s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit] ?? 0);
}
