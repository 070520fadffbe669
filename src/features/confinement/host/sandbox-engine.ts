// What confines processes on a system: bubblewrap, Landlock, or the sandbox of macOS.
import type { ConfinedRequest, Run } from "../../../core/host/processes/plain-run.ts";
import type { Confinement } from "../../../core/tool/confinement.ts";
import type { SpawnResult } from "../../../core/tool/host.ts";

export interface Engine {
  readonly name: string;
  /** Returns the program that it needs; undefined if that is not there. */
  program(): string | undefined;
  /** Returns what it can hold on no machine, or undefined. */
  whyNot(confinement: Confinement): string | undefined;
  run(confined: ConfinedRequest, run: Run): Promise<SpawnResult | Refused>;
}

/** The sandbox does not work on this machine, whatever the command is. */
export type Refused = { readonly kind: "refused"; readonly why: string };

export function refused(why: string): Refused {
  return { kind: "refused", why };
}
