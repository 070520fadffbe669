// The sandbox of Linux by Landlock, where there are no namespaces: rules for files, a filter of system calls, and no
// rights by programs of root. `dottool-confine` sets them on itself, starts the command, and ends all that it leaves.
import { Buffer } from "node:buffer";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import process from "node:process";
import { PROCESSES_MAX } from "../../../core/tool/confinement.ts";
import { codeOf } from "../../../core/tool/error-code.ts";
import type { SpawnResult } from "../../../core/tool/host.ts";
import type { ConfinedRequest, Run } from "../../../core/host/processes/plain-run.ts";
import { notStarted } from "../../../core/host/processes/process-start.ts";
import { ErrorsOfRun } from "./blocked.ts";
import { confineProgram, confineStatus, writePlan } from "./confine-program.ts";
import { OpenDescriptors, temporary } from "./confined-descriptors.ts";
import { guard, setAside } from "./confined-guards.ts";
import { privatePlaces, removeMade, showPlaces } from "./confined-mounts.ts";
import { homeOf, openPlace, realPathOf } from "./confined-places.ts";
import { reported } from "./confined-verdict.ts";
import { fileRules } from "./landlock-rules.ts";
import { type Engine, type Refused, refused } from "./sandbox-engine.ts";
import { seccompFilter } from "./seccomp-filter.ts";

/** The first that knows truncate(2), in Linux 6.2. */
const VERSION_MIN = 3;
/** The first that knows signals, in Linux 6.12. */
const VERSION_OF_SIGNALS = 6;
const SAID_MAX = 3;

export const landlock: Engine = {
  name: "Landlock",
  program: () => undefined,
  whyNot: ({ hosts }) =>
    hosts.length === 0 ? undefined : "Landlock alone cannot hold `@network`: its rules are ports, not hosts",
  run: runLandlock,
};

async function runLandlock(confined: ConfinedRequest, run: Run): Promise<SpawnResult | Refused> {
  const { request, environment } = confined;
  const { confinement, ...plain } = request;
  const executable = confineProgram();
  const filter = seccompFilter(process.arch, true);
  if (executable === undefined || !filter)
    return refused(
      "Landlock needs `dottool-confine`, which this dottool does not have, or cannot start in the folder for temporary files",
    );
  const open = new OpenDescriptors();
  const made: string[] = [];
  let temporaryFolder: string | undefined;
  let isPrepared = false;
  try {
    const shown = showPlaces(confined, { open, made });
    if (shown.kind !== "shown") return shown;
    const { program } = shown;
    const guards = guard(shown.roots, confinement);
    if (confinement.isPublicOnly && guards.missing.length > 0) return notStarted("hidden", guards.missing.join("; "));
    if (!confinement.privateFolder) temporaryFolder = realPathOf(mkdtempSync(join(tmpdir(), "dottool-private-")));
    const own = confinement.privateFolder ?? temporaryFolder ?? "";
    const places = [...shown.places, ...shown.inner, ...privatePlaces(own, open)];
    const files = fileRules(places, guards, open);
    if (!files)
      return notStarted(
        "hidden",
        "it would take too many rules: beside what is guarded there is too much in one folder",
      );
    const cwd = openPlace(request.cwd);
    if (!cwd) return notStarted("folder-missing", request.cwd);
    const status = open.add(temporary());
    const isOwnHome = confinement.privateFolder === undefined && homeOf(environment) === undefined;
    const home = isOwnHome ? {} : { HOME: join(own, "home") };
    const versionMin = confinement.isPublicOnly ? VERSION_OF_SIGNALS : VERSION_MIN;
    const plan = writePlan(
      {
        versionMin,
        status,
        rules: [...files.rules, ...(request.hasTerminal ? ["v-:/dev/tty"] : [])],
        closes: [],
        alone: {
          filter: open.add(temporary(Buffer.from(filter))),
          cwd: open.add(cwd.descriptor),
          environment: { ...environment, ...home, TMPDIR: join(own, "tmp") },
          writes: places.filter(({ isWritable }) => isWritable).map(({ path }) => path),
          fixed: [...guards.keys, ...guards.fixed],
        },
      },
      open,
    );
    const errors = new ErrorsOfRun(plain);
    isPrepared = true;
    const result = await run({
      request: {
        processesMax: PROCESSES_MAX,
        ...plain,
        argv: [executable, String(plan), program, ...request.argv.slice(1)],
        cwd: "/",
        onOutput: errors.followed(plain.onOutput),
      },
      // It runs outside itself, so nothing of the tool's environment may reach it.
      environment: { DOTTOOL_RUN_ID: environment["DOTTOOL_RUN_ID"] ?? "" },
      descriptors: open.forChild(),
      isContained: true,
    });
    if (result.kind !== "exited" || result.exitCode !== 0) removeMade(made);
    const { version, failure } = confineStatus(open.at(status), program);
    const why = whyNotBegun(result, version, versionMin);
    if (why !== undefined) return refused(why);
    if (failure) return failure;
    return reported(result, {
      sandbox: "partial",
      engines: [landlock.name],
      missing: [
        "Landlock holds it alone, so it can find out which files exist, and their sizes and times",
        ...((version ?? 0) < VERSION_OF_SIGNALS
          ? ["it can send signals to your other processes, before Linux 6.12"]
          : []),
        ...whyClosed(files.closed.map((path) => relative(confinement.folder, path) || ".")),
        ...guards.missing,
        ...setAside(guards),
      ],
      ...(guards.hidden.length > 0 ? { hidden: guards.hidden } : {}),
      ...errors.blocked(result, [], { confined, shown, guards }),
    });
  } catch (error) {
    const code = codeOf(error);
    if (isPrepared || code === undefined) throw error;
    return notStarted("hidden", `it cannot be prepared (${code})`);
  } finally {
    open.close();
    if (temporaryFolder !== undefined) remove(temporaryFolder);
  }
}

/** What the process has closed to itself, such as a folder without rights, stays. */
function remove(own: string): void {
  try {
    rmSync(own, { recursive: true, force: true });
  } catch {
    // It is in the folder for temporary files.
  }
}

/** Returns why nothing can be confined by it here; undefined if the kernel has what is needed. */
function whyNotBegun(result: SpawnResult, version: number | undefined, versionMin: number): string | undefined {
  if (result.kind === "not-started") return `Landlock cannot be used (${result.reason}): ${result.detail}`;
  if (result.kind !== "exited" || result.stopped !== undefined) return undefined;
  if (version === undefined) return "Landlock cannot be used: `dottool-confine` does not start";
  if (version === 0) return "the kernel has no Landlock";
  return version < versionMin
    ? `the kernel has version ${version} of Landlock, and ${versionMin} is needed, which is in Linux ${versionMin === VERSION_MIN ? "6.2" : "6.12"} and later`
    : undefined;
}

function whyClosed(closed: readonly string[]): readonly string[] {
  if (closed.length === 0) return [];
  const shown = closed.slice(0, SAID_MAX).map((path) => `\`${path}\``);
  const more = closed.length > SAID_MAX ? ` and ${closed.length - SAID_MAX} more` : "";
  return [
    `nothing can be made, renamed or removed directly in ${shown.join(", ")}${more}, because of what is guarded there`,
  ];
}
