// `dottool list --packages`: the packages of the project and the user's own: what is locked, installed and approved.
import { resolve } from "node:path";
import { isApproved, readInstalled } from "../installed-packages.ts";
import { readLock } from "../lock.ts";
import { projectFolderOf } from "../place.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import type { Host } from "../../../core/tool/host.ts";
import { type CommandContext, type CommandInput, writeJson } from "../../../cli/command.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import { tellingRefusals } from "../packages-session.ts";
import { powersLines } from "../package-text.ts";

interface ListedPackage {
  readonly name: string;
  readonly version: string;
  readonly for: "project" | "user";
  readonly source: string;
  readonly state: "approved" | "sandboxed" | "not installed";
  readonly may: Parameters<typeof powersLines>[0];
}

export async function listPackages(input: CommandInput, context: CommandContext): Promise<number> {
  const opened = await openSession(context, { withoutPlugins: true, isQuiet: true });
  if (typeof opened === "number") return opened;
  const { host, cwd } = opened;
  return tellingRefusals(context, async () => {
    const user = resolve(host.folders.config);
    const project = projectFolderOf(cwd, host);
    const listed = [
      ...(project === user ? [] : packagesIn(project, "project", host)),
      ...packagesIn(user, "user", host),
    ];
    const { output, errors } = context.terminal;
    if (input.has("json")) writeJson(context.terminal, { packages: listed });
    else if (listed.length === 0) errors.write("there are no packages; `dottool add` adds one\n");
    else output.write(listed.map(packageText).join(""));
    return exitCodes.done;
  });
}

function packagesIn(folder: string, whose: ListedPackage["for"], host: Host): readonly ListedPackage[] {
  const installed = new Map(readInstalled(folder, host).packages.map((one) => [one.name, one.content]));
  return [...readLock(folder, host)].map(([name, { version, source, content, may }]) => ({
    name,
    version,
    for: whose,
    source,
    state: installed.get(name) !== content ? "not installed" : isApproved(content, host) ? "approved" : "sandboxed",
    may,
  }));
}

function packageText({ name, version, for: whose, source, state, may }: ListedPackage): string {
  const notes = [
    state === "not installed" ? "not installed: `dottool install` installs it" : state,
    ...(whose === "user" ? ["for you"] : []),
  ];
  const lines = [
    `${name}@${version} from ${source} (${notes.join(", ")})`,
    ...powersLines(may).map((line) => `  ${line}`),
  ];
  return lines.map((line) => `${printable(line)}\n`).join("");
}
