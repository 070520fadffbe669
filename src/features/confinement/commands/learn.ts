// `dottool sandbox --learn -- CMD`: runs the command in the sandbox, opens what its errors name, and runs it again until
// it succeeds; if nothing was written, it then leaves out each option without which it succeeds, too. It opens by itself only what is to be read
// and holds no keys, and what is to be written in the working folder: a hostile command gets no more of it.
import { allowedBy, shownPath } from "../../../core/base/allowed-by.ts";
import { processEnvironment } from "../../../core/base/process-environment.ts";
import { commandLine } from "../../../core/base/quote.ts";
import { GuardedPlaces } from "../../../core/policy/guarded-places.ts";
import { isWithin, realPath } from "../../../core/policy/real-path.ts";
import { exitCodes, failureExitCode } from "../../../core/run/exit-code.ts";
import { placeOptions } from "../../../core/run/permit.ts";
import { keptText } from "../../../core/run/sandbox-note.ts";
import type { OpenedSession } from "../../../core/session/assemble.ts";
import { printable } from "../../../core/text/display.ts";
import type { Blocked, Confinement } from "../../../core/tool/confinement.ts";
import type { Failure } from "../../../core/tool/failure.ts";
import type { SpawnResult } from "../../../core/tool/host.ts";
import type { CommandContext } from "../../../cli/command.ts";
import { printableLines } from "../../../cli/view/layout.ts";
import { holdsKeysBelow } from "../host/blocked.ts";

/** Of the first search and of what is left out together. */
const RUNS_MAX = 30;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

interface Learning {
  readonly opened: OpenedSession;
  readonly context: CommandContext;
}

export async function learn(argv: readonly string[], given: Confinement, at: Learning): Promise<number> {
  const { output, errors } = at.context.terminal;
  const program = argv[0] ?? "";
  const command = `-- ${commandLine(argv)}`;
  const own: Blocked[] = [];
  let runs = 0;
  const attempt = (added: readonly Blocked[]): Promise<Attempt> => {
    runs++;
    return run(argv, widened(given, added), at);
  };
  let last = await attempt(own);
  const isOwn = (one: Blocked): boolean => own.some(({ kind, name }) => kind === one.kind && name === one.name);
  while (!hasPassed(last.result) && runs < RUNS_MAX) {
    // Most programs end at their last error; those before it may be harmless.
    const next = last.blocked.findLast((one) => !isOwn(one) && mayOpen(one, given, at));
    if (!next) break;
    own.push(next);
    last = await attempt(own);
  }
  const { result } = last;
  if (result.kind !== "exited") return reportNotRun(result, program, at.context);
  if (result.stopped === "aborted") return failureExitCode({ kind: "cancelled" });
  const opened = own
    .map(({ kind, name }) => `\`${printable(shownPath(name, given.folder))}\` to ${kind}`)
    .join(" and ");
  if (!hasPassed(result)) {
    const kept = last.blocked.filter((one) => !isOwn(one));
    // What is to be read and is not open has keys.
    const more = allowedBy(
      kept.filter(({ kind, guard }) => kind !== "read" && guard === undefined),
      given,
    );
    const line = ["dottool sandbox --learn", ...optionsOf(given, []), ...more, command].join(" ");
    errors.write(last.errors);
    errors.write(
      `failed[learn]: \`${printable(program)}\` does not succeed in the sandbox${opened === "" ? "" : `, even with ${opened} open`}\n  = ${
        kept.length === 0
          ? "nothing more is known to be kept from it; compare with `--level none`"
          : `${keptText(kept, { program, folder: given.folder })}, which is open only if you name it${more.length === 0 ? "" : `: \`${line}\``}`
      }\n`,
    );
    return exitCodeOfRun(result, program);
  }
  let fewest: readonly Blocked[] = own;
  // What has written may pass because it has passed before.
  const isPure = given.writes.length === 0 && own.every(({ kind }) => kind === "read");
  for (const one of isPure && own.length > 1 ? own : []) {
    const without = fewest.filter((other) => other !== one);
    if (runs < RUNS_MAX && hasPassed((await attempt(without)).result)) fewest = without;
  }
  const lines = allowedBy([...givenAs(given), ...fewest], { ...given, widenedBy: "annotations" });
  const isStrict = lines.some((line) => !line.startsWith("@permissions"));
  const annotations = isStrict ? lines : ["@sandbox strict", ...lines];
  output.write(`${["dottool sandbox", ...optionsOf(given, fewest), command].join(" ")}\n`);
  output.write(`\nIn a definition:\n\n${annotations.join("\n")}\n`);
  errors.write(`note: it ran ${runs === 1 ? "once" : `${runs} times`}; opened meanwhile: ${opened || "nothing"}\n`);
  return exitCodes.done;
}

