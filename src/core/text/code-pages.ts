// The texts of `dottool explain-code CODE` about every diagnostic, from grammar/errors.md. No other code loads them.
import { codePages } from "../../generated/code-pages.ts";
import type { DiagnosticCode } from "./codes.ts";

interface CodePage {
  /** The problem in a few words. */
  readonly title: string;
  /** Why it matters and what to do. */
  readonly explanation: string;
  /** A file that has it. For codes that a file cannot have alone, what leads to it. */
  readonly bad: string;
  /** The repair. */
  readonly good: string;
}

const pages: Readonly<Record<DiagnosticCode, CodePage>> = codePages;

export function codePage(code: DiagnosticCode): CodePage {
  return pages[code];
}

const SHOWN_LINES_MAX = 12;
const SHOWN_COLUMNS_MAX = 120;

/** Returns the page as Markdown below a heading of the caller's. It also reads as plain text. */
export function codePageText(code: DiagnosticCode): string {
  const { title, explanation, bad, good } = pages[code];
  return `${title.slice(0, 1).toUpperCase()}${title.slice(1)}. ${explanation}\n\n${indented(bad)}\n\nRepaired:\n\n${indented(good)}\n`;
}

function indented(text: string): string {
  const lines = text.trimEnd().split("\n");
  const shown = lines.length > SHOWN_LINES_MAX ? [...lines.slice(0, SHOWN_LINES_MAX - 1), "…"] : lines;
  return shown
    .map((line) =>
      line === "" ? "" : `    ${line.length > SHOWN_COLUMNS_MAX ? `${line.slice(0, SHOWN_COLUMNS_MAX)}…` : line}`,
    )
    .join("\n");
}
