// A sandbox of the user's own: words before the command, such as `docker run …`. What it keeps the command from is
// known to the user alone.
import type { SpawnResult } from "../../../core/tool/host.ts";
import type { ConfinedRequest, Run } from "../../../core/host/processes/plain-run.ts";
import { reported } from "./confined-verdict.ts";

export async function runCustom({ request, environment }: ConfinedRequest, run: Run): Promise<SpawnResult> {
  const { confinement, ...plain } = request;
  const argv = customWords(request.argv, confinement.prefix ?? [], {
    folder: confinement.folder,
    cwd: request.cwd,
    environment,
  });
  const result = await run({ request: { ...plain, argv }, environment });
  return reported(result, {
    sandbox: "partial",
    missing: [`what \`${confinement.prefix?.[0] ?? ""}\` keeps the command from is not known to dottool`],
  });
}

interface CustomPlaces {
  readonly folder: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Variables that belong to this machine, and would be wrong in a container. */
const ofMachine: ReadonlySet<string> = new Set(["PATH", "HOME", "TMPDIR", "USER", "LOGNAME", "SHELL"]);

/**
 * Fills `{folder}` and `{cwd}` in the words of the user; the word `{env}` becomes `-e NAME` for each variable of the
 * tool, whose value the program takes from its own environment.
 */
export function customWords(
  argv: readonly string[],
  prefix: readonly string[],
  { folder, cwd, environment }: CustomPlaces,
): readonly string[] {
  const names = Object.keys(environment).filter((name) => !ofMachine.has(name));
  return [
    ...prefix.flatMap((word) =>
      word === "{env}"
        ? names.flatMap((name) => ["-e", name])
        : [word.replaceAll("{folder}", folder).replaceAll("{cwd}", cwd)],
    ),
    ...argv,
  ];
}
