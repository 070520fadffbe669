// The tool folders whose tools do not run because they are not trusted, for commands that list tools and folders.
import { sep } from "node:path";
import { isCallersWord, projectRootOf } from "../catalog/trust.ts";
import { trustLine, unsafeFact, unsafeHelp } from "../catalog/untrusted.ts";
import type { OpenedSession } from "./assemble.ts";
import type { Distrust, TrustState } from "../catalog/trust-state.ts";

export interface UntrustedFolder {
  /** Absolute. */
  readonly path: string;
  readonly shownPath: string;
  readonly distrust: Distrust;
  readonly state: TrustState;
}

/** Returns the untrusted folders that are not empty. */
export function untrustedFolders({
  catalogue,
  host,
}: Pick<OpenedSession, "catalogue" | "host">): readonly UntrustedFolder[] {
  return catalogue().folders.flatMap((folder) => {
    const { entries, plugins } = catalogue();
    const holdsAny =
      plugins.some((plugin) => plugin.folder.path === folder.path) ||
      entries.some(({ path }) => path.startsWith(folder.shownPath + sep));
    if (isCallersWord(folder) || !host.instant.stat(folder.path) || !holdsAny) return [];
    const state = catalogue().trustOf(folder);
    if (state.isTrusted) return [];
    const path = folder.scope === "project" ? projectRootOf(folder.path) : folder.path;
    return [
      {
        path,
        shownPath: folder.shownPath.slice(0, folder.shownPath.length - (folder.path.length - path.length)),
        distrust: state.distrust,
        state,
      },
    ];
  });
}

/** Whether nothing of it is trusted; otherwise single files have changed. */
export function isWholly({ distrust }: UntrustedFolder): boolean {
  return distrust.reason === "unsafe" || distrust.files === undefined;
}

/** `fact` is the end of a sentence that begins with the folder. */
export function untrustedWords({ path, distrust }: UntrustedFolder): { readonly fact: string; readonly help: string } {
  if (distrust.reason === "unsafe") return { fact: unsafeFact(distrust), help: unsafeHelp(distrust) };
  const isNew = distrust.reason === "new";
  const files =
    distrust.files?.length === 1
      ? `: \`${distrust.files[0]}\``
      : distrust.files
        ? ` in ${distrust.files.length} files`
        : "";
  return {
    fact: isNew ? "is not trusted yet" : `has changed since it was trusted${files}`,
    help: `\`${trustLine(path)}\` shows ${isNew ? "what they could run" : "what has changed"}, and asks you`,
  };
}
