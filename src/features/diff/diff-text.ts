// A comparison as text for a terminal, and as Markdown for a pull request.
import { rows } from "../../cli/view/layout.ts";
import { printable } from "../../core/text/display.ts";
import type { Change } from "./compare.ts";

export interface ShownDiff {
  readonly before: string;
  readonly now: string;
  readonly changes: readonly Change[];
  readonly tokens: { readonly before: number; readonly now: number };
}

const titles = [
  ["breaking", "breaks"],
  ["gains", "may now"],
  ["losses", "no more"],
  ["approvals", "approvals end"],
  ["other", "also"],
] as const;

export function diffText(diff: ShownDiff, columns: number): string {
  const parts = diff.changes.map((change) => {
    const facts = titles.flatMap(([key, title]) =>
      change[key].map((fact, index) => [index === 0 ? title : "", fact] as const),
    );
    const all = [...facts, ...(tokensText(change) === "" ? [] : [["tokens", tokensText(change)] as const])];
    const lines = rows(
      all.map(([title, fact]) => [title, printable(fact)]),
      { columns, indent: 2, nameColumnsMax: 20 },
    );
    return [printable(headOf(change)), ...lines].join("\n");
  });
  return [summaryOf(diff), ...parts, totalOf(diff)].map((part) => `${part}\n`).join("\n");
}

export function diffMarkdown(diff: ShownDiff): string {
  const lines = diff.changes.map((change) => {
    const cells = titles.map(([key]) => change[key].map(code).join("<br>"));
    return `| ${code(headOf(change))} | ${cells.join(" | ")} | ${tokensText(change)} |`;
  });
  const head = ["change", ...titles.map(([, title]) => title), "tokens"];
  const table = lines.length === 0 ? [] : ["", `| ${head.join(" | ")} |`, `|${" --- |".repeat(head.length)}`, ...lines];
  return `${[`### Tools: ${code(summaryOf(diff))}`, ...table, "", totalOf(diff)].join("\n")}\n`;
}

/** No text of an author is Markdown, a mention of somebody or a reference. */
function code(text: string): string {
  const safe = printable(text).replaceAll(/[^\w\s.,:;()/-]/gu, (character) => `&#${character.codePointAt(0) ?? 0};`);
  return `<code>${safe}</code>`;
}

function headOf({ what, name, kind, from }: Change): string {
  const former = from === undefined ? "" : ` from ${from}`;
  return `${what === "tool" ? "" : `${what} `}${name}: ${kind}${former}`;
}

function tokensText({ tokens }: Change): string {
  return tokens === undefined || tokens.before === tokens.now ? "" : `${tokens.before} → ${tokens.now}`;
}

function summaryOf({ before, now, changes }: ShownDiff): string {
  const counts = (["added", "removed", "renamed", "changed"] as const).flatMap((kind) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return count === 0 ? [] : [`${count} ${kind}`];
  });
  return `${printable(before)} → ${printable(now)}: ${counts.length === 0 ? "no change" : counts.join(", ")}`;
}

function totalOf({ tokens }: ShownDiff): string {
  return `All declarations: ${tokens.before === tokens.now ? "" : `${tokens.before} → `}${tokens.now} tokens, estimated`;
}
