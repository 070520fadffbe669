// Says of a result that a command ran with less than the sandbox that was asked for. Loaded only where that is so.
import { stripVTControlCharacters } from "node:util";
import type { Outcome } from "../tool/call.ts";

/** Returns one line, or nothing: what the words of `custom` keep out is the person's own business. */
export function sandboxNote(result: Pick<Outcome, "process" | "sandbox">, audience: "person" | "model"): string {
  const { level, sandbox, missing = [] } = result.sandbox ?? result.process ?? {};
  if (missing.length === 0 || level === "custom") return "";
  const what =
    sandbox === "partial" ? "its sandbox was partial" : level === "limits" ? "a limit does not hold" : WITHOUT;
  const reasons = missing.map(stripVTControlCharacters);
  if (audience === "person") return `warning[sandbox]: ${what}: ${reasons.join("; ")}\n`;
  // Advice on the machine is for its owner.
  const short = reasons.map((one) => one.replace(/;[^]*/, "").slice(0, REASON_CHARACTERS_MAX));
  return `(${what}: ${short.join("; ")})\n`;
}

const WITHOUT = "it ran without the sandbox";
const REASON_CHARACTERS_MAX = 160;
