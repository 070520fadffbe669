// An operator within a word of a command that runs without a shell: `http://host/?q=a&page=2`. Under `@shell sh` it
// would split the word and run the rest, so that is not offered as a fix. Quotes are offered where the word can only be
// text.
import type { Diagnostic } from "../../text/diagnostic.ts";
import { spanWithin } from "../syntax/ast.ts";
import { directWords } from "../../shell/direct-words.ts";
import { type CommandSource, commandProblem } from "./command-problems.ts";

/** Characters that end a word; `$` and the backquote do not. */
const ENDS_WORD = /[|&;<>()]/;
/** Matches `2>file`: redirections are written without blanks. */
const REDIRECTION = /^\d+[<>]/;
/** Matches the start of `$(…)`, whose text is a separate command. */
const INNER = /\$\(|`/;
const ADDRESS = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//;

/** Returns the diagnostic for the first word with text on both sides of an operator. */
export function gluedOperator(source: CommandSource): Diagnostic | undefined {
  for (const { start, end, tokens } of directWords(source.text.text)) {
    const text = source.text.text.slice(start, end);
    const operators = tokens.flatMap((token) =>
      token.kind === "operator" && ENDS_WORD.test(token.text) ? [token.start - start] : [],
    );
    const outer = text.search(INNER);
    const isText = (at: number): boolean => at >= 0 && at < text.length && !ENDS_WORD.test(text[at] ?? "");
    const at = operators.find(
      (each) =>
        isText(each - 1) &&
        isText(each + 1) &&
        (outer === -1 || each < outer) &&
        !REDIRECTION.test(text.slice(0, each + 1)),
    );
    if (at === undefined) continue;
    const isAddress = ADDRESS.test(text) && !/['"\\`$]/.test(text);
    const edit = { span: spanWithin(source.text, start, end), text: `'${text}'` };
    return commandProblem(source, "operator-in-word", {
      message: `\`${text[at] ?? ""}\` is a shell operator in the middle of a word`,
      start: start + at,
      end: start + at + 1,
      help: [
        ...(isAddress ? [] : ["put the word in single quotes if it is text"]),
        "put spaces around it if it is meant for a shell",
      ],
      ...(isAddress ? { fix: { title: "put the word in single quotes", edits: [edit] } } : {}),
    });
  }
  return undefined;
}
