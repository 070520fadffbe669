// The sandbox of macOS: sandbox-exec(1) with a profile. It has no process namespace: processes that outlive the call
// are found and ended as those of any other call.
import { type Confinement, PROCESSES_MAX } from "../../../core/tool/confinement.ts";
import type { SpawnResult } from "../../../core/tool/host.ts";
import type { ConfinedRequest, Run } from "../../../core/host/processes/plain-run.ts";
import { reported } from "./confined-verdict.ts";
import { GUARDED_NAMES } from "./confined-search.ts";
import { isFile, realPathOf, SANDBOX_EXEC, whyHidden } from "./confined-places.ts";
import { type Engine, type Refused, refused } from "./sandbox-engine.ts";
import { findProgram } from "../../../core/host/processes/process-program.ts";
import { whyNoProgram } from "../../../core/host/processes/process-start.ts";

/** What programs read of the system. `/private/etc` has no passwords of people; `/private/var/db` has time zones. */
const systemFolders = [
  "/usr",
  "/bin",
  "/sbin",
  "/System",
  "/Library/Apple",
  "/Library/Developer/CommandLineTools",
  "/Library/Frameworks",
  "/Library/Fonts",
  "/Library/Java",
  "/opt/homebrew",
  "/private/etc",
  "/private/var/db/dyld",
  "/private/var/db/timezone",
  "/nix/store",
  "/dev",
];

export const seatbelt: Engine = {
  name: "sandbox-exec",
  program: () => (isFile(SANDBOX_EXEC) ? SANDBOX_EXEC : undefined),
  whyNot: ({ hosts }) => (hosts.length > 0 ? "single hosts cannot be allowed on macOS yet" : undefined),
  run: runSeatbelt,
};

async function runSeatbelt(
  { request, environment, platform }: ConfinedRequest,
  run: Run,
): Promise<SpawnResult | Refused> {
  const { confinement, ...plain } = request;
  if (!isFile(SANDBOX_EXEC)) return refused(`\`${SANDBOX_EXEC}\` does not exist on this macOS`);
  const folder = realPathOf(confinement.folder);
  const why = whyHidden(folder);
  if (why !== undefined) return refused(`\`${folder}\` ${why}; run it in a separate folder`);
  const program = findProgram(request.argv[0] ?? "", {
    platform,
    cwd: request.cwd,
    pathVariable: environment["PATH"] ?? "",
  });
  if (program.kind === "refused") return whyNoProgram(program, request.cwd);
  const profile = seatbeltProfile({
    reads: [folder, ...confinement.reads.map(realPathOf), realPathOf(program.path)],
    writes: confinement.writes.map((path) => realPathOf(path.replace(/(.)\/$/, "$1"))),
  });
  const result = await run({
    request: {
      processesMax: PROCESSES_MAX,
      ...plain,
      argv: [SANDBOX_EXEC, "-p", profile, program.path, ...request.argv.slice(1)],
    },
    environment,
  });
  return reported(result, {
    sandbox: "partial",
    missing: ["a process namespace, which macOS does not have", "what is hidden and set aside in folders below"],
  });
}

type ProfilePlaces = Pick<Confinement, "reads" | "writes">;

/** Returns a profile that denies what it does not allow. The paths are real ones: links are not followed. */
export function seatbeltProfile({ reads, writes }: ProfilePlaces): string {
  const folders = [...systemFolders, ...reads, ...writes];
  return `${[
    "(version 1)",
    "(deny default)",
    "(allow process-exec process-fork)",
    "(allow signal (target same-sandbox))",
    "(allow process-info* (target same-sandbox))",
    "(allow sysctl-read)",
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
    "(allow file-read-metadata)",
    `(allow file-read*\n  (literal "/")\n${folders.map((path) => `  (subpath ${quoted(path)})`).join("\n")})`,
    `(allow file-write*\n${['  (literal "/dev/null")', '  (literal "/dev/zero")', '  (literal "/dev/tty")', ...writes.map((path) => `  (subpath ${quoted(path)})`)].join("\n")})`,
    ...writes.flatMap((path) =>
      GUARDED_NAMES.map((name) => `(deny file-write* (subpath ${quoted(`${path}/${name}`)}))`),
    ),
    "(deny network*)",
  ].join("\n")}\n`;
}

/** A string of the profile's language, which is a Scheme. */
function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}
