// Whether an engine works on this machine, which is asked where a call may get another one, or none. A
// fixed probe answers, on which no call has any influence. That it works is stored until the machine starts again: a
// call cannot then make it fail for the calls after it, such as by using up all processes.
import { readFileSync, statSync } from "node:fs";
import { release } from "node:os";
import { join } from "node:path";
import { RUN_ID_VARIABLE } from "../../../core/tool/run-id.ts";
import { instantFiles } from "../../../core/host/files/instant-files.ts";
import type { ConfinedRequest, Run } from "../../../core/host/processes/plain-run.ts";
import { HELD_BYTES_MAX } from "./confined-verdict.ts";
import type { Engine } from "./sandbox-engine.ts";

const PROBE_PATH = "/usr/bin:/bin:/run/current-system/sw/bin";
const BOOT_FILE = "/proc/sys/kernel/random/boot_id";

/** Those that have worked since this program began, where that is stored nowhere. */
const working = new Set<Engine>();

/** Returns why not, or undefined if it works. `stateFolder` has the answer of an earlier probe. */
export async function whyEngineFails(
  engine: Engine,
  { request, environment: own, platform, stateFolder }: ConfinedRequest,
  run: Run,
): Promise<string | undefined> {
  const path = stateFolder === undefined ? undefined : join(stateFolder, "sandbox-works");
  const facts = machineFacts(engine);
  if (path === undefined ? working.has(engine) : textOf(path) === facts) return undefined;
  const environment = { PATH: PROBE_PATH, [RUN_ID_VARIABLE]: own[RUN_ID_VARIABLE] ?? "" };
  const probe: ConfinedRequest = {
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
  };
  const result = await engine.run(probe, run);
  if ("why" in result) return result.why;
  if (result.kind === "not-started") return result.detail;
  if (result.kind !== "exited" || result.exitCode !== 0) return undefined;
  working.add(engine);
  if (path !== undefined) store(path, facts);
  return undefined;
}

/** What would have to change for another answer. */
function machineFacts(engine: Engine): string {
  const program = engine.program();
  const stat = program === undefined ? undefined : statSync(program, { throwIfNoEntry: false });
  return `${JSON.stringify([engine.name, program, stat?.ino, stat?.size, stat?.ctimeMs, release(), textOf(BOOT_FILE)?.trim()])}\n`;
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
