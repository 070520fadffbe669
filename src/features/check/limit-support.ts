// Which limits of processes work on a platform.
import type { Platform } from "../../core/tool/command.ts";

interface LimitSupport {
  readonly name: string;
  readonly works: boolean;
  readonly fact: string;
}

export function limitCommandSupport(platform: Platform): readonly LimitSupport[] {
  const cpu = platform !== "windows";
  const memory = platform === "linux";
  return [
    { name: "@timeout, @limit output", works: true, fact: "work everywhere" },
    { name: "@limit cpu", works: cpu, fact: cpu ? "works" : "does not work on Windows; calls with it are refused" },
    {
      name: "@limit memory",
      works: memory,
      fact: memory
        ? "works"
        : `does not work on ${platform === "macos" ? "macOS" : "Windows"}; calls with it are refused`,
    },
  ];
}
