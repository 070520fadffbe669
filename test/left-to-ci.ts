/**
 * Parts of the paths of test files that `npm test` leaves to CI, besides those of in-turn.ts: CI runs these on each push.
 * They try what others try once with every fault, in every order or at length, or what seldom breaks and takes long.
 */
export const leftToCi: readonly string[] = [
  "base/substitution",
  "builder/secret-environment",
  "cli/agent",
  "cli/export-",
  "cli/import-runners",
  "cli/package",
  "cli/sandbox",
  "cli/trust-parts",
  "cli/unread-output",
  "forge/attacks",
  "hook/contained-attacks",
  "hook/judge-hook",
  "host/confined-attacks",
  "host/first-process",
  "language/sure-fixes",
  "packaged/executable",
  "policy/bound-approvals",
  "policy/command-dangers",
  "policy/data-rows",
  "policy/prompt",
  "policy/trusted-calls",
  "sandbox/attacks",
  "sandbox/limits",
  "sandbox/run-sandboxed",
  "steps/hostile",
  "without-features",
  "wrapped-tools",
];
