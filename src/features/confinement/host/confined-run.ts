// Runs a process in a sandbox: in the first engine of its system that works on this machine.
import { notStarted } from "../../../core/host/processes/process-start.ts";
import type { ConfinedRequest, Run } from "../../../core/host/processes/plain-run.ts";
import type { Platform } from "../../../core/tool/command.ts";
import type { Confinement } from "../../../core/tool/confinement.ts";
import type { SpawnResult } from "../../../core/tool/host.ts";
import { realPathOf, whyHidden } from "./confined-places.ts";
import { reported } from "./confined-verdict.ts";
import { type Engine, refused } from "./sandbox-engine.ts";
import { whyEngineFails } from "./sandbox-works.ts";

export async function runConfined(confined: ConfinedRequest, run: Run): Promise<SpawnResult> {
  const { request, environment, platform } = confined;
  const { confinement, ...plain } = request;
  if (confinement.level === "custom") {
    const { runCustom } = await import("./custom-sandbox.ts");
    return runCustom(confined, run);
  }
  const engines = await enginesOf(platform, confinement);
  if (confinement.isBestEffort || confinement.isUnasked) {
    const why = await whyNone(engines, confined, run);
    const isFree = why !== undefined || (confinement.isUnasked && whyHidden(realPathOf(confinement.folder)));
    if (isFree) {
      const result = await run({ request: plain, environment });
      return why === undefined || confinement.isUnasked
        ? result
        : reported(result, { sandbox: "none", missing: [why] });
    }
  }
  return runInFirst(engines, confined, run);
}

/** Those of a system, the one that holds most first; or why there is none. */
async function enginesOf(platform: Platform, { isUnasked }: Confinement): Promise<readonly Engine[] | string> {
  if (platform === "macos") return [(await import("./seatbelt.ts")).seatbelt];
  if (platform !== "linux") return "there is no sandbox for Windows";
  if ("Deno" in globalThis) return "Deno cannot pass open files to a process";
  const [{ bubblewrap }, { landlock }] = await Promise.all([import("./bubblewrap.ts"), import("./landlock.ts")]);
  // Who did not ask for it gets none in which less works than without it.
  return isUnasked ? [bubblewrap] : [bubblewrap, landlock];
}

async function runInFirst(
  engines: readonly Engine[] | string,
  confined: ConfinedRequest,
  run: Run,
): Promise<SpawnResult> {
  if (typeof engines === "string") return notStarted("sandbox", engines);
  const reasons: string[] = [];
  for (const engine of engines) {
    const isLast = engine === engines.at(-1);
    const why =
      engine.whyNot(confined.request.confinement) ?? (isLast ? undefined : await whyEngineFails(engine, confined, run));
    const result = why === undefined ? await engine.run(confined, run) : refused(why);
    if (!("why" in result)) return result;
    // Where it works for others, the command or its definition is the reason, and gets no engine that holds less.
    if (why === undefined && (await whyEngineFails(engine, confined, run)) === undefined)
      return notStarted("hidden", result.why);
    reasons.push(result.why);
  }
  return notStarted("sandbox", together(reasons));
}

/** Returns why no engine can hold the call; undefined if one can. */
async function whyNone(
  engines: readonly Engine[] | string,
  confined: ConfinedRequest,
  run: Run,
): Promise<string | undefined> {
  if (typeof engines === "string") return engines;
  const reasons: string[] = [];
  for (const engine of engines) {
    const why = engine.whyNot(confined.request.confinement) ?? (await whyEngineFails(engine, confined, run));
    if (why === undefined) return undefined;
    reasons.push(why);
  }
  return together(reasons);
}

function together(reasons: readonly string[]): string {
  return reasons.join("; nor does what would take its place work: ");
}
