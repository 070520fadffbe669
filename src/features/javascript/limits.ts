// The limits of sandboxed code.
import type { SandboxLimits } from "../../core/tool/host-sandbox.ts";

export const SANDBOX_LIMITS: SandboxLimits = {
  cpuMsMax: 1_000,
  // A second limit, for what the code waits for.
  wallMsMax: 60_000,
  memoryBytesMax: 32 * 1024 * 1024,
  hostCallsMax: 64,
  resultBytesMax: 1024 * 1024,
  logCharactersMax: 64 * 1024,
};

export const SOURCE_BYTES_MAX = 256 * 1024;
/**
 * The limit of each text that enters the machine as JSON, where it takes several times as much: the input, and the
 * answer of a function.
 */
export const INPUT_BYTES_MAX = 4 * 1024 * 1024;
/**
 * The depth of a value that enters or leaves the machine. Code that writes or reads it is recursive, on a limited
 * stack.
 */
export const DEPTH_MAX = 256;
