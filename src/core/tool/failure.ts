// Why a call did not do what was asked: a closed union of data, worded only in ../run/failure-text.ts.
import type { ArgumentIssue } from "../schema/argument-issue.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Verdict } from "./policy.ts";
import type { Rate } from "./rate.ts";

export type { ArgumentIssue };

export type Failure =
  /**
   * `suggested` is a call of one of the nearest tools that fits what was sent. `withheld` says which values its call
   * would lack, so that there is none. `known` are all names, if none is near and they are few.
   */
  | {
      readonly kind: "unknown-tool";
      readonly name: string;
      readonly nearest: readonly string[];
      readonly suggested?: SuggestedCall;
      readonly withheld?: { readonly tool: string; readonly names: readonly string[] };
      readonly known?: readonly string[];
    }
  /**
   * `example` are arguments that would work, as near to the caller's as possible. It is absent if none are known, or
   * policy forbids them, or if a tool that changes something would lack the values in `losses`. `placeholders` are the
   * paths in it that the caller has to fill in.
   */
  | {
      readonly kind: "invalid-arguments";
      readonly tool: string;
      readonly issues: readonly ArgumentIssue[];
      readonly example?: JsonObject;
      readonly placeholders?: readonly string[];
      readonly losses?: Losses;
    }
  /** `said`: what the person said who was asked. */
  | { readonly kind: "denied"; readonly tool: string; readonly verdict: Verdict; readonly said?: string }
  /**
   * `folder` is the absolute path of the tool folder that it is from. `files` are the files in it that are new or have
   * changed; absent for the whole folder.
   */
  | {
      readonly kind: "untrusted";
      readonly tool: string;
      readonly folder: string;
      readonly reason: UntrustedReason;
      readonly files?: readonly string[];
      readonly help: readonly string[];
    }
  /**
   * The definition has errors or cannot be read, so there is no tool. `mistake` is the first error, if the caller may
   * know it.
   */
  | { readonly kind: "definition"; readonly tool: string; readonly mistake?: DefinitionMistake }
  | { readonly kind: "removed"; readonly tool: string }
  /**
   * The definition is fine, but not here: a platform, an executable or a tool is missing. `untold` are further reasons
   * that models are not told: words of others that no person has accepted.
   */
  | {
      readonly kind: "unavailable";
      readonly tool: string;
      readonly reasons: readonly string[];
      readonly untold?: readonly string[];
      readonly help?: readonly string[];
    }
  | {
      readonly kind: "exit";
      readonly program: string;
      readonly exitCode?: number;
      readonly signalName?: string;
      readonly help?: readonly string[];
    }
  | {
      readonly kind: "not-started";
      readonly program: string;
      readonly reason: NotStartedReason;
      readonly detail: string;
    }
  | { readonly kind: "timeout"; readonly limitMs: number; readonly help?: readonly string[] }
  | { readonly kind: "cancelled" }
  /** `by` is `@limit`, or the place of a rule. */
  | {
      readonly kind: "too-often";
      readonly tool: string;
      readonly rate: Rate;
      readonly waitMs: number;
      readonly by: string;
    }
  | { readonly kind: "busy"; readonly waiting: number }
  | { readonly kind: "too-deep"; readonly path: readonly string[]; readonly depthMax: number }
  /** `unit` as in "104857600 bytes of output". */
  | { readonly kind: "limit"; readonly limit: number; readonly unit: string; readonly help: readonly string[] }
  | {
      readonly kind: "file";
      readonly path: string;
      readonly action: "read" | "write" | "list" | "find" | "remove" | "open";
      readonly code: string;
      readonly help?: readonly string[];
    }
  | { readonly kind: "network"; readonly url: string; readonly reason: string; readonly help: readonly string[] }
  /**
   * The tool understood the call and cannot do it. `reason` is a fact about the world, such as "`foo` is not in
   * `a.txt`".
   */
  | { readonly kind: "rejected"; readonly reason: string; readonly help: readonly string[] }
  /** The tool's result does not match its definition. */
  | {
      readonly kind: "wrong-result";
      readonly tool: string;
      readonly issues: readonly ArgumentIssue[];
      /** How the author of its file fixes it. Absent: it is not from a file. */
      readonly help?: readonly string[];
    }
  /**
   * Sandboxed code failed. `line` and `column` count from 1 in the code as its author wrote it; `message` is the
   * engine's, or the value that was returned. `isOfCall`: it threw after its last call out of the sandbox had failed.
   */
  | {
      readonly kind: "code-failed";
      readonly problem: CodeProblem;
      readonly message: string;
      readonly line?: number;
      readonly column?: number;
      readonly isOfCall?: true;
      readonly help: readonly string[];
    }
  | { readonly kind: "step-failed"; readonly step: string; readonly tool: string; readonly cause: Failure }
  | { readonly kind: "crashed"; readonly tool: string; readonly error: Error };

/**
 * `new`: the project is not trusted. `changed`: it has changed since it was trusted. `fact`: the obstacle, as the end
 * of a sentence that begins with the folder.
 */
type UntrustedReason = "new" | "changed" | { readonly fact: string };

/** Help for the author of a file that limits its calls. */
export const LONGER_LIMIT = "set a longer limit with `@timeout` in the definition";

/** Data of a diagnostic. */
export interface DefinitionMistake {
  /** `PATH:LINE:COLUMN`. If nothing of the file can be read, the message has the path alone. */
  readonly place?: string;
  readonly code: string;
  readonly message: string;
  readonly help: readonly string[];
  /** The number of further errors. */
  readonly more: number;
}

export interface SuggestedCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  /** See `invalid-arguments`. */
  readonly placeholders: readonly string[];
  readonly losses?: Losses;
}

/** What a suggested call lacks of the one that was sent. Empty lists are possible. */
export interface Losses {
  /** The sent names whose values are not in the suggestion. */
  readonly leftOut: readonly string[];
  /** The parameters whose values are others than those sent. */
  readonly changed: readonly string[];
  /** Set if a list was given for one value: the suggestion has its first item, and each of `count` needs a call. */
  readonly each?: { readonly name: string; readonly count: number };
}

/**
 * `syntax`: it cannot be parsed. `thrown`: it threw. `no-json`: it returned something that JSON cannot hold.
 * `unsettled`: it waits for a promise that never settles.
 */
export type CodeProblem = "syntax" | "thrown" | "no-json" | "unsettled" | "wrong-type";

/**
 * `program-missing`: the name is not on PATH. `file-missing`: a program given as a path does not exist. `sandbox`: the
 * sandbox that is asked for does not work here. `hidden`: it works, and would hide what the process needs.
 */
export type NotStartedReason =
  | "program-missing"
  | "file-missing"
  | "folder-missing"
  | "not-executable"
  | "batch-file"
  | "too-large"
  | "sandbox"
  | "hidden"
  | "system";
