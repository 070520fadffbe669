// Says of a result what its commands ran in, if it has several, or if one had less than the sandbox that was asked for.
// Loaded only where that is so.
import { stripVTControlCharacters } from "node:util";
import type { InnerSandbox, Outcome } from "../tool/call.ts";

/**
 * Returns the least that a command ran in: a result never says more than was true of each. What was missing is that of
 * the first one that missed something. `ran` has `level`, `sandbox`, `missing` and `withheld` of each as JSON.
 */
export function leastOf(ran: Iterable<string>): InnerSandbox {
  const reports = [...ran].map((text) => {
    const [level, sandbox, missing, withheld] = JSON.parse(text) as Ran;
    return { level, sandbox, missing, withheld };
  });
  const { level, sandbox } = reports.reduce((one, other) => (rankOf(other) < rankOf(one) ? other : one));
  const missing = reports.find((one) => one.missing)?.missing;
  const withheld = reports.find((one) => one.withheld)?.withheld;
  return { level, sandbox, ...(missing ? { missing } : {}), ...(withheld ? { withheld } : {}) };
}

type Ran = [InnerSandbox["level"], InnerSandbox["sandbox"], readonly string[] | null, readonly string[] | null];

function rankOf({ level, sandbox }: Pick<InnerSandbox, "level" | "sandbox">): number {
  return sandbox === "full" ? 3 : sandbox === "partial" ? 2 : level === "none" ? 0 : 1;
}

type Reported = Pick<Outcome, "process" | "sandbox">;

/** Returns a line for what was missing of the sandbox and one for what it kept from the tool, or nothing. */
export function sandboxNote(result: Reported, audience: "person" | "model"): string {
  return missingNote(result, audience) + withheldNote(result, audience);
}

function withheldNote({ sandbox, process }: Reported, audience: "person" | "model"): string {
  const { withheld = [] } = sandbox ?? process ?? {};
  if (withheld.length === 0) return "";
  const fact = `nobody has approved it, so it did not get what it asks for: ${withheld.map(stripVTControlCharacters).join("; ")}`;
  return audience === "person" ? `warning[sandbox]: ${fact}\n` : `(${fact})\n`;
}

/** What the words of `custom` keep out is the person's own business. */
function missingNote({ sandbox: inner, process }: Reported, audience: "person" | "model"): string {
  const { level, sandbox, missing = [] } = inner ?? process ?? {};
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
