// The sandbox of Linux by bubblewrap: builds the command, follows it, and says what it really ran in. Everything that the
// sandbox is made of goes to bubblewrap through descriptors: nothing of it is visible in a list of processes, and no
// file can be exchanged between the look and the use.
import { openSync } from "node:fs";
import process from "node:process";
import type { Duplex } from "node:stream";
import { BWRAP_PLACES, type Confinement, PROCESSES_MAX, type SandboxReport } from "../../../core/tool/confinement.ts";
import { codeOf } from "../../../core/tool/error-code.ts";
import type { SpawnResult } from "../../../core/tool/host.ts";
import { ErrorsOfRun } from "./blocked.ts";
import { confineProgram, type ConfineStatus, confineStatus, writePlan } from "./confine-program.ts";
import { hasExitCode, OpenDescriptors, temporary, zeroEnded } from "./confined-descriptors.ts";
import { guard, setAside } from "./confined-guards.ts";
import { privatePlaces, removeMade, showPlaces, type Visible } from "./confined-mounts.ts";
import { bwrapAt, repaired } from "./bwrap-version.ts";
import { bwrapWords, type Mount, selfCheckIn } from "./bwrap-words.ts";
import { folderOfProgram, homeOf, isFile, isWithin, systemPlaces } from "./confined-places.ts";
import { HELD_BYTES_MAX, HeldErrors, verdict, whyNotExecuted } from "./confined-verdict.ts";
import { type Engine, type Refused, refused } from "./sandbox-engine.ts";
import { limitInside } from "../../../core/host/processes/process-limits.ts";
import { notStarted, type RunningProcess } from "../../../core/host/processes/process-start.ts";
import { randomId } from "../../../core/host/random-id.ts";
import type { ConfinedRequest, Run } from "../../../core/host/processes/plain-run.ts";
import { seccompFilter } from "./seccomp-filter.ts";

export const bubblewrap: Engine = {
  name: "bubblewrap",
  program: () => BWRAP_PLACES.find(isFile),
  whyNot: () => undefined,
  run: runBubblewrap,
};

async function runBubblewrap(confined: ConfinedRequest, run: Run): Promise<SpawnResult | Refused> {
  const path = BWRAP_PLACES.find(isFile);
  if (path === undefined)
    return refused("bubblewrap is not installed; install the package `bubblewrap`, which has the program `bwrap`");
  const bwrap = bwrapAt(path);
  // A new one for each start, so that no process knows it.
  const lock = bwrap.followsLinks ? `/.${randomId()}` : undefined;
  const result = await attempt(confined, { bwrap: path, lock, run, byDescriptor: true });
  if (!("why" in result)) return result;
  if (lock !== undefined && result.why.includes(selfCheckIn(lock))) {
    repaired(bwrap);
    return attempt(confined, { bwrap: path, run, byDescriptor: true });
  }
  // A bubblewrap without the fix of CVE-2024-42472, or older still.
  return /Unknown option --((ro-)?bind-fd|chmod)/.test(result.why)
    ? attempt(confined, { bwrap: path, run, byDescriptor: false })
    : result;
}

interface Attempt {
  readonly bwrap: string;
  /** Set for a bubblewrap that follows links: see `BwrapPlan`. */
  readonly lock?: string | undefined;
  readonly run: Run;
  /** Whether places are passed as open descriptors. */
  readonly byDescriptor: boolean;
}

