// What is about sandboxed commands alone, so that other calls do not load it.
import type { ProcessReport } from "../tool/call.ts";
import type { Confinement, SandboxReport } from "../tool/confinement.ts";
import type { ToolContext } from "../tool/tool.ts";

interface Allowed {
  readonly network: boolean | undefined;
  readonly allow_write: boolean | undefined;
}

/** `network: false` and `allow_write: false` need the sandbox, which takes away the rest of the machine, too. */
export function narrowed({ network, allow_write: mayWrite }: Allowed, { confinement, cwd }: ToolContext): Confinement {
  const own = confinement ?? { level: "strict", folder: cwd, writes: [cwd], reads: [], hosts: ["*"] };
  return {
    ...own,
    ...(network === false ? { hosts: [] } : {}),
    ...(mayWrite === false ? { writes: [] } : {}),
  };
}

/** Returns the parts of a report about what really ran. */
export function reported(
  { sandbox, missing }: SandboxReport,
  confinement: Confinement | undefined,
): Partial<Pick<ProcessReport, "level" | "sandbox" | "missing">> {
  return {
    ...(confinement && sandbox !== "none" ? { level: confinement.level } : {}),
    sandbox,
    ...(missing.length > 0 ? { missing } : {}),
  };
}
