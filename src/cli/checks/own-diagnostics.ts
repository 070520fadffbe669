// The diagnostics of the user's own definitions, folders and plugins: those of `--tools`, of the project and of the
// user.
import type { Diagnostic } from "../../text/diagnostic.ts";
import type { OpenedSession } from "../../api/assemble.ts";

/** Leaves out the definitions of the machine and of dottool, which only their owners can fix. */
export async function ownDiagnostics(opened: OpenedSession): Promise<readonly Diagnostic[]> {
  const all = await opened.diagnostics();
  const foreign = new Set(
    opened
      .catalogue()
      .entries.filter(({ scope }) => scope === "builtin" || scope === "global")
      .map(({ path }) => path),
  );
  return all.filter(({ at }) => !at || !foreign.has(at.span.source.path));
}
