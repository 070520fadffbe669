import type { DiagnosticCode } from "../../src/core/text/codes.ts";

/** Diagnostics that one definition alone cannot have: of other tools, folders, files and plugins. */
export const beyondOneFile: readonly DiagnosticCode[] = [
  "unknown-base-tool",
  "unknown-server",
  "unasked-server",
  "not-wrappable",
  "wrap-cycle",
  "unknown-base-parameter",
  "missing-base-parameter",
  "parameter-mismatch",
  "duplicate-tool",
  "shadowed-tool",
  "bad-code",
  "missing-dependency",
  "unreadable-file",
  "not-text",
  "broken-plugin",
  "untrusted-plugin",
];
