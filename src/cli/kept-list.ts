// The list as it was said last, for as long as all that it hangs on is as it was then: what was asked of the host for
// it is asked again, and nothing is made of the answers. Kept in the cache folder, a file for each folder that was
// worked in; whatever is odd about one means that there is none.
import { join } from "node:path";
import { isPrivate } from "../catalog/cache.ts";
import { checksumOf } from "../tool/checksum.ts";
import { isAsObserved, type Observations, observe } from "../catalog/observed-host.ts";
import { frontEndKey } from "../generated/front-end-key.ts";
import { createNodeHost } from "../host/node-host.ts";
import { exitCodes } from "../run/exit-code.ts";
import type { Host } from "../tool/host.ts";
import type { Terminal, TerminalPort } from "../tool/terminal.ts";
import type { CommandContext } from "./command.ts";

type Stream = "output" | "errors";

interface KeptList {
  /** What it hangs on beside the host. */
  readonly key: string;
  readonly observations: Observations;
  readonly writes: readonly (readonly [stream: Stream, text: string])[];
}

const LIST_BYTES_MAX = 64 * 1024 * 1024;
/** So many lists are kept at most: each has one place to be, where another may take its turn. */
const PLACES_MAX = 256;

/**
 * Says the list that is kept, or else lets `list` say it with the host that it is given, and keeps that. Gives the exit
 * code.
 */
export async function withKeptList(
  context: CommandContext,
  list: (context: CommandContext, host: Host) => Promise<number>,
  host = createNodeHost(),
): Promise<number> {
  const cwd = startedIn(context);
  if (cwd === undefined) return list(context, host);
  const key = keyOf(cwd, context, host);
  const path = placeOf(cwd, context, host);
  const kept = readKept(path, key, host);
  if (kept) {
    for (const [stream, text] of kept.writes) context.terminal[stream].write(text);
    return exitCodes.done;
  }
  const { host: observed, observations } = observe(host);
  const writes: [Stream, string][] = [];
  const exitCode = await list({ ...context, terminal: noting(context.terminal, writes) }, observed);
  const seen = exitCode === exitCodes.done ? observations() : undefined;
  if (seen) writeKept(path, { key, observations: seen, writes }, host);
  return exitCode;
}

/** Undefined in a folder that is gone. */
function startedIn({ terminal }: CommandContext): string | undefined {
  try {
    return terminal.workingFolder();
  } catch {
    return undefined;
  }
}

function keyOf(
  cwd: string,
  { terminal: { runtime, output, errors }, options }: CommandContext,
  { platform, folders: { home, config, state, cache } }: Host,
): string {
  const formOf = ({ isTerminal, hasColor, columns }: TerminalPort): readonly unknown[] => [
    isTerminal,
    hasColor,
    columns,
  ];
  return JSON.stringify([
    frontEndKey,
    runtime,
    platform,
    home,
    config,
    state,
    cache,
    cwd,
    options,
    formOf(output),
    formOf(errors),
  ]);
}

/** Another width or another version takes the place of what was there. */
function placeOf(cwd: string, { terminal }: CommandContext, { folders }: Host): string {
  const sum = checksumOf(new TextEncoder().encode(`${cwd}\0${terminal.output.isTerminal}`));
  return join(folders.cache, "lists", `${Number.parseInt(sum.slice(0, 8), 16) % PLACES_MAX}.list`);
}

function readKept(path: string, key: string, host: Host): KeptList | undefined {
  try {
    if (!isPrivate(host.instant.stat(path), host)) return undefined;
    const bytes = host.instant.readBytes(path, LIST_BYTES_MAX);
    const text = decoded(bytes.subarray(bytes.length / 2));
    if (decoded(bytes.subarray(0, bytes.length / 2)) !== text) return undefined;
    const kept = JSON.parse(text) as KeptList;
    return kept.key === key && isAsObserved(kept.observations, host) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Twice, so that damage shows: to sum it up would take a list 2 ms, and to compare takes nothing. */
function writeKept(path: string, kept: KeptList, host: Host): void {
  try {
    host.instant.replace(path, JSON.stringify(kept).repeat(2));
  } catch {
    // A full disk, a read-only home: the next list is made again.
  }
}

/** The same terminal, and all that is written to it. */
function noting(terminal: Terminal, writes: [Stream, string][]): Terminal {
  const notingPort = (stream: Stream): TerminalPort => {
    const port = terminal[stream];
    const write: TerminalPort["write"] = (content) => {
      writes.push([stream, typeof content === "string" ? content : new TextDecoder().decode(content)]);
      return port.write(content);
    };
    return Object.create(port, { write: { value: write } }) as TerminalPort;
  };
  // Not spread: to ask for `signal` is to listen to signals.
  return Object.create(terminal, {
    output: { value: notingPort("output") },
    errors: { value: notingPort("errors") },
  }) as Terminal;
}
