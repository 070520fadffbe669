// A stored run as people and programs see it: found by its id, as JSON, and as text.
import { readRun, type Run, runFile, runIds, type RunState } from "./run-record.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import { printable } from "../../core/text/display.ts";
import { didYouMean } from "../../core/text/suggest.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host } from "../../core/tool/host.ts";
import type { CommandContext } from "../../cli/command.ts";

export interface RunsPlace {
  readonly host: Host;
  readonly context: CommandContext;
  readonly isJson: boolean;
}

/** The exit code of a run without one: a shell's for SIGKILL. */
const LOST_EXIT_CODE = 137;

export const stateTexts: Readonly<Record<RunState, string>> = {
  running: "running",
  lost: "lost: it ended without a result, because it was killed or the machine stopped",
  done: "done",
  failed: "failed",
  cancelled: "cancelled",
};

/** The fewest characters that name a run by the beginning or end of its id, if no other id has them there. */
const PART_CHARACTERS_MIN = 4;
const SHOWN_IDS = 3;

/** Returns the ids that a word may mean. */
export function idsFor(word: string, ids: readonly string[]): readonly string[] {
  if (ids.includes(word) || word.length < PART_CHARACTERS_MIN) return ids.filter((id) => id === word);
  return ids.filter((id) => id.startsWith(word) || id.endsWith(word));
}

/** Returns the run that the words name, or an exit code; the reason has been printed. */
export function namedRun(word: string, { host, context: { terminal } }: RunsPlace): Run | number {
  const ids = runIds(host);
  // One that was killed before its record was stored is no run yet.
  const meant = word === "last" ? ids.filter((one) => readRun(one, host) !== undefined).slice(0, 1) : idsFor(word, ids);
  const id = meant[0] ?? (word === "last" ? undefined : word);
  if (meant.length > 1) {
    terminal.errors.write(
      `failed[runs]: \`${printable(word)}\` is the beginning or the end of ${meant.length} ids: ${meant
        .slice(0, SHOWN_IDS)
        .map((one) => `\`${one}\``)
        .join(", ")}${meant.length > SHOWN_IDS ? ", …" : ""}\n  = write more of the id\n`,
    );
    return exitCodes.missing;
  }
  const isThere = id !== undefined && ids.includes(id);
  const read = isThere
    ? (readRun(id, host) ?? { path: runFile(id, "run.json", host), trouble: "is missing" })
    : undefined;
  if (read && "run" in read) return read.run;
  terminal.errors.write(
    read
      ? `failed[runs]: \`${printable(read.path)}\` ${read.trouble}\n  = \`dottool runs prune ${id}\` removes the run\n`
      : `failed[runs]: ${id === undefined ? "there are no runs" : `there is no run \`${printable(id)}\`${didYouMean(id, ids)}`}\n  = \`dottool runs\` lists them; \`dottool --detach NAME\` starts one\n`,
  );
  return read ? exitCodes.failed : exitCodes.missing;
}

/** Says what lacks the end of its output; empty: nothing. */
export function cutText({ state, end }: Run, step?: string): string {
  if (state === "lost") return "the run was killed, so the end of the output may be missing\n";
  const cut = (end?.cutSteps ?? []).filter((name) => step === undefined || name === step);
  return cut.map((name) => `the end of the output of \`${name}\` could not be stored, and is missing\n`).join("");
}

/** Returns undefined as long as it runs. */
export function exitCodeOfRun({ state, end }: Run): number | undefined {
  if (state === "running") return undefined;
  return end?.exitCode ?? LOST_EXIT_CODE;
}

export function runJson({ record, state, end }: Run, host: Host): object {
  const { id, tool, cwd, startedAt, processId, secrets, served } = record;
  const { status: _state, ...ended } = end ?? {};
  return {
    id,
    state,
    tool,
    arguments: record.arguments,
    ...(secrets ? { secrets } : {}),
    ...(served ? { isServed: true } : {}),
    cwd,
    startedAt,
    ...(state === "running" ? { processId } : {}),
    ...ended,
    stdout: { path: runFile(id, "stdout", host), sizeBytes: sizeOf(id, "stdout", host) },
    stderr: { path: runFile(id, "stderr", host), sizeBytes: sizeOf(id, "stderr", host) },
  };
}

export function sizeOf(id: string, file: "stdout" | "stderr", host: Host): number {
  return host.instant.stat(runFile(id, file, host))?.sizeBytes ?? 0;
}

const PIECE_BYTES_MAX = 256 * 1024;

/** Returns the next piece of what a run printed. The output of a call that was not detached is not stored. */
export async function outputPiece(
  id: string,
  { stream, offset }: { readonly stream: "stdout" | "stderr"; readonly offset: number },
  host: Host,
): Promise<Uint8Array> {
  try {
    return await host.files.readBytes(runFile(id, stream, host), { offset, lengthMax: PIECE_BYTES_MAX });
  } catch (error) {
    if (codeOf(error) === "ENOENT") return new Uint8Array();
    throw error;
  }
}

/** `5 s`, `2 min`, `3 h`, `4 d`. */
export function agoText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}
