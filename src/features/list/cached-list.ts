// Caches the list for as long as its dependencies are unchanged: every question that it asked the host is asked again,
// and the answers are only compared. The cache folder has one file per working folder; a file with anything odd in it
// counts as missing.
import { join } from "node:path";
import { isPrivate } from "../../core/catalog/cache.ts";
import { checksumOf } from "../../core/tool/checksum.ts";
import { isAsObserved, type Observations, observe } from "./observed-host.ts";
import { definitionReaderKey } from "../../generated/definition-reader-key.ts";
import { createNodeHost } from "../../core/host/node-host.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import type { Host } from "../../core/tool/host.ts";
import type { Terminal, TerminalPort } from "../../core/tool/terminal.ts";
import type { CommandContext } from "../../cli/command.ts";

type Stream = "output" | "errors";

interface CachedList {
  /** The dependencies of the list besides the host. */
  readonly key: string;
  readonly observations: Observations;
  readonly writes: readonly (readonly [stream: Stream, text: string])[];
}

const LIST_BYTES_MAX = 64 * 1024 * 1024;
/** The number of places. A cached list is in one of them, and another list may replace it. */
const PLACES_MAX = 256;

/**
 * Prints the cached list, or lets `list` print it with the host that it gets, and caches that. Returns the exit code.
 */
export async function withCachedList(
  context: CommandContext,
  list: (context: CommandContext, host: Host) => Promise<number>,
  host = createNodeHost(),
): Promise<number> {
  const cwd = startedIn(context);
  if (cwd === undefined) return list(context, host);
  const key = keyOf(cwd, context, host);
  const path = placeOf(cwd, context, host);
  const cached = readCached(path, key, host);
  if (cached) {
    for (const [stream, text] of cached.writes) context.terminal[stream].write(text);
    return exitCodes.done;
  }
  const { host: observed, observations } = observe(host);
  const writes: [Stream, string][] = [];
  const exitCode = await list({ ...context, terminal: noting(context.terminal, writes) }, observed);
  const seen = exitCode === exitCodes.done ? observations() : undefined;
  if (seen) writeCached(path, { key, observations: seen, writes }, host);
  return exitCode;
}

/** Returns undefined in a folder that was removed. */
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
  { platform, bundle, folders: { home, config, state, cache } }: Host,
): string {
  const formOf = ({ isTerminal, hasColor, columns }: TerminalPort): readonly unknown[] => [
    isTerminal,
    hasColor,
    columns,
  ];
  return JSON.stringify([
    definitionReaderKey,
    runtime,
    platform,
    bundle?.name,
    bundle?.treeSha256,
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

/** Returns the file of the list. A list of another width or version replaces it. */
function placeOf(cwd: string, { terminal }: CommandContext, { folders }: Host): string {
  const sum = checksumOf(new TextEncoder().encode(`${cwd}\0${terminal.output.isTerminal}`));
  return join(folders.cache, "lists", `${Number.parseInt(sum.slice(0, 8), 16) % PLACES_MAX}.list`);
}

function readCached(path: string, key: string, host: Host): CachedList | undefined {
  try {
    if (!isPrivate(host.instant.stat(path), host)) return undefined;
    const bytes = host.instant.readBytes(path, LIST_BYTES_MAX);
    const text = decoded(bytes.subarray(bytes.length / 2));
    if (decoded(bytes.subarray(0, bytes.length / 2)) !== text) return undefined;
    const cached = JSON.parse(text) as CachedList;
    return cached.key === key && isAsObserved(cached.observations, host) ? cached : undefined;
  } catch {
    return undefined;
  }
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Writes the list twice, so that damage shows: a checksum would take 2 ms, a comparison takes nothing. */
function writeCached(path: string, cached: CachedList, host: Host): void {
  try {
    host.instant.replace(path, JSON.stringify(cached).repeat(2));
  } catch {
    // A full disk, a read-only home: the next list is made again.
  }
}

/** Returns the same terminal, which records everything that is written to it. */
function noting(terminal: Terminal, writes: [Stream, string][]): Terminal {
  const notingPort = (stream: Stream): TerminalPort => {
    const port = terminal[stream];
    const write: TerminalPort["write"] = (content) => {
      writes.push([stream, typeof content === "string" ? content : new TextDecoder().decode(content)]);
      return port.write(content);
    };
    return Object.create(port, { write: { value: write } }) as TerminalPort;
  };
  // Not spread: reading `signal` starts listening to signals.
  return Object.create(terminal, {
    output: { value: notingPort("output") },
    errors: { value: notingPort("errors") },
  }) as Terminal;
}
