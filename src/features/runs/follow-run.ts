// `dottool runs follow` and `dottool runs wait`: both end with the run, and with its exit code.
import { exitCodes } from "../../core/run/exit-code.ts";
import { readRun, type Run } from "./run-record.ts";
import { writeJson } from "../../cli/command.ts";
import type { Host } from "../../core/tool/host.ts";
import { outputOfStep } from "./step-output.ts";
import { cutText, exitCodeOfRun, namedRun, outputPiece, runJson, type RunsPlace } from "./run-facts.ts";

/** The time between two looks at a run. */
const LOOK_MS = 100;

export async function waitForRun(word: string, place: RunsPlace): Promise<number> {
  const named = namedRun(word, place);
  if (typeof named === "number") return named;
  const ended = await whenEnded(named, place, async () => undefined);
  if (!ended) return exitCodes.interrupted;
  if (place.isJson) writeJson(place.context.terminal, runJson(ended, place.host));
  return exitCodeOfRun(ended) ?? exitCodes.failed;
}

export async function followRun(word: string, place: RunsPlace): Promise<number> {
  const named = namedRun(word, place);
  if (typeof named === "number") return named;
  const { host, context, isJson } = place;
  const { terminal } = context;
  const pieces = (["stdout", "stderr"] as const).map((stream) => {
    const decoder = new TextDecoder();
    let offset = 0;
    return async (): Promise<void> => {
      for (;;) {
        const bytes = await outputPiece(named.record.id, { stream, offset }, host);
        if (bytes.length === 0) return;
        offset += bytes.length;
        const content = isJson
          ? `${JSON.stringify({ stream, text: decoder.decode(bytes, { stream: true }) })}\n`
          : bytes;
        await (stream === "stdout" || isJson ? terminal.output : terminal.errors).write(content);
        if (terminal.signal.aborted) return;
      }
    };
  });
  const steps = isJson ? (named.record.steps ?? []).map(({ name }) => stepLines(named.record.id, name, host)) : [];
  const ended = await whenEnded(named, place, async () => {
    for (const print of pieces) await print();
    for (const next of steps) await terminal.output.write(next());
  });
  if (!ended) return exitCodes.interrupted;
  if (isJson) terminal.output.write(`${JSON.stringify({ run: runJson(ended, host) })}\n`);
  else terminal.errors.write(cutText(ended));
  return exitCodeOfRun(ended) ?? exitCodes.failed;
}

/** Returns the lines of JSON for what a step has written since it was last asked. */
function stepLines(id: string, step: string, host: Host): () => string {
  const decoder = new TextDecoder();
  let offset = 0;
  return () => {
    const { from, bytes } = outputOfStep(id, step, host) ?? { from: 0, bytes: new Uint8Array() };
    const missing = Math.max(0, from - offset);
    const text = decoder.decode(bytes.subarray(Math.max(0, offset - from)), { stream: true });
    offset = Math.max(offset, from + bytes.length);
    return text === ""
      ? ""
      : `${JSON.stringify({ step, text, ...(missing === 0 ? {} : { missingBytes: missing }) })}\n`;
  };
}

/** Looks at the run until it has ended, and once more at its output then. Returns undefined on Ctrl-C. */
async function whenEnded(
  run: Run,
  { host, context }: RunsPlace,
  onLook: () => Promise<void>,
): Promise<Run | undefined> {
  const { signal } = context.terminal;
  let found: Run = run;
  while (!signal.aborted) {
    await onLook();
    if (exitCodeOfRun(found) !== undefined) return found;
    await host.sleep(LOOK_MS, signal);
    const read = readRun(run.record.id, host);
    // It was removed, which is done to ended runs only.
    if (!read || !("run" in read)) return { record: run.record, state: "lost" };
    found = read.run;
  }
  return undefined;
}