async function attempt(
  confined: ConfinedRequest,
  { bwrap, lock, run, byDescriptor }: Attempt,
): Promise<SpawnResult | Refused> {
  const open = new OpenDescriptors();
  const made: string[] = [];
  let network: Network | undefined;
  let isPrepared = false;
  try {
    const { request, environment } = confined;
    const { confinement, ...plain } = request;
    const shown = showPlaces(confined, { open, made });
    if (shown.kind !== "shown") return shown;
    const { program } = shown;
    const guards = guard(shown.roots, confinement, open);
    const mountOf = ({ descriptor, path, inside, isWritable }: Visible): Mount => ({
      path: inside,
      from: byDescriptor ? open.add(descriptor) : path,
      isWritable,
    });
    const filter = seccompFilter(process.arch);
    if (!filter && !confinement.isBestEffort)
      return refused(`the numbers of system calls on ${process.arch} are not known, so none can be forbidden`);
    const status = open.add(temporary());
    const { privateFolder: ownFolder } = confinement;
    const own = ownFolder === undefined ? [] : privatePlaces(ownFolder, open, { home: PRIVATE_HOME, tmp: "/tmp" });
    network = confinement.hosts.length === 0 ? undefined : await openNetwork(confinement, open);
    const [{ files, ...places }, home] = [systemPlaces(), homeOf(environment)];
    const words = bwrapWords({
      ...places,
      home,
      mounts: [
        ...own.filter(({ inside }) => !shown.places.some((one) => isWithin(one.inside, inside))).map(mountOf),
        ...files.flatMap((path) => copied(path, open)),
        ...shown.places.map(mountOf),
        ...(network?.mounts.filter(({ path }) => !shown.places.some(({ inside }) => isWithin(path, inside))) ?? []),
      ],
      inner: [...shown.inner, ...guards.places].map(mountOf),
      lock,
      environment: { ...insideEnvironment(environment, confinement), ...network?.environment },
      cwd: request.cwd,
      hasTerminal: request.hasTerminal === true && isTerminal(),
      filter: filter && open.add(temporary(filter)),
      status,
    });
    const wall = secondWall([...shown.places, ...shown.inner, ...own], { open, home });
    const options = open.add(temporary(zeroEnded(words)));
    const held = new HeldErrors(request);
    const errors = new ErrorsOfRun(plain);
    const command = [program, ...request.argv.slice(1)];
    // The relay needs more memory than a small program.
    const { memoryBytesMax: _memory, cpuMsMax: _cpu, ...unlimited } = plain;
    isPrepared = true;
    const result = await run({
      request: {
        processesMax: PROCESSES_MAX,
        ...(network ? unlimited : plain),
        argv: [
          ...[bwrap, "--args", String(options), "--", ...wall.words],
          ...(network ? [...network.words, ...limitInside(command, request)] : command),
        ],
        cwd: "/",
        onOutput: errors.followed((stream, bytes) => held.take(stream, bytes)),
      },
      // bubblewrap itself runs outside, so nothing of the tool's environment may reach it.
      environment: { DOTTOOL_RUN_ID: environment["DOTTOOL_RUN_ID"] ?? "" },
      descriptors: open.forChild(),
      ...(network ? { onStarted: network.attach } : {}),
      isContained: true,
    });
    const missing = [...unheld(filter !== undefined, byDescriptor), ...guards.missing, ...setAside(guards)];
    const [programFolder] = shown.alone.flatMap(folderOfProgram);
    const told = wall.status(program);
    const report: SandboxReport = {
      sandbox: "full",
      missing,
      engines: [bubblewrap.name, ...(told.version ? ["Landlock"] : [])],
      ...(guards.hidden.length > 0 ? { hidden: guards.hidden } : {}),
      ...errors.blocked(result, network?.refused() ?? [], { confined, shown, guards }),
      ...(programFolder === undefined ? {} : { programFolder }),
    };
    if (result.kind !== "exited" || result.exitCode !== 0) removeMade(made);
    // The reason went to the terminal. It is asked for again, because the program has not started.
    if (plain.hasTerminal && !hasExitCode(open.at(status)) && isUnexplained(result))
      return await attempt(withoutTerminal(confined), { bwrap, lock, run, byDescriptor });
    const failure = network?.failure();
    if (failure !== undefined) return whyNotExecuted(failure, program);
    const hasRun = hasExitCode(open.at(status));
    return told.failure ?? (await verdict(result, { held, report, hasRun, program, lock }));
  } catch (error) {
    const code = codeOf(error);
    if (isPrepared || code === undefined) throw error;
    return notStarted("hidden", `it cannot be prepared (${code})`);
  } finally {
    network?.close();
    open.close();
  }
}

function unheld(hasFilter: boolean, byDescriptor: boolean): readonly string[] {
  return [
    ...(hasFilter ? [] : ["a filter of system calls: their numbers are not known on this machine"]),
    ...(byDescriptor ? [] : ["protection from links that change while it starts: this bubblewrap is too old"]),
  ];
}

