// Which calls `log` and `stats` are about, and their times as people write and read them: days are those of the
// machine's time zone.
import { join, sep } from "node:path";
import { type CommandContext, type CommandInput, reportUsage } from "../../cli/command.ts";
import { type OpenedSession, openSession } from "../../cli/session/open-session.ts";
import type { OptionRow } from "../../cli/words/option-words.ts";
import { didYouMean } from "../../core/text/suggest.ts";
import { callers } from "../../core/tool/policy.ts";
import { type LoggedCall, type LogReader, openLog } from "./read-log.ts";

const timeForms = "`90m`, `12h`, `7d`, `today`, `yesterday`, a date as `2026-11-29` or a time as `2026-11-29T14:00`";

export const chooseOptions: readonly OptionRow[] = [
  { name: "since", value: "TIME", does: `only calls after TIME: ${timeForms}` },
  { name: "until", value: "TIME", does: "only calls before TIME, written in the same way" },
  { name: "tool", value: "NAME", does: "only calls of this tool (repeatable)" },
  { name: "caller", value: "WHO", does: `only calls of ${callers.join(", ")}, or a client of \`hook\` (repeatable)` },
  { name: "here", does: "only calls that were made in this directory or below it" },
];

/** Opens the log for the calls that the options choose. Returns an exit code if it cannot; the reason is printed. */
export async function openChosen(
  command: string,
  { input, context }: { readonly input: CommandInput; readonly context: CommandContext },
  onCall: (call: LoggedCall) => void | Promise<void>,
): Promise<{ readonly opened: OpenedSession; readonly log: LogReader } | number> {
  const opened = await openSession(context, { withoutPlugins: true, isQuiet: true });
  if (typeof opened === "number") return opened;
  const { host, cwd } = opened;
  const nowMs = Date.parse(host.timestamp());
  for (const name of ["since", "until"]) {
    const text = input.value(name) ?? "today";
    if (timeOf(text, nowMs) === undefined)
      return reportUsage(context.terminal, `\`--${name}\` must be ${timeForms}; got \`${text}\``, command);
  }
  const sinceMs = timeOf(input.value("since") ?? "", nowMs) ?? Number.NEGATIVE_INFINITY;
  const untilMs = timeOf(input.value("until") ?? "", nowMs) ?? Number.POSITIVE_INFINITY;
  const [tools, whose] = [input.values("tool"), input.values("caller")];
  // A client may have any other name.
  const slip = whose.find((one) => !callers.some((known) => known === one) && didYouMean(one, callers) !== "");
  if (slip !== undefined)
    return reportUsage(context.terminal, `unknown caller \`${slip}\`${didYouMean(slip, callers)}`, command);
  const isChosen = (call: LoggedCall): boolean =>
    call.timeMs >= sinceMs &&
    call.timeMs < untilMs &&
    (tools.length === 0 || tools.includes(call.tool)) &&
    (whose.length === 0 || whose.some((one) => one === call.caller || one === call.client)) &&
    (!input.has("here") || call.cwd === cwd || call.cwd.startsWith(join(cwd, sep)));
  const { signal } = context.terminal;
  return { opened, log: openLog({ host, signal }, (call) => (isChosen(call) ? onCall(call) : undefined)) };
}

export function noCallsText(input: CommandInput): string {
  return [...chooseOptions, { name: "failed" }].some(({ name }) => input.has(name))
    ? "no logged call matches; `dottool log` alone prints the last ones\n"
    : "no calls are logged yet; with `audit: off` in `config.yaml`, those of people never are\n";
}

export function damageText(count: number): string {
  return count === 0
    ? ""
    : `warning[audit]: ${count === 1 ? "1 line" : `${count} lines`} of the log could not be read\n`;
}

const unitsMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Returns a time in milliseconds since 1970. */
function timeOf(text: string, nowMs: number): number | undefined {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return nowMs - Number(count) * unitsMs[unit as keyof typeof unitsMs];
  const midnight = new Date(nowMs);
  midnight.setHours(0, 0, 0, 0);
  if (text === "yesterday") midnight.setDate(midnight.getDate() - 1);
  if (text === "yesterday" || text === "today") return midnight.getTime();
  // `Date` would take a date alone as one of UTC.
  const [, day, time = "T00:00"] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d)?Z?)?$/.exec(text) ?? [];
  const ms = Date.parse(`${day}${time}`);
  return Number.isNaN(ms) ? undefined : ms;
}

// Swedes write them so.
const shownTimes = new Intl.DateTimeFormat("sv", { dateStyle: "short", timeStyle: "medium" });

/** Returns a time as `2026-11-29 14:03:11`. */
export function shownTime(ms: number): string {
  return shownTimes.format(ms);
}

export function durationText(ms: number): string {
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1_000)} s`;
}

export function callerText({ caller, client }: LoggedCall): string {
  return client === undefined ? caller : `${caller} ${client}`;
}
