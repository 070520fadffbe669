// Whether tools may run: a tool runs what the tools run that it stands on, so all of them have to be trusted.
import type { Host } from "../tool/host.ts";
import type { Catalogue } from "./catalogue.ts";
import { standingBelow } from "./standing-below.ts";
import { distrustOf, isCallersWord, type TrustState, trustStateOf } from "./trust.ts";
import type { UntrustedFailure } from "./untrusted.ts";

export async function distrustBelow(
  name: string,
  catalogue: Catalogue,
  host: Host,
): Promise<UntrustedFailure | undefined> {
  for (const one of standingBelow(name, catalogue).names) {
    const content = catalogue.contentOf(one);
    const distrust = content && !isCallersWord(content.folder) ? distrustOf(content, host) : undefined;
    if (content && distrust)
      return (await import("./untrusted.ts")).untrustedFailure(name, { folder: content.folder, distrust, host });
  }
  return undefined;
}

/** Looks at each folder once. */
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

/** As `standingBelow`, from what lists know: whole definitions of thousands of tools are read for nobody. */
function namesBelow(name: string, catalogue: Catalogue): readonly string[] {
  const seen = new Set([name]);
  for (const one of seen) for (const below of catalogue.entry(one)?.standsOn ?? []) seen.add(below);
  return [...seen];
}