/** Where a private home folder is inside. The person's own is empty, but for the working folder. */
const PRIVATE_HOME = "/home/private";

interface SecondWall {
  /** Before the command: none where `dottool-confine` is missing. */
  readonly words: readonly string[];
  status(program: string): ConfineStatus;
}

/** Landlock within bubblewrap: whatever else a fault of that one would show inside, only this can be written. */
function secondWall(
  places: readonly Visible[],
  { open, home }: { readonly open: OpenDescriptors; readonly home: string | undefined },
): SecondWall {
  const executable = confineProgram();
  if (executable === undefined) return { words: [], status: () => ({ version: undefined, failure: undefined }) };
  const program = open.add(openSync(executable, "r"));
  const status = open.add(temporary());
  const written = places.filter(({ isWritable }) => isWritable).map(({ descriptor }) => open.add(descriptor));
  const own = ["-:/proc", "-:/tmp", ...(home === undefined ? [] : [`-:${home}`]), ...written.map((one) => `${one}:`)];
  const plan = writePlan(
    { status, rules: ["r-:/", "v-:/dev", ...own.map((one) => `w${one}`)], closes: [program, status, ...written] },
    open,
  );
  return {
    words: [`/proc/self/fd/${program}`, String(plan)],
    status: (command) => confineStatus(open.at(status), command),
  };
}

/** A file that this user may not read does not exist inside. */
function copied(path: string, open: OpenDescriptors): readonly Mount[] {
  try {
    return [{ path, from: open.add(openSync(path, "r")), isWritable: false, isContent: true }];
  } catch {
    return [];
  }
}

interface Network {
  readonly mounts: readonly Mount[];
  readonly environment: Readonly<Record<string, string>>;
  /** The words before the command. */
  readonly words: readonly string[];
  attach(child: RunningProcess): void;
  failure(): string | undefined;
  refused(): readonly string[];
  close(): void;
}

async function openNetwork(confinement: Confinement, open: OpenDescriptors): Promise<Network> {
  const [{ networkFiles, proxyEnvironment, relayWords }, { openProxy }] = await Promise.all([
    import("./confined-network.ts"),
    import("./filtering-proxy.ts"),
  ]);
  const { paths, contents } = networkFiles();
  // Only a call with such secrets loads what makes certificates.
  const standIns = confinement.standIns && (await import("./stand-ins.ts")).openStandIns(confinement.standIns);
  const proxy = openProxy(confinement, standIns);
  const channel = open.add("pipe");
  return {
    mounts: [
      ...paths.map((path) => ({ path, from: path, isWritable: false })),
      ...[...contents, ...(standIns?.files ?? [])].map(([path, content]) => ({
        path,
        from: open.add(temporary(content)),
        isWritable: false,
        isContent: true as const,
      })),
    ],
    environment: { ...proxyEnvironment(), ...standIns?.environment },
    words: [...relayWords(), "run", String(channel)],
    attach: ({ stdio }) => proxy.attach(stdio[channel] as Duplex),
    failure: () => proxy.failure(),
    refused: () => proxy.refused(),
    close: () => {
      proxy.close();
      standIns?.close();
    },
  };
}

function isUnexplained(result: SpawnResult): boolean {
  return result.kind === "exited" && result.exitCode !== undefined && result.stopped === undefined;
}

function withoutTerminal({ request, ...confined }: ConfinedRequest): ConfinedRequest {
  const { hasTerminal: _hasTerminal, ...rest } = request;
  return { ...confined, request: { ...rest, outputBytesMax: HELD_BYTES_MAX, onOutput: () => undefined } };
}

/** The folder for temporary files inside is always /tmp. */
function insideEnvironment(
  environment: Readonly<Record<string, string>>,
  { privateFolder }: Confinement,
): Readonly<Record<string, string>> {
  const isSet = environment["TMPDIR"] !== undefined;
  const home = privateFolder === undefined ? {} : { HOME: PRIVATE_HOME };
  return { ...environment, ...home, ...(isSet ? { TMPDIR: "/tmp" } : {}) };
}

/** Whether keys such as Ctrl-Z should reach the process. */
function isTerminal(): boolean {
  return process.getBuiltinModule("node:tty").isatty(0);
}