interface Attempt {
  readonly result: SpawnResult;
  readonly blocked: readonly Blocked[];
  /** What it wrote to its standard error last. */
  readonly errors: Uint8Array;
}

async function run(
  argv: readonly string[],
  confinement: Confinement,
  { opened: { host, cwd }, context }: Learning,
): Promise<Attempt> {
  let errors = new Uint8Array();
  const result = await host.processes.run({
    ...{ argv, cwd, confinement, signal: context.terminal.signal },
    environment: processEnvironment(host, { declared: {}, inherits: true }),
    outputBytesMax: OUTPUT_BYTES_MAX,
    onOutput: (stream, bytes) => {
      if (stream === "stderr") errors = new Uint8Array([...errors, ...bytes].slice(-ERRORS_SHOWN_BYTES_MAX));
    },
  });
  const blocked = result.kind === "exited" ? result.report?.blocked : undefined;
  return { result, errors, blocked: blocked === undefined || blocked === "unseen" ? [] : blocked };
}

const ERRORS_SHOWN_BYTES_MAX = 4_096;

function hasPassed(result: SpawnResult): boolean {
  return result.kind === "exited" && result.exitCode === 0 && result.stopped === undefined;
}

function widened(given: Confinement, added: readonly Blocked[]): Confinement {
  const names = (kind: Blocked["kind"]): readonly string[] =>
    added.flatMap((one) => (one.kind === kind ? [one.name] : []));
  return { ...given, reads: [...given.reads, ...names("read")], writes: [...given.writes, ...names("write")] };
}

/** Hosts, keys, what other programs obey, and places to write outside the working folder are for a person to name. */
function mayOpen({ kind, name, guard }: Blocked, { folder }: Confinement, { opened }: Learning): boolean {
  if (kind === "host" || guard !== undefined) return false;
  const options = placeOptions(opened.session);
  const places = new GuardedPlaces(options);
  const real = realPath(name, options.host, places.seen);
  if (kind === "write")
    return isWithin(real, realPath(folder, options.host, places.seen)) && places.at(real, "write") === undefined;
  return places.at(real, "read") === undefined && places.below(real) === undefined && !holdsKeysBelow(real);
}

function optionsOf(given: Confinement, added: readonly Blocked[]): readonly string[] {
  return allowedBy([...givenAs(given), ...added], given);
}

/** What a person has named on the command line, as if it had been kept from the command. */
function givenAs({ hosts, writes, reads }: Confinement): readonly Blocked[] {
  const of = (kind: Blocked["kind"], names: readonly string[]): readonly Blocked[] =>
    names.map((name) => ({ kind, name }));
  return [...of("host", hosts), ...of("write", writes), ...of("read", reads)];
}

export async function reportNotRun(
  result: Exclude<SpawnResult, { kind: "exited" }>,
  program: string,
  { terminal }: CommandContext,
): Promise<number> {
  const failure: Failure = result.kind === "busy" ? result : { ...result, program };
  const { failureText } = await import("../../../core/run/failure-text.ts");
  terminal.errors.write(`${printableLines(failureText(failure, { audience: "person", tool: program }))}\n`);
  return failureExitCode(failure);
}

export function exitCodeOfRun({ exitCode, signalName }: SpawnResult & { kind: "exited" }, program: string): number {
  return failureExitCode({
    kind: "exit",
    program,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signalName === undefined ? {} : { signalName }),
  });
}
