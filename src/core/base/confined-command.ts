// What is about sandboxed commands alone, so that other calls do not load it.
import { basename, normalize, relative } from "node:path";
import { type Outcome, type ProcessReport, outputTextOf } from "../tool/call.ts";
import type { Confinement, SandboxReport, Unconfined } from "../tool/confinement.ts";
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

interface Ran {
  readonly request: { readonly confinement: Confinement | Unconfined };
  readonly context: ToolContext;
}

/** Matches what git says where `.git` is a file of a worktree or a submodule, and names a folder that it does not find. */
const ELSEWHERE = /not a git repository: (\/.+)$/;

/** Adds what it really ran in, and to a failure what the program may have missed. */
export function reported(
  outcome: Outcome,
  { sandbox, missing, programFolder, hidden }: SandboxReport,
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
  };
  if (outcome.status === "ok" || outcome.failure.kind !== "exit") return { ...outcome, process };
  const lines = outputTextOf(process, "stderr").split("\n");
  const denied = lines.filter((line) => /permission denied|EACCES|not permitted/i.test(line));
  const key = hidden?.find((path) => denied.some((line) => line.includes(basename(path))));
  if (key !== undefined) {
    const path = relative(context.cwd, key);
    const help = `\`${path}\` may have keys, so the sandbox hides it; \`@permissions filesystem:read:${path}\` shows it to this tool`;
    return { ...outcome, process, failure: { ...outcome.failure, help: [help] } };
  }
  const repository = lines.map((line) => ELSEWHERE.exec(line)?.[1]).find((path) => path !== undefined);
  if (repository !== undefined) {
    // That of a submodule is named from its own folder.
    const path = normalize(repository).replace(/\/\.git\/worktrees\/[^/]+$/, "/.git");
    const help = `the repository of this folder is \`${path}\`, which the sandbox does not show; \`@permissions filesystem:read:${path}\` shows it to this tool`;
    return { ...outcome, process, failure: { ...outcome.failure, help: [help] } };
  }
  // The user's settings reach only what is confined by them or by a definition.
  if (!programFolder || !context.confinement) return { ...outcome, process };
  const isMissed = lines.some(
    (line) => line.includes(`${programFolder}/`) && /no such file|not found|can(?:no|')t open/i.test(line),
  );
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
