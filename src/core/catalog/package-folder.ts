// An installed package, and its folder of tools.
import type { TrustState } from "./trust-state.ts";

export interface InstalledPackage {
  /** As in its `package.json`. */
  readonly name: string;
  readonly version: string;
  /** The owner of its tools. */
  readonly owner: string;
  /** The hash of its tree. */
  readonly content: string;
  /** The folder of its definitions within the package; empty for the package itself. */
  readonly tools: string;
  /** Paths of its plugins within the package. */
  readonly plugins: readonly string[];
  /** Its `config.yaml`, if that has rules. */
  readonly rules?: string | undefined;
  /** That of the version that was approved last, if another version was installed since. */
  readonly rulesBefore?: string | undefined;
}

/** A package as a tool folder. */
export interface PackageFolder extends InstalledPackage {
  /** Absolute: the folder of the package itself. */
  readonly root: string;
  /** Whether a person has approved of this content. Otherwise its tools run in the sandbox. */
  readonly isApproved: boolean;
  /** Absolute paths of the plugins that may load: programs outside the sandbox, so none before it is approved. */
  readonly loadedPlugins: readonly string[];
  /** Looks at the present content. */
  trustState(): TrustState;
}

/** `official/translate` is how a tool is called, so a package may be called so too. */
export function packageNameOf(word: string): string {
  return /^[^@/]+\/[^/]+$/.test(word) ? `@${word}` : word;
}
