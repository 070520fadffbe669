// Says of a result what its commands ran in, if it has several, or if one had less than the sandbox that was asked for.
// Loaded only where that is so.
import { stripVTControlCharacters } from "node:util";
import { basename } from "node:path";
import { shownPath } from "../base/allowed-by.ts";
import { printable } from "../text/display.ts";
import type { InnerSandbox, Outcome } from "../tool/call.ts";
import type { Blocked } from "../tool/confinement.ts";

/**
 * Returns the least that a command ran in: a result never says more than was true of each. What was missing is that of
 * the first one that missed something. `ran` has the report of each as JSON. Of a call that succeeded, paths that were
 * kept from one of its commands are not said.
 */
export function leastOf(ran: Iterable<string>, status: Outcome["status"]): InnerSandbox {
  const reports = [...ran].map((text) => JSON.parse(text) as InnerSandbox);
  const { level, sandbox } = reports.reduce((one, other) => (rankOf(other) < rankOf(one) ? other : one));
  const missing = reports.find((one) => one.missing)?.missing;
  const withheld = reports.find((one) => one.withheld)?.withheld;
  const kept = reports.filter(({ blocked }) =>
    blocked === "unseen" ? status === "failed" : blocked?.some(({ kind }) => status === "failed" || kind === "host"),
  );
  const blocked = kept.flatMap((one) => (one.blocked === "unseen" ? [] : (one.blocked ?? [])));
  const allowedBy = [...new Set(kept.flatMap((one) => one.allowedBy ?? []))];
  return {
    ...{ level, sandbox, ...(missing ? { missing } : {}), ...(withheld ? { withheld } : {}) },
    ...(kept.length === 0 ? {} : { blocked: blocked.length === 0 ? "unseen" : blocked }),
    ...(allowedBy.length === 0 ? {} : { allowedBy }),
  };
}

function rankOf({ level, sandbox }: Pick<InnerSandbox, "level" | "sandbox">): number {
  return sandbox === "full" ? 3 : sandbox === "partial" ? 2 : level === "none" ? 0 : 1;
}

type Reported = Pick<Outcome, "process" | "sandbox">;

/** Returns a line for what was missing of the sandbox, and lines for what it kept from the tool; or nothing. */
export function sandboxNote(result: Reported, audience: "person" | "model"): string {
  return missingNote(result, audience) + withheldNote(result, audience) + blockedNote(result, audience);
}

function blockedNote({ sandbox, process }: Reported, audience: "person" | "model"): string {
  const { blocked, allowedBy = [] } = sandbox ?? process ?? {};
  if (blocked === undefined) return "";
  if (blocked === "unseen")
    return audience === "person"
      ? "note: if the sandbox is the reason, the same call with `--result model` before its name says what it kept\n"
      : "";
  const fact = keptText(blocked, { program: process?.argv[0] ?? "its commands", folder: process?.cwd ?? "/" });
  const allowing = allowedBy.map((line) => `\`${line}\``).join(" and ");
  if (audience === "model") return `(${fact}${allowing === "" ? "" : `; ${allowing} would allow it`})\n`;
  return `note: ${fact}${allowing === "" ? "" : `; ${allowing} in its definition allows it`}\n`;
}

const BLOCKED_SHOWN_MAX = 5;

interface KeptFrom {
  readonly program: string;
  /** Absolute: paths in it are relative to it. */
  readonly folder: string;
}

/** Says what the sandbox kept from a program: "the sandbox kept `cat` from reading `/srv/x`". */
export function keptText(blocked: readonly Blocked[], { program, folder }: KeptFrom): string {
  const verbs = { host: "reaching", read: "reading", write: "writing" };
  const shown = blocked.slice(0, BLOCKED_SHOWN_MAX).map(({ kind, name, guard }, index) => {
    const whole = kind === "host" ? name : shownPath(name, folder);
    const why = guard === undefined ? "" : guard === "keys" ? " (may have keys)" : " (other programs obey it)";
    const verb = index > 0 && blocked[index - 1]?.kind === kind ? "" : `${verbs[kind]} `;
    return `${verb}${whole === "" ? "any host" : `\`${printable(whole)}\``}${why}`;
  });
  const more = blocked.length - BLOCKED_SHOWN_MAX;
  return `the sandbox kept \`${printable(basename(program))}\` from ${inWords([...shown, ...(more > 0 ? [`${more} more`] : [])])}`;
}

function inWords(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
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
