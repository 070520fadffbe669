// What is known of the trust in a tool folder.
import type { ToolTree } from "./tool-tree.ts";

export type TrustState =
  /** `tree` is that of a project's folder at the time of the question. */
  | { readonly isTrusted: true; readonly tree?: ToolTree; readonly part?: PartTrust }
  /** `part` says which files are still trusted, if the folder has changed; where all are, something else is gone. */
  | { readonly isTrusted: false; readonly distrust: Distrust; readonly part?: PartTrust };

/** A folder as it is now, and what was trusted of it. */
export interface PartTrust {
  readonly tree: ToolTree;
  /** What was trusted, by path: the hash of a file, or what another entry is. */
  readonly accepted: Readonly<Record<string, string>>;
  /** The texts that were trusted, by path, as far as they are known. */
  readonly texts?: Readonly<Record<string, string>>;
}

export type Distrust =
  /** It was never trusted, or has changed since. `files`: those that count, as paths in the folder; absent for all. */
  | { readonly reason: "new" | "changed"; readonly files?: readonly string[] }
  /**
   * It cannot be trusted as it is. `at` is the path that prevents it; for `unreadable` it is the end of a sentence that
   * begins with the folder, and `help` says what to do.
   */
  | {
      readonly reason: "unsafe";
      readonly problem: "foreign" | "writable" | "state-inside" | "gone" | "unreadable" | "altered" | "revoked";
      readonly at: string;
      readonly help?: string;
    };
