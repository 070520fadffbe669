// The view of a test on a call: texts to compare, without the final line end that most programs print.
import { failureText } from "../../core/run/failure-text.ts";
import { exitCodeOf } from "../../core/run/exit-code.ts";
import type { Json } from "../../core/schema/json.ts";
import { withoutLastLineEnd } from "../../core/steps/step-record.ts";
import { outputTextOf, type ToolResult } from "../../core/tool/call.ts";

export interface Observed {
  readonly exitCode: number;
  readonly output: string;
  /** The text of the failure, and standard error. */
  readonly error: string;
  readonly isFailed: boolean;
  /** A JSON result, or a text that is JSON. */
  readonly value?: Json;
  /** Absolute: where files are looked for. */
  readonly folder: string;
}

export function observe(result: ToolResult, folder: string): Observed {
  const output = withoutLastLineEnd(outputOf(result));
  const failure =
    result.status === "failed" ? failureText(result.failure, { audience: "model", tool: result.call.tool }) : "";
  const errors = result.process ? outputTextOf(result.process, "stderr") : "";
  const value = valueOf(result, output);
  return {
    exitCode: exitCodeOf(result),
    output,
    error: [errors.trimEnd(), failure].filter((text) => text !== "").join("\n"),
    isFailed: result.status === "failed",
    ...(value === undefined ? {} : { value }),
    folder,
  };
}

/** Returns the standard output of a process: the content of a result has standard error as well. */
function outputOf(result: ToolResult): string {
  if (result.process) return outputTextOf(result.process, "stdout");
  return result.content
    .flatMap((content) => {
      if (content.type === "text") return [content.text];
      return content.type === "json" ? [JSON.stringify(content.value)] : [];
    })
    .join("\n");
}

function valueOf(result: ToolResult, output: string): Json | undefined {
  const json = result.content.find((content) => content.type === "json");
  if (json) return json.value;
  try {
    return JSON.parse(output) as Json;
  } catch {
    return undefined;
  }
}
