// Every diagnostic code there is. The pages that explain them are in code-pages.ts, which only `explain-code` and the generator load.

export const diagnosticCodes = [
  "unknown-annotation", "malformed-annotation", "stray-text", "duplicate-annotation", "misplaced-annotation", "option-in-body",
  "missing-name", "missing-wrapped", "missing-title", "missing-description", "missing-command", "duplicate-step", "unknown-step", "step-cycle", "reads-ahead", "may-not-have-run", "invalid-name", "file-name-differs",
  "unknown-base-tool", "not-wrappable", "wrap-cycle", "unknown-server", "unasked-server", "unknown-base-parameter", "missing-base-parameter", "parameter-mismatch",
  "duplicate-tool", "shadowed-tool", "reserved-name", "missing-dependency", "duplicate-parameter", "unknown-type", "duplicate-type", "type-cycle",
  "malformed-option", "default-mismatch", "example-mismatch", "unknown-placeholder", "unused-parameter",
  "needs-shell", "operator-in-word", "unsafe-placeholder", "secret-in-words", "parameter-as-program", "parameter-as-option", "unquoted-value", "array-in-word", "flags-need-reject", "counts-as-run",
  "unclosed-quote", "empty-command", "unknown-platform", "unknown-shell", "bad-regex", "slow-pattern", "bad-duration", "bad-size", "bad-version", "bad-code", "bad-condition", "test-malformed",
  "unreadable-file", "not-text", "too-large", "too-deep", "too-many", "unsupported-yet", "broken-plugin", "untrusted-plugin",
  "broken-yaml", "unknown-key", "duplicate-key", "conflicting-keys", "wrong-value",
] as const;

export type DiagnosticCode = (typeof diagnosticCodes)[number];
