// Whether the sandbox works on this machine, which is asked only for what may run without one where it does not. A
// fixed probe answers, on which no call has any influence. That it works is stored until the machine starts again: a
// call cannot then make it fail for the calls after it, such as by using up all processes.
import { readFileSync, statSync } from "node:fs";
import { release } from "node:os";
import { join } from "node:path";
import { BWRAP_PLACES } from "../../../core/tool/confinement.ts";
import type { SpawnResult } from "../../../core/tool/host.ts";
import { RUN_ID_VARIABLE } from "../../../core/tool/run-id.ts";
import { instantFiles } from "../../../core/host/files/instant-files.ts";
import type { ConfinedRequest } from "../../../core/host/processes/plain-run.ts";
import { isFile, SANDBOX_EXEC } from "./confined-places.ts";
import { HELD_BYTES_MAX, type Refused } from "./confined-verdict.ts";

const PROBE_PATH = "/usr/bin:/bin:/run/current-system/sw/bin";
const BOOT_FILE = "/proc/sys/kernel/random/boot_id";

type RunStrict = (confined: ConfinedRequest) => Promise<SpawnResult | Refused>;

/** Returns why not, or undefined if it works. `stateFolder` has the answer of an earlier probe. */
export async function whyNoSandbox(
  { request, environment: own, platform, stateFolder }: ConfinedRequest,
  runStrict: RunStrict,
): Promise<string | undefined> {
  const path = stateFolder === undefined ? undefined : join(stateFolder, "sandbox-works");
  const facts = machineFacts();
  if (path !== undefined && textOf(path) === facts) return undefined;
  const environment = { PATH: PROBE_PATH, [RUN_ID_VARIABLE]: own[RUN_ID_VARIABLE] ?? "" };
  const result = await runStrict({
    platform,
    environment,
    request: {
      argv: ["true"],
      cwd: "/usr",
      environment,
      signal: request.signal,
      outputBytesMax: HELD_BYTES_MAX,
      onOutput: () => undefined,
      confinement: { level: "strict", folder: "/usr", writes: [], reads: [], hosts: [] },
    },
  });
  if ("why" in result) return result.why;
  if (result.kind === "not-started") return result.detail;
  if (result.kind === "exited" && result.exitCode === 0 && path !== undefined) store(path, facts);
  return undefined;
}

/** What would have to change for another answer. */
function machineFacts(): string {
  const program = [...BWRAP_PLACES, SANDBOX_EXEC].find(isFile);
  const stat = program === undefined ? undefined : statSync(program, { throwIfNoEntry: false });
  return `${JSON.stringify([program, stat?.ino, stat?.size, stat?.ctimeMs, release(), textOf(BOOT_FILE)?.trim()])}\n`;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Where it cannot be stored, the next program asks again. */
function store(path: string, facts: string): void {
  try {
    instantFiles.replace(path, facts);
  } catch {
    // The answer holds for this call all the same.
  }
}
