// Counts recent calls of a tool by all processes of this user together: a list of times in the state folder, changed
// under a lock. A call that cannot be counted is refused.
import { codeOf } from "../tool/error-code.ts";
import type { Host, WriteLock } from "../tool/host.ts";
import type { Rate } from "../tool/rate.ts";
import { readState, type StateFile, statePath, withState, writeState } from "../store/state-file.ts";

export interface RateCheck {
  /** The tool, and the rule if one has a rate. */
  readonly key: string;
  readonly rate: Rate;
}

type RateAnswer =
  | { readonly kind: "counted" }
  /** `waitMs` is the time until the next call is allowed. */
  | { readonly kind: "too-often"; readonly waitMs: number }
  /** The count is not known. `reason` is a whole clause. */
  | { readonly kind: "unknown"; readonly reason: string; readonly help: string };

const FORMAT = { name: "rates", version: 2 };

interface Waiting {
  readonly check: RateCheck;
  settle(answer: Promise<RateAnswer>): void;
}

/**
 * Calls of this process that wait for the same file are counted together: for 300 calls, a lock and a synced file each
 * would take seconds.
 */
const waitingFor = new WeakMap<Host["shared"], Map<string, Waiting[]>>();

/** Counts the call if it is allowed. */
export async function countCall(check: RateCheck, host: Host): Promise<RateAnswer> {
  const name = `rates/${host.sha256(check.key).slice(0, 32)}.json`;
  const all = waitingFor.get(host.shared) ?? new Map<string, Waiting[]>();
  waitingFor.set(host.shared, all);
  const waiting = all.get(name);
  const isFirst = waiting === undefined;
  const answer = new Promise<RateAnswer>((resolve) => {
    const own: Waiting = { check, settle: resolve };
    if (isFirst) all.set(name, [own]);
    else waiting.push(own);
  });
  if (isFirst) await countAll({ name, format: FORMAT }, all, host);
  return answer;
}

async function countAll(file: StateFile, all: Map<string, Waiting[]>, host: Host): Promise<void> {
  let counted: readonly Waiting[] = [];
  try {
    await withState(host, file, async (lock) => {
      counted = all.get(file.name) ?? [];
      all.delete(file.name);
      const answers = await countUnder(
        lock,
        counted.map(({ check }) => check),
        { file, host },
      );
      for (const [index, { settle }] of counted.entries())
        settle(Promise.resolve(answers[index] ?? uncounted(statePath(host, file.name), "EIO", host)));
    });
  } catch (error) {
    const code = codeOf(error);
    const failed = [...counted, ...(counted.length === 0 ? (all.get(file.name) ?? []) : [])];
    if (counted.length === 0) all.delete(file.name);
    const answer = (): Promise<RateAnswer> =>
      code === undefined
        ? Promise.reject(error as Error)
        : Promise.resolve(uncounted(statePath(host, file.name), code, host));
    for (const { settle } of failed) settle(answer());
  }
}

function uncounted(path: string, code: string, { folders }: Host): RateAnswer {
  if (code === "EBUSY")
    return {
      kind: "unknown",
      reason: `other processes of dottool have held \`${path}.lock\` for too long`,
      help: "call again later",
    };
  if (code === "ENEWER")
    return {
      kind: "unknown",
      reason: `\`${path}\` was written by a newer dottool`,
      help: `use that version, or remove \`${path}\``,
    };
  return {
    kind: "unknown",
    reason: `\`${path}\` cannot be written to (${code})`,
    help: `free space or fix the permissions in \`${folders.state}\`, or set XDG_STATE_HOME to a writable folder`,
  };
}

interface Counting {
  readonly file: StateFile;
  readonly host: Host;
}

/** The answers are valid once they are on the disk. */
async function countUnder(
  lock: WriteLock,
  checks: readonly RateCheck[],
  { file, host }: Counting,
): Promise<readonly RateAnswer[]> {
  const nowMs = Date.parse(host.timestamp());
  const read = readState(host, file);
  if (read.kind === "newer") return checks.map(() => uncounted(statePath(host, file.name), "ENEWER", host));
  if (read.kind === "unusable") {
    const { state } = host.folders;
    return checks.map(() => ({
      kind: "unknown",
      reason: `\`${statePath(host, file.name)}\` ${read.trouble}`,
      help: `make \`${state}\` and everything in it writable only by you, for example with \`chmod -R go-w\`, or set XDG_STATE_HOME to another folder`,
    }));
  }
  const found = read.kind === "absent" ? [] : read.kind === "text" ? timesIn(read.text) : undefined;
  if (!found) {
    const path = statePath(host, file.name);
    return checks.map(() => ({
      kind: "unknown",
      reason: `\`${path}\` ${"trouble" in read ? read.trouble : "is damaged"}`,
      help: "remove it to count from now on",
    }));
  }
  let times = found;
  const answers: RateAnswer[] = [];
  for (const { rate } of checks) {
    const next = countOne(times, rate, nowMs);
    answers.push(next.answer);
    times = next.times;
  }
  await writeState(host, file, { text: JSON.stringify({ times }), lock });
  return answers;
}

/** If the clock was set back, later calls count as made now: for one whole window, and no longer. */
function countOne(
  times: readonly number[],
  { calls, perMs }: Rate,
  nowMs: number,
): { readonly answer: RateAnswer; readonly times: readonly number[] } {
  const recent = times
    .map((time) => Math.min(time, nowMs))
    .filter((time) => time > nowMs - perMs)
    .sort((one, other) => one - other)
    .slice(-calls);
  const oldest = recent[0];
  if (recent.length < calls || oldest === undefined) return { answer: { kind: "counted" }, times: [...recent, nowMs] };
  return { answer: { kind: "too-often", waitMs: oldest + perMs - nowMs }, times: recent };
}

/** Returns undefined for a damaged file. */
function timesIn(text: string): readonly number[] | undefined {
  try {
    const { times } = JSON.parse(text) as { readonly times?: unknown };
    return Array.isArray(times) && times.every((time) => Number.isFinite(time)) ? times : undefined;
  } catch {
    return undefined;
  }
}
