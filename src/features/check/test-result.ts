// The result of one test of a definition, as data; the command line turns it into text.
import type { OpenedSession } from "../../core/session/assemble.ts";
import type { Expectation } from "../../core/tool/definition.ts";
import type { PluginDiagnostic } from "../../core/tool/loaded-plugins.ts";

export type TestResult = {
  readonly tool: string;
  readonly test: string;
  /** The author's description of the test. */
  readonly description?: string;
  readonly durationMs: number;
} & TestVerdict;

export type TestVerdict =
  | { readonly kind: "passed" }
  | { readonly kind: "failed"; readonly problems: readonly TestProblem[] }
  /** The tool cannot run on this machine. */
  | { readonly kind: "skipped"; readonly reasons: readonly string[] };

export type TestProblem =
  /** `actual` is what there was instead, ready to be shown. */
  | { readonly kind: "expectation"; readonly expectation: Expectation; readonly actual: string }
  /** The call failed, and the test expects neither an exit code nor an error. */
  | { readonly kind: "call"; readonly actual: string }
  /** What a test of a plugin threw, or how it ended. */
  | { readonly kind: "thrown"; readonly actual: string }
  | { readonly kind: "setup" | "cleanup"; readonly command: string; readonly actual: string }
  /** The test's folder, or what there is to read in it. */
  | { readonly kind: "folder"; readonly actual: string };

export interface PluginTestOptions {
  readonly signal: AbortSignal;
  /** Options of this program, before the command. */
  readonly words: readonly string[];
  /** Absolute paths of plugins whose tests are meant; absent for all. */
  readonly plugins?: readonly string[];
  /** Takes what tests print. */
  print(text: string): void;
}

export interface PluginTestResults {
  readonly results: readonly TestResult[];
  /** Of files of tests that do not run. */
  readonly untrusted: readonly PluginDiagnostic[];
}

declare module "../../core/tool/feature.ts" {
  interface Parts {
    /** Runs the tests of plugins. */
    runPluginTests: (opened: OpenedSession, options: PluginTestOptions) => Promise<PluginTestResults>;
  }
}
