// `dottool stats`: the log of calls in numbers.
import { type WordsCommand, writeJson } from "../../../cli/command.ts";
import { padEnd, textColumns, wrap } from "../../../cli/view/layout.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import {
  callerText,
  chooseOptions,
  damageText,
  durationText,
  noCallsText,
  openChosen,
  shownTime,
} from "../choose-calls.ts";
import { addTo, CallCount, type CountsByName } from "../count-calls.ts";

/** The rows of a table for people. */
const ROWS_MAX = 20;
const NAME_COLUMNS_MAX = 40;
const CELL_COLUMNS = 9;

export const statsCommand: WordsCommand = {
  kind: "words",
  usage: ["stats [--since TIME] [--until TIME] [--tool NAME] [--caller WHO] [--here] [--json]"],
  about:
    "Counts the calls in the log by tool, caller and day, and names the tools of this project that had none. " +
    "`repair` counts calls that could not be made as they were written, and whose caller was told how to write them; `refused` those that a rule, a person or a lack of trust kept; `judged` those that `hook` let other agents make or ask about. " +
    "Times are of calls that ran, to within 3 %: half of them took at most `median`, and 95 % at most `p95`. " +
    "`dottool log` prints the calls themselves. `dottool audit` is about packages.",
  options: [...chooseOptions, { name: "json", does: "print as JSON" }],
  words: [0, 0],
  examples: [
    ["dottool stats --since 7d", "the last week"],
    ["dottool stats --here --caller agent", "what agents did in this project"],
  ],
  run: async (input, context) => {
    const { terminal } = context;
    const total = new CallCount();
    const by = { tool: new Map(), caller: new Map(), day: new Map() } satisfies Record<string, CountsByName>;
    let firstMs = Number.POSITIVE_INFINITY;
    const chosen = await openChosen("stats", { input, context }, (call) => {
      firstMs = Math.min(firstMs, call.timeMs);
      total.add(call);
      addTo(by.tool, call.tool, call);
      addTo(by.caller, callerText(call), call);
      addTo(by.day, shownTime(call.timeMs).slice(0, 10), call);
    });
    if (typeof chosen === "number") return chosen;
    const { log, opened } = chosen;
    await log.read(true);
    const uncalled = opened
      .catalogue()
      .entries.filter(({ scope, resolution }) => scope === "project" && resolution.kind === "used")
      .flatMap(({ name }) => (by.tool.has(name) || input.has("tool") ? [] : [name]))
      .sort();
    if (input.has("json"))
      writeJson(terminal, {
        ...(total.calls === 0 ? {} : { since: new Date(firstMs).toISOString() }),
        total: factsOf(total),
        ...Object.fromEntries(Object.entries(by).map(([kind, counts]) => [`by_${kind}`, jsonOf(counts)])),
        uncalled,
        damaged_lines: log.damaged(),
      });
    else if (total.calls > 0) {
      const names = Object.values(by).flatMap((counts) => [...counts.keys()].map(printable));
      const nameColumns = Math.min(NAME_COLUMNS_MAX, Math.max(...names.map((name) => name.length)));
      const tables = Object.entries(by).map(([kind, counts]) => tableOf(kind, counts, nameColumns));
      const lack = `Tools of this project without such a call: ${uncalled.map(printable).join(", ")}`;
      const lacks = uncalled.length === 0 ? [] : [wrap(lack, textColumns(terminal.output.columns))];
      const end = [`The first of these calls was at ${shownTime(firstMs)}.`];
      terminal.output.write(`${[...tables, ...lacks, end].map((lines) => lines.join("\n")).join("\n\n")}\n`);
    } else terminal.errors.write(noCallsText(input));
    terminal.errors.write(damageText(log.damaged()));
    return exitCodes.done;
  },
};

function factsOf(count: CallCount): object {
  return { calls: count.calls, ...count.endings, median_ms: count.msAt(0.5), p95_ms: count.msAt(0.95) };
}

function jsonOf(counts: CountsByName): object {
  return Object.fromEntries(sorted(counts).map(([name, count]) => [name, factsOf(count)]));
}

function sorted(counts: CountsByName): readonly (readonly [string, CallCount])[] {
  return [...counts].sort(([one, { calls }], [other, count]) => count.calls - calls || (one < other ? -1 : 1));
}

const titles = ["CALLS", "FAILED", "REPAIR", "REFUSED", "JUDGED", "MEDIAN", "P95"];

function tableOf(kind: string, counts: CountsByName, nameColumns: number): readonly string[] {
  const all = kind === "day" ? [...counts].sort(([one], [other]) => (one < other ? 1 : -1)) : sorted(counts);
  const rows = all.slice(0, ROWS_MAX).map(([name, count]) => {
    const { failed, repair, refused, judged } = count.endings;
    const times = [0.5, 0.95].map((share) => count.msAt(share)).map((ms) => (ms === undefined ? "" : durationText(ms)));
    return [printable(name), ...[count.calls, failed, repair, refused, judged].map(String), ...times];
  });
  const lines = [[kind.toUpperCase(), ...titles], ...rows].map(([name = "", ...cells]) =>
    [padEnd(name, nameColumns), ...cells.map((cell) => cell.padStart(CELL_COLUMNS))].join("").trimEnd(),
  );
  return all.length > ROWS_MAX ? [...lines, `… and ${all.length - ROWS_MAX} more with \`--json\``] : lines;
}
