// `dottool explain-code`: the page of a diagnostic code.
import { exitCodes } from "../../../core/run/exit-code.ts";
import { diagnosticCodes } from "../../../core/text/codes.ts";
import { didYouMean } from "../../../core/text/suggest.ts";
import { reportUsage, type WordsCommand, writeJson } from "../../../cli/command.ts";

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
    const { codePage, codePageText } = await import("../../../core/text/code-pages.ts");
    if (input.has("json")) writeJson(terminal, { code, ...codePage(code) });
    else terminal.output.write(`${codePageText(code).trimEnd()}\n`);
    return exitCodes.done;
  },
};
