// What is stored of the steps of a run: a line of JSON for each event, in the order in which they happened.
import { isJsonObject, type Json } from "../../core/schema/json.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host } from "../../core/tool/host.ts";
import type { Outcome } from "../../core/tool/call.ts";
import { type RunApproval, runFile } from "./run-record.ts";

export type JournalLine =
  /** A step that must not run twice begins. */
  | { readonly kind: "begin"; readonly place: string }
  /** A step has ended, at an ISO 8601 time. Without an outcome: it held a secret, which is not stored. */
  | { readonly kind: "end"; readonly place: string; readonly at: string; readonly outcome?: Outcome }
  | { readonly kind: "clean-up" }
  | { readonly kind: "approve"; readonly approval: RunApproval }
  /** A person resumes: the named steps run again, and those that were passed count as done. */
  | { readonly kind: "resume"; readonly again: readonly string[]; readonly passed: readonly string[] };

export interface StoredSteps {
  /** How the steps ended, by their places. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** When they ended, also those whose outcomes are not stored. */
  readonly endedAt: ReadonlyMap<string, string>;
  /** The places of steps that must not run twice, and began without a stored end. */
  readonly unknown: ReadonlySet<string>;
  /** Whether cleanup has run since. */
  readonly hasCleanedUp: boolean;
  readonly approvals: readonly RunApproval[];
  /** The length of the file without a last line that was cut off, in characters. */
  readonly wholeLength: number;
  readonly text: string;
}

const JOURNAL_BYTES_MAX = 512 * 1024 * 1024;
const passedOutcome: Outcome = { status: "ok", content: [] };

/** Returns the number of a line that cannot be read, or what was stored. Throws the errors of the file system. */
export function readSteps(id: string, host: Host): StoredSteps | { readonly brokenLine: number } {
  const text = textOf(id, host);
  const wholeLength = text.lastIndexOf("\n") + 1;
  const outcomes = new Map<string, Outcome>();
  const endedAt = new Map<string, string>();
  const unknown = new Set<string>();
  const approvals: RunApproval[] = [];
  let hasCleanedUp = false;
  for (const [index, written] of text.slice(0, wholeLength).split("\n").slice(0, -1).entries()) {
    const line = lineIn(written);
    if (!line) return { brokenLine: index + 1 };
    switch (line.kind) {
      case "begin":
        unknown.add(line.place);
        break;
      case "end":
        endedAt.set(line.place, line.at);
        if (!line.outcome) break;
        unknown.delete(line.place);
        outcomes.set(line.place, line.outcome);
        break;
      case "clean-up":
        hasCleanedUp = true;
        break;
      case "approve":
        approvals.push(line.approval);
        break;
      case "resume":
        hasCleanedUp = false;
        for (const place of [...outcomes.keys(), ...endedAt.keys(), ...unknown])
          if (line.again.includes(stepOf(place))) {
            outcomes.delete(place);
            endedAt.delete(place);
            unknown.delete(place);
          }
        for (const place of line.passed) {
          unknown.delete(place);
          outcomes.set(place, passedOutcome);
        }
        break;
    }
  }
  return { outcomes, endedAt, unknown, hasCleanedUp, approvals, wholeLength, text };
}

/** Returns the step of a place: `each` of `each[3]`. */
export function stepOf(place: string): string {
  return place.replace(/\[\d+\]$/, "");
}

export function journalText(line: JournalLine): string {
  return `${JSON.stringify(line)}\n`;
}

function lineIn(written: string): JournalLine | undefined {
  try {
    const value = JSON.parse(written) as Json;
    return isJsonObject(value) && typeof value["kind"] === "string" ? (value as unknown as JournalLine) : undefined;
  } catch {
    return undefined;
  }
}

function textOf(id: string, host: Host): string {
  try {
    return new TextDecoder().decode(host.instant.readBytes(runFile(id, "steps.jsonl", host), JOURNAL_BYTES_MAX));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "";
    throw error;
  }
}
