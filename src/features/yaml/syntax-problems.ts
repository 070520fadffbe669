// YAML syntax errors in words of the project.
import { rowOf } from "../../core/text/row-of.ts";
import type { Diagnostic } from "../../core/text/diagnostic.ts";
import type { SourceFile } from "../../core/text/source.ts";

export interface YamlSyntaxError {
  /** The parser's code. */
  readonly code: string;
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** The limit of reported mistakes: one mistake causes many further on. */
const PROBLEMS_MAX = 5;
/** The limit of errors that are looked at, because finding the line of each may take a pass over the whole text. */
const ERRORS_MAX = 100;

/** Returns one problem for each line, in the order of the text. */
export function syntaxProblems(source: SourceFile, errors: readonly YamlSyntaxError[]): readonly Diagnostic[] {
  const sorted = errors.toSorted((one, other) => one.start - other.start).slice(0, ERRORS_MAX);
  const lines = new Set<number>();
  const problems: Diagnostic[] = [];
  for (const error of sorted) {
    if (problems.length === PROBLEMS_MAX) break;
    const start = Math.min(error.start, Math.max(0, source.text.length - 1));
    const line = source.text.lastIndexOf("\n", start - 1) + 1;
    if (lines.has(line)) continue;
    lines.add(line);
    const newline = source.text.indexOf("\n", start);
    const lineEnd = newline === -1 ? source.text.length : newline;
    const end = Math.min(Math.max(start + 1, Math.min(error.end, lineEnd)), source.text.length);
    problems.push({
      code: "broken-yaml",
      severity: "error",
      ...wording(error),
      at: { span: { source, start, end }, text: "" },
      related: [],
    });
    // After these, no later error is reliable.
    if (error.code === "MISSING_CHAR" || error.code === "TAB_AS_INDENT") break;
  }
  return problems;
}

/** By the parser's code, where its own words do not say what to do. */
const wordings: Readonly<Record<string, readonly [message: string, help: string]>> = {
  BLOCK_AS_IMPLICIT_KEY: ["text with `: ` in it is read as a key and a value", "put the text in quotes"],
  TAB_AS_INDENT: ["YAML does not allow tabs for indentation", "indent with two spaces"],
  MULTIPLE_DOCS: ["a file defines one tool, and `---` starts another document", "put each tool in a separate file"],
  BAD_INDENT: [
    "the indentation does not match the lines above",
    "start all keys of a map, and all `-` of a list, in the same column",
  ],
  BAD_DQ_ESCAPE: [
    "this is not an escape in double quotes",
    "write `\\\\` for a backslash, or use single quotes, where it is literal",
  ],
};

function wording({ code, message }: YamlSyntaxError): Pick<Diagnostic, "message" | "help"> {
  if (code === "MISSING_CHAR" && /quote/.test(message))
    return {
      message: "a quote further up is not closed",
      help: ["close it, or write the text below `|`, where quotes have no meaning"],
    };
  // The parser quotes the text, which is shown anyway.
  const plain = message.replace(/:? *["'`].*$/s, "").split("\n")[0] ?? "";
  // A bracket that is not closed is told as an indent.
  const known = message.startsWith("Flow ") ? undefined : rowOf(wordings, code);
  const [said, help] = known ?? [
    `this is not valid YAML: ${plain.slice(0, 1).toLowerCase()}${plain.slice(1)}`,
    "put text that has `{`, `[`, `:`, `#`, `*`, `&`, `%` or `!` in quotes, and commands of several lines below `|`",
  ];
  return { message: said, help: [help] };
}
