// What the commands for packages share: who may change them, for which project, and how a refusal is reported.
import { resolve } from "node:path";
import type { OpenedSession } from "../../core/session/assemble.ts";
import { isInsideRun } from "../../core/catalog/trust.ts";
import { projectFolderOf } from "./place.ts";
import type { PlanOptions } from "./plan.ts";
import { Refusal, type RefusalKind } from "./refusal.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import { printable } from "../../core/text/display.ts";
import { codeOf, refusedPath } from "../../core/tool/error-code.ts";
import type { CommandContext, CommandInput } from "../../cli/command.ts";
import { openSession } from "../../cli/session/open-session.ts";

export interface PackagesSession extends PlanOptions {
  readonly opened: OpenedSession;
}

const exitCodeOf: Readonly<Record<RefusalKind, number>> = {
  definitions: exitCodes.definitions,
  missing: exitCodes.missing,
  denied: exitCodes.denied,
  failed: exitCodes.failed,
};

/** `--user` of these commands. */
export const userOption = { name: "user", does: "for you in every project, instead of for this project" };

/** Runs a change of packages, which only a person may make. */
export async function changePackages(
  command: string,
  { input, context }: { readonly input: CommandInput; readonly context: CommandContext },
  change: (session: PackagesSession) => Promise<number>,
): Promise<number> {
  return readPackages({ input, context }, async (session) => {
    if (!isInsideRun(session.host)) return change(session);
    const fact = `a tool started \`dottool ${command}\`, and only a person may change packages`;
    context.terminal.errors.write(`failed[denied]: ${fact}\n`);
    return exitCodes.denied;
  });
}

/** Runs what only looks at packages. */
export async function readPackages(
  { input, context }: { readonly input: CommandInput; readonly context: CommandContext },
  read: (session: PackagesSession) => Promise<number>,
): Promise<number> {
  const { signal } = context.terminal;
  const opened = await openSession(context, { withoutPlugins: true, isQuiet: true });
  if (typeof opened === "number") return opened;
  const { host, cwd } = opened;
  const folder = input.has("user") ? resolve(host.folders.config) : projectFolderOf(cwd, host);
  return tellingRefusals(context, () => read({ opened, folder, host, signal }));
}

/** Reports a refusal, or an error of a file, as `failed[label]`. */
export async function tellingRefusals(
  { terminal }: CommandContext,
  run: () => Promise<number>,
  label = "package",
): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Refusal) {
      const help = error.help.map((line) => `  = ${printable(line)}\n`).join("");
      terminal.errors.write(`failed[${label}]: ${printable(error.message)}\n${help}`);
      return exitCodeOf[error.kind];
    }
    const code = codeOf(error);
    if (code === undefined) throw error;
    const path = refusedPath(error);
    const fact =
      path === undefined
        ? code === "ENOSPC"
          ? "there is no room left on the disk (ENOSPC)"
          : error instanceof Error
            ? error.message
            : code
        : `\`${path}\` cannot be written or read (${code})`;
    terminal.errors.write(`failed[file]: ${printable(fact)}\n  = what was installed before is installed still\n`);
    return exitCodes.failed;
  }
}
