// Failures for a model of an API use the exported names of tools, because the model knows only these.
import type { ToolResult } from "../tool/call.ts";
import type { Failure } from "../tool/failure.ts";
import { apiName } from "./api-name.ts";

export function inApiNames(result: ToolResult): ToolResult {
  return result.status === "ok" ? result : { ...result, failure: failureInApiNames(result.failure) };
}

/** Replaces names, except in command lines for a person, which use the tool's own name. */
export function failureInApiNames(failure: Failure): Failure {
  if (failure.kind === "invalid-arguments") return { ...failure, tool: apiName(failure.tool) };
  if (failure.kind !== "unknown-tool") return failure;
  const { nearest, suggested, known } = failure;
  return {
    ...failure,
    nearest: nearest.map(apiName),
    ...(suggested ? { suggested: { ...suggested, tool: apiName(suggested.tool) } } : {}),
    ...(known ? { known: known.map(apiName) } : {}),
  };
}
