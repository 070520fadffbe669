// The program on PATH, for tests of what starts it by its name.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "./test-project.ts";

/** Returns an environment with a `dottool` on PATH, as a teammate has it. */
export function installedAt({ folder, program }: TestProject): Readonly<Record<string, string>> {
  mkdirSync(join(folder, "bin"));
  const started = [program.command, ...program.words].map((word) => `'${word}'`).join(" ");
  writeFileSync(join(folder, "bin/dottool"), `#!/bin/sh\nexec ${started} "$@"\n`);
  chmodSync(join(folder, "bin/dottool"), 0o755);
  return { ...program.environment, PATH: `${join(folder, "bin")}:${program.environment["PATH"] ?? ""}` };
}
