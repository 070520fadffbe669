// How often a tool was called lately, by all processes of this user together: a list of times in the state folder, changed under a lock.
import { codeOf } from "../tool/error-code.ts";
import type { Host } from "../tool/host.ts";
import type { Rate } from "../tool/rate.ts";
import { readState, statePath, withState, writeState } from "./state-file.ts";

export interface RateCheck {
  /** The tool, and the rule where one says how often. */
  readonly key: string;
  readonly rate: Rate;
}

export interface RateOptions {
  readonly host: Host;
  /** Where the state folder cannot be written to: of this process alone. */
  readonly memory: Map<string, readonly number[]>;
  warn(text: string): void;
}

/** Counts the call where it may be made. Otherwise: how long until the next one may. */
export async function waitForRate({ key, rate }: RateCheck, options: RateOptions): Promise<number | undefined> {
  const { host, memory, warn } = options;
  const name = `rates/${host.sha256(key).slice(0, 32)}.json`;
  const nowMs = Date.parse(host.timestamp());
  try {
    return await withState(host, name, async () => {
      const { waitMs, times } = counted(timesIn(readState(host, name).text), rate, nowMs);
      await writeState(host, name, JSON.stringify(times));
      return waitMs;
    });
  } catch (error) {
    const isNew = memory.size === 0;
    const { waitMs, times } = counted(memory.get(key) ?? [], rate, nowMs);
    memory.set(key, times);
    if (isNew) warn(`warning[rate]: how often tools are called is counted for this process alone: \`${statePath(host, name)}\` cannot be written to (${codeOf(error) ?? "error"})\n`);
    return waitMs;
  }
}

/** A clock that was set back makes later calls of now: they count for a whole window more, and no longer. */
function counted(before: readonly number[], { calls, perMs }: Rate, nowMs: number): { readonly waitMs?: number; readonly times: readonly number[] } {
  const recent = before.map((time) => Math.min(time, nowMs)).filter((time) => time > nowMs - perMs).sort((one, other) => one - other).slice(-calls);
  const oldest = recent[0];
  if (recent.length < calls || oldest === undefined) return { times: [...recent, nowMs] };
  return { waitMs: oldest + perMs - nowMs, times: recent };
}

function timesIn(text: string | undefined): readonly number[] {
  try {
    const read: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(read) ? read.filter((time): time is number => typeof time === "number" && Number.isFinite(time)) : [];
  } catch {
    return [];
  }
}
