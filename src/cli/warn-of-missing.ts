// Tells a person of a sandbox that was asked for and did not work.
import { stripVTControlCharacters } from "node:util";
import type { ProcessReport } from "../tool/call.ts";
import type { Terminal } from "../tool/terminal.ts";

/** What the words of `custom` keep out is the person's own business. */
export function warnOfMissing({ missing = [], level, sandbox }: ProcessReport, { errors }: Terminal): void {
  if (level === "custom") return;
  const what = sandbox === "none" ? "it ran without the sandbox" : "it ran without a part of its sandbox";
  errors.write(`warning[sandbox]: ${what}: ${missing.map(stripVTControlCharacters).join("; ")}\n`);
}
