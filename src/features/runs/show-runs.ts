// `dottool runs` and `dottool runs show`.
import { callLine } from "../../core/run/call-line.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import { readSteps } from "./journal-file.ts";
import { readRun, type Run, type RunRecord, runFile, runIds } from "./run-record.ts";
import type { Host } from "../../core/tool/host.ts";
import { stepsOfRun } from "./run-steps.ts";
import { writeJson } from "../../cli/command.ts";
import { cut, padEnd, printableLines, rows } from "../../cli/view/layout.ts";
import { agoText, namedRun, runJson, type RunsPlace, sizeOf, stateTexts } from "./run-facts.ts";

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

export function showRun(word: string, place: RunsPlace): number {
  const run = namedRun(word, place);
  if (typeof run === "number") return run;
  const { host, context, isJson } = place;
  if (isJson) writeJson(context.terminal, { ...runJson(run, host), steps: stepsOfRun(run, host) });
  else context.terminal.output.write(runText(run, place));
  return exitCodes.done;
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
