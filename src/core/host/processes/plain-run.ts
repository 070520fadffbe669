// A process to run as it is, and what runs one in a sandbox, which is a feature.
import type { Confinement } from "../../tool/confinement.ts";
import type { Platform } from "../../tool/command.ts";
import type { ProcessRequest, SpawnRequest, SpawnResult } from "../../tool/host.ts";
import type { RunningProcess } from "./process-start.ts";

export interface PlainRun {
  readonly request: ProcessRequest;
  readonly environment: Readonly<Record<string, string>>;
  /** What the process gets under the numbers from `FIRST_DESCRIPTOR` on. */
  readonly descriptors?: readonly Passed[];
  onStarted?(child: RunningProcess): void;
  /**
   * Whether a sandbox ends what is left of it: then its first process must not get TERM, which would end all at once.
   */
  readonly isContained?: true;
}

/** An open descriptor of this program, a new channel to it, or nothing. */
export type Passed = number | "pipe" | undefined;

export type Run = (run: PlainRun) => Promise<SpawnResult>;

export interface ConfinedRequest {
  readonly request: SpawnRequest & { readonly confinement: Confinement };
  /** The complete environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly platform: Platform;
  /** Where it is stored that the sandbox works here. Absent: nowhere. */
  readonly stateFolder?: string | undefined;
}

declare module "../../tool/feature.ts" {
  interface Parts {
    runConfined: (confined: ConfinedRequest, run: Run) => Promise<SpawnResult>;
  }
}
