// `dottool explain-code`: the page of a diagnostic code.
import { exitCodes } from "../../../core/run/exit-code.ts";
import { type DiagnosticCode, diagnosticCodes } from "../../../core/text/codes.ts";
import { didYouMean } from "../../../core/text/suggest.ts";
import { reportUsage, type WordsCommand, writeJson } from "../../../cli/command.ts";
import { codePages } from "../../../generated/code-pages.ts";

export const explainCodeCommand: WordsCommand = {
  kind: "words",
  usage: ["explain-code [CODE] [--json]"],
  about: "Explains a diagnostic code, with a wrong and a repaired definition. Without a code, lists all codes.",
  options: [{ name: "json", does: "print as JSON" }],
  words: [0, 1],
  completes: "codes",
  examples: [["dottool explain-code needs-shell", "what `error[needs-shell]` means"]],
  run: async (input, { terminal }) => {
    const [wanted] = input.words;
    if (wanted === undefined) {
      if (input.has("json")) writeJson(terminal, { codes: diagnosticCodes });
      else terminal.output.write(`${diagnosticCodes.join("\n")}\n`);
      return exitCodes.done;
    }
    const code = diagnosticCodes.find((known) => known === wanted);
    if (code === undefined)
      return reportUsage(
        terminal,
        `unknown diagnostic code \`${wanted}\`${didYouMean(wanted, diagnosticCodes) || "; `dottool explain-code` lists all codes"}`,
        "explain-code",
      );
    if (input.has("json")) writeJson(terminal, { code, ...codePage(code) });
    else terminal.output.write(`${codePageText(code).trimEnd()}\n`);
    return exitCodes.done;
  },
};

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

/** From grammar/errors.md. */
const pages: Readonly<Record<DiagnosticCode, CodePage>> = codePages;

export function codePage(code: DiagnosticCode): CodePage {
  return pages[code];
}

const SHOWN_LINES_MAX = 12;
const SHOWN_COLUMNS_MAX = 120;

/** Returns the page as Markdown below a heading of the caller's. It also reads as plain text. */
function codePageText(code: DiagnosticCode): string {
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
