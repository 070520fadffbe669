// What is about sandboxed commands alone, so that other calls do not load it.
import { type Outcome, type ProcessReport, outputTextOf } from "../tool/call.ts";
import type { Confinement, SandboxReport, Unconfined } from "../tool/confinement.ts";
import type { ToolContext } from "../tool/tool.ts";
import { allowedBy } from "./allowed-by.ts";

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

interface Ran {
  readonly request: { readonly confinement: Confinement | Unconfined };
  readonly context: ToolContext;
}

/** Adds what it really ran in, and to a failure what the program may have missed. */
export function reported(
  outcome: Outcome,
  { sandbox, missing, programFolder, blocked }: SandboxReport,
  { request, context }: Ran,
): Outcome {
  if (!outcome.process) return outcome;
  const confinement = "level" in request.confinement ? request.confinement : undefined;
  const process: ProcessReport = {
    ...outcome.process,
    ...(confinement && sandbox !== "none" ? { level: confinement.level } : {}),
    sandbox,
    ...(missing.length > 0 ? { missing } : {}),
    ...(confinement?.withheld ? { withheld: confinement.withheld } : {}),
    ...(blocked && confinement ? { blocked, ...allowingOf(blocked, confinement) } : {}),
  };
  if (outcome.status === "ok" || outcome.failure.kind !== "exit") return { ...outcome, process };
  // The user's settings reach only what is confined by them or by a definition.
  if (!programFolder || !context.confinement) return { ...outcome, process };
  const isMissed = outputTextOf(process, "stderr")
    .split("\n")
    .some((line) => line.includes(`${programFolder}/`) && /no such file|not found|can(?:no|')t open/i.test(line));
  if (!isMissed) return { ...outcome, process };
  const { home } = context.host.folders;
  const shown = programFolder.startsWith(`${home}/`) ? `~${programFolder.slice(home.length)}` : programFolder;
  return {
    ...outcome,
    process,
    failure: {
      ...outcome.failure,
      help: [
        `the sandbox shows programs and libraries of \`${shown}\`, and nothing else; if it needs more, set \`sandbox: {reads: [${JSON.stringify(shown)}]}\` in your \`config.yaml\``,
      ],
    },
  };
}

function allowingOf(
  blocked: NonNullable<SandboxReport["blocked"]>,
  confinement: Confinement,
): Pick<ProcessReport, "allowedBy"> {
  const lines = blocked === "unseen" ? [] : allowedBy(blocked, confinement);
  return lines.length === 0 ? {} : { allowedBy: lines };
}
