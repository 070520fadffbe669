// `dottool runs` and `dottool runs show`.
import { callLine } from "../../core/run/call-line.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import { readSteps } from "./journal-file.ts";
import { readRun, type Run, type RunRecord, runFile, runIds } from "./run-record.ts";
import type { Host } from "../../core/tool/host.ts";
import { outputOfStep, pageOutput, type StoredOutput, textOf } from "./step-output.ts";
import { stepsOfRun } from "./run-steps.ts";
import { printable } from "../../core/text/display.ts";
import { didYouMean } from "../../core/text/suggest.ts";
import { writeJson } from "../../cli/command.ts";
import { cut, padEnd, printableLines, rows } from "../../cli/view/layout.ts";
import { agoText, cutText, namedRun, runJson, type RunsPlace, sizeOf, stateTexts } from "./run-facts.ts";

/** What a person sees of a failed step before they ask for more. */
const FAILED_LINES_MAX = 20;
const FAILED_CHARACTERS_MAX = 8_000;

export function listRuns({ host, context: { terminal }, isJson }: RunsPlace): number {
  const read = runIds(host).flatMap((id) => readRun(id, host) ?? []);
  const runs = read.flatMap((one) => ("run" in one ? [one.run] : []));
  for (const one of read)
    if (!("run" in one)) terminal.errors.write(`warning[runs]: \`${printableLines(one.path)}\` ${one.trouble}\n`);
  if (isJson) writeJson(terminal, { runs: runs.map((run) => runJson(run, host)) });
  else if (runs.length === 0) terminal.errors.write("there are no runs; `dottool --detach NAME` starts one\n");
  else {
    const nowMs = Date.parse(host.timestamp());
    const table = [
      ["ID", "STATE", "STARTED", "CALL"],
      ...runs.map(({ record, state }) => [
        record.id,
        state,
        `${agoText(nowMs - Date.parse(record.startedAt))} ago`,
        printableLines(lineOf(record)).replaceAll("\n", " "),
      ]),
    ];
    const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => (row[column] ?? "").length)));
    for (const row of table) {
      const line = row
        .map((cell, column) => padEnd(cell, widths[column] ?? 0))
        .join("  ")
        .trimEnd();
      terminal.output.write(`${terminal.output.isTerminal ? cut(line, terminal.output.columns - 1) : line}\n`);
    }
  }
  return exitCodes.done;
}

/** Returns the call as a person would type it, without `dottool`. */
function lineOf(record: RunRecord): string {
  return callLine(record.tool, record.arguments).replace(/^dottool /, "");
}

/** `step` is the name of the step whose output is printed in place of the run. */
export function showRun(word: string, step: string | undefined, place: RunsPlace): Promise<number> | number {
  const run = namedRun(word, place);
  if (typeof run === "number") return run;
  const { host, context, isJson } = place;
  if (step !== undefined) return showStep(run, step, place);
  const failed = run.end?.failedStep;
  const first = failed === undefined ? undefined : outputOfStep(run.record.id, failed, host);
  if (isJson)
    writeJson(context.terminal, {
      ...(first ? { failedOutput: endOf(textOf(first)).shown } : {}),
      ...runJson(run, host),
      steps: stepsOfRun(run, host),
    });
  else
    context.terminal.output.write(
      `${failed === undefined ? "" : failedText(run, failed, first)}${runText(run, place)}`,
    );
  return exitCodes.done;
}

