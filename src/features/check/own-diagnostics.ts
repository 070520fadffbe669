// The diagnostics of the user's own definitions, folders and plugins: those of `--tools`, of the project and of the
// user.
import type { Scope } from "../../core/tool/definition.ts";
import type { Diagnostic } from "../../core/text/diagnostic.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";

/** Whether only others can change its definitions: those who made the executable, or administer the machine. */
export function isMadeElsewhere(scope: Scope): boolean {
  return scope === "builtin" || scope === "bundle" || scope === "global";
}

/** Leaves out the definitions that were made elsewhere. */
export async function ownDiagnostics(opened: OpenedSession): Promise<readonly Diagnostic[]> {
  const all = await opened.diagnostics();
  const foreign = new Set(
    opened
      .catalogue()
      .entries.filter(({ scope }) => isMadeElsewhere(scope))
      .map(({ path }) => path),
  );
  return all.filter(({ at }) => !at || !foreign.has(at.span.source.path));
}
