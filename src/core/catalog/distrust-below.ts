// Whether tools may run. A tool runs its dependencies, so all of them have to be trusted.
import { needPart } from "../tool/feature.ts";
import type { Host } from "../tool/host.ts";
import type { Catalogue } from "./catalogue.ts";
import type { InstalledPackage } from "./package-folder.ts";
import { reachableTools } from "./reachable-tools.ts";
import type { TrustState } from "./trust-state.ts";
import { distrustOf, isCallersWord, trustStateOf } from "./trust.ts";
import type { UntrustedFailure } from "./untrusted.ts";

declare module "../tool/feature.ts" {
  interface Parts {
    /** `called` is the tool that was called, and `name` the one of the package that it reaches. */
    unapprovedFailure: (
      called: string,
      name: string,
      options: { readonly catalogue: Catalogue; readonly installed: InstalledPackage },
    ) => UntrustedFailure | undefined;
  }
}

export async function distrustBelow(
  name: string,
  catalogue: Catalogue,
  host: Host,
): Promise<UntrustedFailure | undefined> {
  for (const one of reachableTools(name, catalogue).names) {
    const content = catalogue.contentOf(one);
    const distrust = content && !isCallersWord(content.folder) ? distrustOf(content, host) : undefined;
    if (content && distrust)
      return (await import("./untrusted.ts")).untrustedFailure(name, { folder: content.folder, distrust, host });
    const installed = content?.folder.package;
    const unapproved =
      installed && !installed.isApproved
        ? (await needPart("unapprovedFailure"))(name, one, {
            catalogue,
            installed,
          })
        : undefined;
    if (unapproved) return unapproved;
  }
  return undefined;
}

/** Checks each folder once. */
export function distrustedAmong(names: Iterable<string>, catalogue: Catalogue, host: Host): ReadonlySet<string> {
  const states = new Map<string, TrustState>();
  const known = new Map<string, boolean>();
  const isDistrusted = (name: string): boolean => {
    const content = catalogue.contentOf(name);
    if (!content || isCallersWord(content.folder)) return false;
    const state = states.get(content.folder.path) ?? trustStateOf(content.folder, host);
    states.set(content.folder.path, state);
    return distrustOf(content, host, state) !== undefined;
  };
  const isKnown = (name: string): boolean => {
    const answer = known.get(name) ?? isDistrusted(name);
    known.set(name, answer);
    return answer;
  };
  return new Set([...names].filter((name) => namesBelow(name, catalogue).some(isKnown)));
}

/** Like `reachableTools`, but from what lists know, so that thousands of whole definitions are not read. */
function namesBelow(name: string, catalogue: Catalogue): readonly string[] {
  const seen = new Set([name]);
  for (const one of seen) for (const below of catalogue.entry(one)?.standsOn ?? []) seen.add(below);
  return [...seen];
}
