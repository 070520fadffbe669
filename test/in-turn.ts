// Files that take turns: CI runs every third of them on a push, and all of them with CI_FULL=1. They take the most time,
// and try with other programs, at every place or with generated texts what other files of each push try once. The commit
// decides, so that the same code has the same result.
import { spawnSync } from "node:child_process";

const TURNS = 3;

/** Paths below test/, in an order that gives each turn about the same time on processors. */
export const inTurn: readonly string[] = [
  "recipes.test.ts",
  "cli/queue-faults.test.ts",
  "mcp/server-at-once.test.ts",
  "cli/runs-resume.test.ts",
  "cli/system-faults.test.ts",
  "hostile/hostile.test.ts",
  "mcp/client-conformance.test.ts",
  "mcp/server-balanced.test.ts",
  "plugins/program.test.ts",
  "plugins/library.test.ts",
  "mcp/server-bad-input.test.ts",
  "mcp/server-long-output.test.ts",
  "mcp/server-clients.test.ts",
  "cli/unusable-folders.test.ts",
  "host/process-handles.test.ts",
  "cli/cached-list.test.ts",
  "language/command-options.test.ts",
  "host/survivors.test.ts",
  "cli/packages-interrupted.test.ts",
  "tool/lock-file.test.ts",
  "mcp/client-real.test.ts",
  "language/write/yaml-text.test.ts",
  "language/yaml/words.test.ts",
  "language/new-annotation.test.ts",
  "language/command-programs.test.ts",
  "language/write/tool-text.test.ts",
  "language/yaml/properties.test.ts",
  "language/meta-tools/hostile.test.ts",
  "cli/package-provenance.test.ts",
  "language/command-properties.test.ts",
  "cli/explain-runs.test.ts",
  "base/substitution.test.ts",
  "cli/export-clients.test.ts",
  "forge/faults.test.ts",
  "host/killed-writes.test.ts",
  "language/first-definitions.test.ts",
  "host/process-mark.test.ts",
  "host/lean-heap.test.ts",
  "forge/kills.test.ts",
  "cli/queue-steps.test.ts",
  "cli/queue-postgres.test.ts",
  "forge/sessions.test.ts",
  "cli/shared-servers.test.ts",
  "forge/small-disk.test.ts",
  "packages/hostile-registry.test.ts",
  "cli/queue-hostile.test.ts",
  "run/held-output.test.ts",
  "forge/registry.test.ts",
  "forge/requests.test.ts",
  "forge/judges.test.ts",
  "cli/export-forms.test.ts",
  "mcp/conformance.test.ts",
  "sandbox/erasing-attacks.test.ts",
  "wrapped-git-tools.test.ts",
  "hostile/patterns.test.ts",
  "cli/lent-terminal.test.ts",
];

/** The same for Deno on each push, `--few`: what is tried at length, or differed from Node only by the time it takes. */
export const inTurnInDeno: readonly string[] = [
  "sandbox/attacks.test.ts",
  "sandbox/limits.test.ts",
  "sandbox/run-sandboxed.test.ts",
  "host/process-handles.test.ts",
  "host/survivors.test.ts",
  "sandbox/erasing-attacks.test.ts",
  "host/process-mark.test.ts",
  "host/killed-writes.test.ts",
  "host/confined-attacks.test.ts",
  "sandbox/combined-attacks.test.ts",
  "host/first-process.test.ts",
  "host/lean-heap.test.ts",
];

/** Returns undefined outside of a checkout, where all files run. */
export function commitOf(folder: string): string | undefined {
  const { stdout } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: folder, encoding: "utf8" });
  return /^[0-9a-f]{40,64}\n$/.test(stdout) ? stdout.trim() : undefined;
}

export function isInTurn(file: string, commit: string, files = inTurn): boolean {
  const index = files.indexOf(file);
  return index === -1 || (index + Number.parseInt(commit.slice(0, 8), 16)) % TURNS === 0;
}
