// What a detached process reads on its standard input. It holds secrets, and is never stored.
import type { RunRecord } from "./run-record.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import type { GlobalOptions } from "../../cli/words/global-options.ts";

export interface RunRequest {
  readonly id: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly options: GlobalOptions;
  readonly provider?: string;
  readonly outputFile?: string;
  readonly content: RunRecord["content"];
  readonly approvals: RunRecord["approvals"];
}

/** The request for a run that goes on. */
export interface ResumeRequest {
  readonly options: GlobalOptions;
  readonly resumes: {
    readonly id: string;
    readonly from?: string;
    readonly acceptsChanges: boolean;
    readonly secrets: readonly string[];
  };
}

/** What it answers when it runs; another answer says why it does not. */
export const RUNNING = "running\n";
