// The exit code of dottool for a result.
import { rowOf } from "../text/row-of.ts";
import type { ToolResult } from "../tool/call.ts";
import type { Failure } from "../tool/failure.ts";

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 64,
  definitions: 65,
  missing: 66,
  bug: 70,
  question: 75,
  denied: 77,
  timeout: 124,
  interrupted: 130,
} as const;

/** A signal ends a shell's command with 128 + its number; the numbers that matter are the same on Linux and macOS. */
const signalNumbers: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGABRT: 6,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
};

export function exitCodeOf(result: ToolResult): number {
  return result.status === "ok" ? (result.process?.exitCode ?? exitCodes.done) : failureExitCode(result.failure);
}

export function failureExitCode(failure: Failure): number {
  switch (failure.kind) {
    case "unknown-tool":
      return exitCodes.missing;
    case "definition":
      return exitCodes.definitions;
    case "removed":
      return exitCodes.missing;
    case "invalid-arguments":
      return exitCodes.usage;
    case "denied":
    case "untrusted":
      return exitCodes.denied;
    case "unavailable":
      return exitCodes.missing;
    case "exit":
      return failure.exitCode ?? 128 + (rowOf(signalNumbers, failure.signalName ?? "") ?? 0);
    case "not-started":
      return failure.reason === "program-missing" ||
        failure.reason === "file-missing" ||
        failure.reason === "folder-missing"
        ? exitCodes.missing
        : exitCodes.failed;
    case "timeout":
      return exitCodes.timeout;
    case "cancelled":
      return exitCodes.interrupted;
    case "file":
      return failure.code === "ENOENT" ? exitCodes.missing : exitCodes.failed;
    case "step-failed":
      return failureExitCode(failure.cause);
    case "crashed":
      return exitCodes.bug;
    case "busy":
    case "too-often":
    case "code-failed":
    case "too-deep":
    case "limit":
    case "network":
    case "rejected":
    case "wrong-result":
      return exitCodes.failed;
  }
}