/** Prints what a step has written up to now, byte for byte. */
async function showStep(run: Run, name: string, { host, context: { terminal }, isJson }: RunsPlace): Promise<number> {
  const { id } = run.record;
  const steps = stepsOfRun(run, host);
  const step = steps.find((one) => one.name === name);
  if (!step) {
    const names = steps.map((one) => one.name);
    terminal.errors.write(
      `failed[runs]: the run has no step \`${printable(name)}\`${didYouMean(name, names)}\n  = ${names.length === 0 ? "its tool has no steps" : `it has ${names.join(", ")}`}\n`,
    );
    return exitCodes.missing;
  }
  const output = outputOfStep(id, name, host);
  if (isJson)
    writeJson(terminal, {
      run: id,
      ...step,
      ...(run.end?.cutSteps?.includes(name) ? { isCut: true } : {}),
      ...(output ? pageOutput(output) : {}),
    });
  else if (!output) terminal.errors.write(`no output of \`${name}\` is stored; its state is ${step.state}\n`);
  else {
    if (output.from > 0)
      terminal.errors.write(`${output.from.toLocaleString("en")} bytes before this are not stored\n`);
    await terminal.output.write(output.bytes);
  }
  // Of a killed run, a step that had ended is whole.
  if (!isJson && (run.end || step.endedAt === undefined)) terminal.errors.write(cutText(run, name));
  return exitCodes.done;
}

/** The lines are indented, so that none is taken for one of ours. */
function failedText({ record: { id } }: Run, step: string, output: StoredOutput | undefined): string {
  if (!output || output.bytes.length === 0) return `\`${step}\` failed, and wrote nothing\n\n`;
  const { shown, isWhole } = endOf(textOf(output));
  const all = isWhole && output.from === 0 ? "" : `; \`dottool runs show ${id} ${step}\` prints more`;
  return `\`${step}\` failed, and wrote${all}\n${printableLines(shown).replace(/^/gm, "  ")}\n\n`;
}

function endOf(text: string): { readonly shown: string; readonly isWhole: boolean } {
  const whole = text.trimEnd();
  const shown = whole.slice(-FAILED_CHARACTERS_MAX).toWellFormed().split("\n").slice(-FAILED_LINES_MAX).join("\n");
  return { shown, isWhole: shown.length === whole.length };
}

function runText({ record, state, end }: Run, { host, context }: RunsPlace): string {
  const { id, cwd, startedAt, processId, secrets, served } = record;
  const isDetached = host.instant.stat(runFile(id, "stdout", host)) !== undefined;
  const sizes = (["stdout", "stderr"] as const).map((file) => `${sizeOf(id, file, host)} bytes of ${file}`);
  const steps = stepsText(id, host);
  const facts: (readonly [string, string])[] = [
    ["call", `${callLine(record.tool, record.arguments)}${secrets ? " (its secrets are not stored)" : ""}`],
    ...(served ? [["caller", "a client of `dottool mcp`"] as const] : []),
    ["folder", cwd],
    ["state", `${stateTexts[state]}${state === "running" ? `, process ${processId}` : ""}`],
    ...(end ? [["exit code", String(end.exitCode)] as const] : []),
    ["started", startedAt],
    ...(end ? [["ended", `${end.endedAt}, after ${(end.durationMs / 1000).toFixed(1)} s`] as const] : []),
    ...(isDetached ? [["output", sizes.join(", ")] as const] : []),
    ...(steps === "" ? [] : [["steps", steps] as const]),
    ...(end?.message === undefined ? [] : [["message", end.message] as const]),
  ];
  const lines = rows(
    facts.map(([name, text]) => [name, printableLines(text)] as const),
    { columns: context.terminal.output.columns, indent: 2, nameColumnsMax: 10 },
  );
  return `${id}\n${lines.map((line) => `${line}\n`).join("")}`;
}

/** Says which steps have ended, and which began and must not run twice. */
function stepsText(id: string, host: Host): string {
  const stored = readSteps(id, host);
  if ("brokenLine" in stored) return `line ${stored.brokenLine} of steps.jsonl is damaged`;
  const { outcomes, unknown } = stored;
  return [
    ...(outcomes.size === 0 ? [] : [`${[...outcomes.keys()].join(", ")} ended`]),
    ...(unknown.size === 0 ? [] : [`${[...unknown].join(", ")} may have run`]),
  ].join("; ");
}
