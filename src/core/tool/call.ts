// One request and its one answer.
import type { Json, JsonObject } from "../schema/json.ts";
import type { SandboxLevel, SandboxReport } from "./confinement.ts";
import type { Failure } from "./failure.ts";

export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  /** The arguments as the caller sent them, unchecked. */
  readonly arguments: unknown;
}

export interface Expansion {
  readonly tool: string;
  readonly arguments: JsonObject;
}

export type Content =
  /** `link` is what the text says, as a resource link of MCP. */
  | { readonly type: "text"; readonly text: string; readonly link?: JsonObject }
  /**
   * `sent` is set if the value is the structured content of an MCP server's result: the text beside it that says the
   * same, or empty if other texts say it in words.
   */
  | { readonly type: "json"; readonly value: Json; readonly sent?: string }
  | { readonly type: "image" | "audio"; readonly mediaType: string; readonly base64: string }
  /** A document with an address of its own, in its current state. */
  | { readonly type: "resource"; readonly uri: string; readonly mediaType: string; readonly text: string }
  /** Bytes that are not shown: binary output, or the whole of a cut text under a handle for `read_output`. */
  | {
      readonly type: "file";
      readonly mediaType: string;
      readonly sizeBytes: number;
      readonly sha256?: string;
      readonly handle?: string;
      readonly ends?: TextEnds;
    };

/**
 * The ends of a text that was written to the cache as it came, still in memory. The gate shows them; no result holds
 * them.
 */
export interface TextEnds {
  /** Whole lines from the beginning and from the end, more than a result shows; the same text if there is no more. */
  readonly head: string;
  readonly tail: string;
  readonly lines: number;
  /** Why there is no handle: the system's code, such as `ENOSPC`. */
  readonly lost?: string;
  /** The number of stored lines, if not all could be stored. */
  readonly keptLines?: number;
}

export type OutputStream = "stdout" | "stderr";

export interface ProcessReport {
  readonly argv: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** Absent if a signal ended it. */
  readonly exitCode?: number;
  readonly signalName?: string;
  /**
   * Both streams in arrival order, decoded as UTF-8. The texts of one stream, joined, give that stream. Empty if there
   * was too much for memory.
   */
  readonly transcript: readonly { readonly stream: OutputStream; readonly text: string }[];
  /** The bytes past the limit, which were dropped. */
  readonly cutBytes: number;
  /** The level that it ran at. */
  readonly level: SandboxLevel;
  /** What was true of the level: `none` for the levels `none` and `limits`, too. */
  readonly sandbox: SandboxReport["sandbox"];
  /** What the level promises and was missing. */
  readonly missing?: readonly string[];
  /** As its `Confinement` has it. */
  readonly withheld?: readonly string[];
  /** What the sandbox kept from it. */
  readonly blocked?: SandboxReport["blocked"];
  /** What a person writes to allow that: annotations of the definition, or keys of one in YAML. */
  readonly allowedBy?: readonly string[];
}

/** The least that a command of the call ran in, what was missing, and what was kept from each. */
export type InnerSandbox = Pick<ProcessReport, "level" | "sandbox" | "missing" | "withheld" | "blocked" | "allowedBy">;

/** `isUntrusted` says that the content comes from outside, according to the tool. The gate copies it to the result. */
export type Outcome =
  | {
      readonly status: "ok";
      readonly content: readonly Content[];
      readonly process?: ProcessReport;
      readonly sandbox?: InnerSandbox;
      readonly isUntrusted?: true;
      /** The person at the terminal has seen the content, as the output of a step. */
      readonly isShown?: true;
    }
  | {
      readonly status: "failed";
      readonly content: readonly Content[];
      readonly failure: Failure;
      readonly process?: ProcessReport;
      readonly sandbox?: InnerSandbox;
      readonly isUntrusted?: true;
    };

/** Success and failure carry the same fields, so callers print first and branch second. */
export type ToolResult = Outcome & {
  readonly call: ToolCall;
  readonly durationMs: number;
  /** The content holds text from outside (the web, a foreign program): data, never instructions. */
  readonly isUntrusted?: true;
};

export function outputTextOf(report: ProcessReport, stream: OutputStream): string {
  return report.transcript
    .filter((piece) => piece.stream === stream)
    .map((piece) => piece.text)
    .join("");
}
