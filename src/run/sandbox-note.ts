// Says of a result that a command ran with less than the sandbox that was asked for. Loaded only where that is so.
import { stripVTControlCharacters } from "node:util";
import type { InnerSandbox, Outcome } from "../tool/call.ts";

/** Returns what was missing in the command of the result, or else in the first one that it called. */
export function lesserSandbox(result: Outcome): InnerSandbox | undefined {
  if (!result.process?.missing) return result.sandbox;
  const { level, sandbox, missing } = result.process;
  return { level, sandbox, missing };
}

/** Returns one line, or nothing: what the words of `custom` keep out is the person's own business. */
export function sandboxNote(result: Outcome, audience: "person" | "model"): string {
  const { level, sandbox, missing = [] } = lesserSandbox(result) ?? {};
  if (missing.length === 0 || level === "custom") return "";
  const part = sandbox === "partial" || level === "limits" ? "a part of its sandbox" : "the sandbox";
  const reasons = missing.map(stripVTControlCharacters);
  if (audience === "person") return `warning[sandbox]: it ran without ${part}: ${reasons.join("; ")}\n`;
  // Advice on the machine is for its owner.
  const short = reasons.map((one) => one.replace(/;[^]*/, "").slice(0, REASON_CHARACTERS_MAX));
  return `(it ran without ${part}: ${short.join("; ")})\n`;
}

const REASON_CHARACTERS_MAX = 160;
