// `dottool log`: the calls that were made, a line each, the newest last.
import type { CommandContext, CommandInput, WordsCommand } from "../../../cli/command.ts";
import { jsonLine } from "../../../cli/view/json-text.ts";
import { cut, padEnd } from "../../../cli/view/layout.ts";
import { callLine } from "../../../core/run/call-line.ts";
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
import type { LoggedCall } from "../read-log.ts";

/** How many are printed without `--since`. */
const LAST_CALLS = 50;
/** The time between two looks at the log. */
const LOOK_MS = 250;

export const logCommand: WordsCommand = {
  kind: "words",
  usage: ["log [--since TIME] [--until TIME] [--tool NAME] [--caller WHO] [--failed] [--here] [--follow] [--json]"],
  about:
    `Prints the calls that were made on this machine, by people, models and other agents: the last ${LAST_CALLS}, or all since TIME, the newest last. ` +
    "Each line has the time, the caller, how the call ended, how long it took, and the call; a call that a step made says of which tool. Secrets are masked, as in the log itself. " +
    "The log is `audit.jsonl` in the state folder, with four older files of 10 MiB; `audit: off` in `config.yaml` leaves out the calls of people. `dottool stats` counts calls. `dottool audit` is about packages.",
  options: [
    ...chooseOptions,
    { name: "failed", does: "only calls that did not end well, and those that were refused" },
    { name: "follow", short: "f", does: "go on with new calls as they end, until Ctrl-C" },
    { name: "json", does: "print each call as a line of JSON, with all that the log has" },
  ],
  words: [0, 0],
  examples: [
    ["dottool log --caller agent --since yesterday --until today", "what agents ran yesterday"],
    ["dottool log --failed --since 1d", "what did not work since this time yesterday"],
    ["dottool log --follow --here", "watch the calls in this project"],
  ],
  run: async (input, context) => {
    const print = printer(input, context);
    const held: LoggedCall[] = [];
    let hasAny = false;
    let isHolding = !input.has("since");
    const chosen = await openChosen("log", { input, context }, (call) => {
      if (input.has("failed") && (call.ending === "ok" || call.ending === "judged")) return;
      hasAny = true;
      if (!isHolding) return print(call);
      if (held.push(call) > LAST_CALLS) held.shift();
    });
    if (typeof chosen === "number") return chosen;
    const { log, opened } = chosen;
    const { signal } = context.terminal;
    await log.read(!input.has("follow"));
    isHolding = false;
    for (const call of held) await print(call);
    if (!hasAny) context.terminal.errors.write(noCallsText(input));
    while (input.has("follow") && !signal.aborted) {
      await opened.host.sleep(LOOK_MS, signal);
      await log.read(false);
    }
    context.terminal.errors.write(damageText(log.damaged()));
    return exitCodes.done;
  },
};

function printer(input: CommandInput, { terminal: { output } }: CommandContext): (call: LoggedCall) => Promise<void> {
  const isJson = input.has("json");
  return async (call) => {
    const line = isJson ? jsonLine(call.line) : lineOf(call);
    await output.write(`${output.isTerminal && !isJson ? cut(line, output.columns - 1) : line}\n`);
  };
}

function lineOf(logged: LoggedCall): string {
  const { timeMs, tool, parent, arguments: args, status, durationMs } = logged;
  // Arguments that were too long to be logged are a text.
  const call = typeof args === "string" ? `${tool} ${args}` : callLine(tool, args).replace(/^dottool /, "");
  const cells = [
    shownTime(timeMs),
    padEnd(printable(callerText(logged)), 8),
    padEnd(printable(status), 17),
    durationText(durationMs).padStart(7),
    printable(parent === undefined ? call : `${call}  (step of ${parent})`),
  ];
  return cells.join("  ");
}
