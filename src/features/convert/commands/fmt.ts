// `dottool fmt`: formats definitions. Their meaning never changes.
import { exitCodes } from "../../../core/run/exit-code.ts";
import { DEFINITION_ENDING } from "../../../core/catalog/discover.ts";
import { decodeSource, readDefinitionBytes, shownPathOf } from "../../../core/catalog/load.ts";
import { formatToolFile } from "../../../core/language/syntax/format.ts";
import { parseToolFile } from "../../../core/language/syntax/parse.ts";
import { hasErrors } from "../../../core/text/diagnostic.ts";
import { isYamlPath } from "../../../core/text/source-language.ts";
import { checkedScope } from "../../check/checked-scope.ts";
import { reportUsage, type WordsCommand } from "../../../cli/command.ts";
import { renderAll } from "../../../cli/view/diagnostics-text.ts";
import { printable } from "../../../core/text/display.ts";
import type { OpenedSession } from "../../../core/session/assemble.ts";
import { keepingTrust } from "../../../cli/session/keep-trust.ts";
import { writeOrTell } from "../../../cli/view/write-or-tell.ts";

export const fmtCommand: WordsCommand = {
  kind: "words",
  usage: ["fmt [PATH|NAME…] [--check]"],
  about:
    "Formats definitions; their meaning does not change. PATH is a definition or a folder; NAME is a tool. Without either, formats the definitions of `--tools`, of the project and of the user. Names the files that it changed. YAML is not changed.",
  options: [{ name: "check", does: "change nothing; exit with 65 if a file would change" }],
  words: [0, Number.POSITIVE_INFINITY],
  examples: [
    ["dottool fmt", "your definitions"],
    ["dottool fmt --check .tools", "check the format of a folder, for example in CI"],
  ],
  run: async (input, context) => {
    const scope = await checkedScope(input.words, context, { withoutPlugins: true });
    if (typeof scope === "number") return scope;
    const { opened, entries } = scope;
    const { output, errors } = context.terminal;
    const isCheck = input.has("check");
    let changed = 0;
    let unwritten = 0;
    errors.write(await renderAll(scope.unread, errors));
    let unreadable = hasErrors(scope.unread) ? 1 : 0;
    const paths = [...new Set(entries.flatMap((entry) => opened.catalogue().absolutePathOf(entry) ?? []))];
    // Any named file is read as a definition, which does no harm until it is rewritten.
    const other = paths.find((path) => !DEFINITION_ENDING.test(path));
    if (other !== undefined)
      return reportUsage(
        context.terminal,
        `\`${shownPathOf(other, opened.cwd)}\` is not a definition: its name must end in \`.tool\`, \`.yaml\` or \`.yml\``,
        "fmt",
      );
    for (const path of paths) {
      const shown = entries.find((entry) => opened.catalogue().absolutePathOf(entry) === path)?.path ?? path;
      if (isYamlPath(path)) {
        if (scope.wanted.includes(path)) output.write(`unchanged: ${printable(shown)} is YAML\n`);
        continue;
      }
      const formatted = formattedText(path, shown, opened);
      if ("problem" in formatted) {
        unreadable++;
        errors.write(await renderAll([formatted.problem], errors));
      } else if (formatted.after !== formatted.before) {
        const text = formatted.after;
        const write = (): Promise<boolean> => writeOrTell({ path, shownPath: shown, text }, opened.host, context);
        if (!isCheck && !(await keepingTrust({ path, text, from: path }, write, { ...context, host: opened.host }))) {
          unwritten++;
          continue;
        }
        changed++;
        output.write(`${isCheck ? "would change" : "changed"} ${printable(shown)}\n`);
      }
    }
    if (unwritten > 0) return exitCodes.failed;
    return unreadable > 0 || (isCheck && changed > 0) ? exitCodes.definitions : exitCodes.done;
  },
};

type Formatted =
  | { readonly before: string; readonly after: string }
  | { readonly problem: Parameters<typeof renderAll>[0][number] };

function formattedText(path: string, shownPath: string, { host }: OpenedSession): Formatted {
  const bytes = readDefinitionBytes(path, shownPath, { host });
  if ("code" in bytes) return { problem: bytes };
  const source = decodeSource(shownPath, bytes);
  return "code" in source ? { problem: source } : { before: source.text, after: formatToolFile(parseToolFile(source)) };
}
