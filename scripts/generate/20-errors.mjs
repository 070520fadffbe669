// Writes grammar/errors.md: every diagnostic with a file that has it, and its repair.
import { codePageText } from "../../src/text/code-pages.ts";
import { diagnosticCodes } from "../../src/text/codes.ts";
import { writeIfChanged } from "../write-if-changed.mjs";

const HEAD =
  "# Diagnostics\n\nMade by scripts/generate/20-errors.mjs from src/text/code-pages; `dottool explain-code CODE` prints one.\n";

export function generate() {
  const pages = [...diagnosticCodes].sort().map((code) => `## ${code}\n\n${codePageText(code)}`);
  writeIfChanged("grammar/errors.md", `${HEAD}\n${pages.join("\n")}`);
}
