// Distrust as a failure: the words, the hash and the exact command, which a call that works does not need.
import { basename, dirname } from "node:path";
import { quoteWord } from "../base/quote.ts";
import type { Failure } from "../tool/failure.ts";
import type { Host } from "../tool/host.ts";
import { PROJECT_FOLDER_NAME, type ToolFolder } from "./tool-folders.ts";
import { readTree, type TreeProblem } from "./tool-tree.ts";
import type { Distrust } from "./trust-state.ts";
import { recordTrouble } from "./trust-store.ts";
import { projectRootOf, trustKeyOf } from "./trust.ts";

export type UntrustedFailure = Extract<Failure, { kind: "untrusted" }>;

interface UntrustedOptions {
  readonly folder: Pick<ToolFolder, "scope" | "path">;
  readonly distrust: Distrust;
  readonly host: Host;
}

export function untrustedFailure(
  tool: string,
  { folder: { scope, path }, distrust, host }: UntrustedOptions,
): UntrustedFailure {
  const folder = scope === "project" ? projectRootOf(path) : path;
  if (distrust.reason === "unsafe")
    return { kind: "untrusted", tool, folder, reason: { fact: unsafeFact(distrust) }, help: [unsafeHelp(distrust)] };
  const { reason, files } = distrust;
  const tree = files === undefined ? readTree(folder, { host }) : undefined;
  if (tree && "problem" in tree)
    return {
      kind: "untrusted",
      tool,
      folder,
      reason: { fact: unsafeFact(unreadable(tree)) },
      help: [unsafeHelp(unreadable(tree))],
    };
  const shows = reason === "new" ? "what it could run" : "what has changed";
  const before = reason === "new" ? recordTrouble(trustKeyOf(folder, host), host) : undefined;
  const help = [
    ...(before === undefined ? [] : [before]),
    `\`${trustLine(folder)}\` shows ${shows}, and asks you`,
    "without a terminal, as in CI, set `DOTTOOL_TRUST` to the hash that `dottool trust --show` ends with",
  ];
  return { kind: "untrusted", tool, folder, reason, ...(files ? { files } : {}), help };
}

/** Returns the command that a person types at a terminal, in any folder. */
export function trustLine(toolFolder: string): string {
  return `dottool trust ${quoteWord(basename(toolFolder) === PROJECT_FOLDER_NAME ? dirname(toolFolder) : toolFolder)}`;
}

type Unsafe = Distrust & { reason: "unsafe" };

function unreadable({ problem, help }: TreeProblem): Unsafe {
  return { reason: "unsafe", problem: "unreadable", at: problem, help };
}

/** The end of a sentence that begins with the folder. */
export function unsafeFact({ problem, at }: Unsafe): string {
  switch (problem) {
    case "foreign":
      return `cannot be trusted: \`${at}\` belongs to another user`;
    case "writable":
      return `cannot be trusted: other users can write to \`${at}\``;
    case "state-inside":
      return `cannot be trusted: dottool's state is in the same project, in \`${at}\``;
    case "gone":
      return "no longer exists";
    case "unreadable":
      return `cannot be trusted: it ${at}`;
    case "altered":
      return "is not what was installed there";
    case "revoked":
      return "is a package that is no longer approved";
  }
}

export function unsafeHelp({ problem, at, help = "" }: Unsafe): string {
  switch (problem) {
    case "foreign":
      return `review it, then make it yours: \`sudo chown "$USER" ${quoteWord(at)}\``;
    case "writable":
      return `review it, then \`chmod go-w ${quoteWord(at)}\``;
    case "state-inside":
      return "set XDG_STATE_HOME to a folder outside it";
    case "gone":
      return "run the command again where it is";
    case "unreadable":
      return `${help}, or use the folder anyway: \`--tools DIR\``;
    case "altered":
      return "`dottool install` puts it back";
    case "revoked":
      return "start this program again, so that its tools run in the sandbox";
  }
}
