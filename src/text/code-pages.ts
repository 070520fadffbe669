// The texts of `dottool explain-code CODE` and grammar/errors.md about every diagnostic. No other code loads them.
import type { DiagnosticCode } from "./codes.ts";
import { annotationPages } from "./code-pages/annotations.ts";
import { catalogPages } from "./code-pages/catalog.ts";
import { commandPages } from "./code-pages/commands.ts";
import { namePages } from "./code-pages/names.ts";
import type { CodePage } from "./code-pages/page.ts";
import { parameterPages } from "./code-pages/parameters.ts";
import { stepPages } from "./code-pages/steps.ts";
import { valuePages } from "./code-pages/values.ts";
import { yamlPages } from "./code-pages/yaml.ts";

export type { CodePage };

const pages: Readonly<Record<DiagnosticCode, CodePage>> = {
  ...annotationPages,
  ...namePages,
  ...parameterPages,
  ...valuePages,
  ...commandPages,
  ...stepPages,
  ...catalogPages,
  ...yamlPages,
};

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
