// Shortens a conversation that is too long for its model: the results of old calls are left out. Messages and calls
// stay, because they show what was done, and a call can be made again.
import type { Entry, ResultEntry } from "./entry.ts";

/** The number of results that stay complete, by step. */
const KEPT = [Number.POSITIVE_INFINITY, 8, 1] as const;
export const SHORTER_MAX = KEPT.length - 1;
const CHARACTERS_MAX = 1_000;
const CHARACTERS_KEPT = 300;

/** `step`: 0 leaves everything. */
export function shortened(entries: readonly Entry[], step: number): readonly Entry[] {
  const results = entries.filter(({ kind }) => kind === "result").length;
  const first = results - (KEPT[step] ?? 0);
  let count = 0;
  return entries.map((entry) => (entry.kind === "result" && count++ < first ? shortResult(entry) : entry));
}

function shortResult({ images: _, ...entry }: ResultEntry): ResultEntry {
  return { ...entry, text: shortText(entry.text) };
}

function shortText(text: string): string {
  return text.length <= CHARACTERS_MAX
    ? text
    : `${text.slice(0, CHARACTERS_KEPT).toWellFormed()}\n[${text.length - CHARACTERS_KEPT} characters left out, because the conversation is long; call again to see them]\n`;
}
