// The words that a value becomes when it is present: `flag="--depth {value}"`.
import type { Checked, Diagnostic } from "../../text/diagnostic.ts";
import { diagnosticOf } from "../findings.ts";
import { wordedFor } from "../yaml-words.ts";
import type { Word, WordPlaceholder } from "../../tool/command.ts";
import type { Declaration } from "../syntax/ast.ts";
import { appendText, type PlaceholderPiece } from "../../shell/pieces.ts";
import { arrayInWord, type CommandSource, flagInWord } from "./command-problems.ts";
import { type DirectWord, directWords } from "../../shell/direct-words.ts";

interface ValuePlace {
  readonly source: CommandSource;
  readonly piece: PlaceholderPiece;
  /** Whether the value is a word of its own. */
  readonly isWord: boolean;
  readonly takesLists?: boolean;
  /** Said of a list without quotes. */
  readonly bareNote: string;
  readonly diagnostics: Diagnostic[];
}

/** Adds the words of the parameter's flag. Reports a flag and a list where several words cannot stand. */
export function withFlag<Placeholder extends object>(
  placeholder: Placeholder,
  declaration: Declaration,
  { source, piece, isWord, takesLists = isWord, bareNote, diagnostics }: ValuePlace,
): Placeholder & { readonly flag?: readonly Word[] } {
  const { flag: written, schema } = declaration.parameter;
  if (written === undefined) {
    if (schema.type === "array" && !takesLists)
      diagnostics.push(arrayInWord(source, piece, piece.quoting === "bare" ? bareNote : "in quotes"));
    return placeholder;
  }
  if (!isWord) diagnostics.push(flagInWord(source, piece));
  const flag = flagWords(declaration);
  diagnostics.push(...flag.diagnostics);
  return flag.value ? { ...placeholder, flag: flag.value } : placeholder;
}

/** Parses the words of `flag`. Messages point at the parameter's name. */
function flagWords(declaration: Declaration): Checked<readonly Word[]> {
  const { parameter } = declaration;
  const text = parameter.flag ?? "";
  const words = directWords(text);
  const tokens = words.flatMap((word) => word.tokens);
  const names = tokens.flatMap((token) => (token.kind === "placeholder" ? [token.name] : []));
  const odd = tokens.find(
    (token) => token.kind === "operator" || token.kind === "open-quote" || token.kind === "open-escape",
  );
  const problem = (message: string, help: string): Checked<readonly Word[]> => ({
    diagnostics: [flagProblem(declaration, message, help)],
  });
  if (words.length === 0) return problem("the flag is empty", 'write it out, as in `flag="--depth {value}"`');
  if (odd)
    return problem(
      `\`${"text" in odd ? odd.text : ""}\` is not allowed in the flag \`${text}\``,
      'write words with `{value}`, as in `flag="--depth {value}"`',
    );
  const other = names.find((name) => name !== "value");
  if (other !== undefined)
    return problem(
      `unknown placeholder \`{${other}}\` in the flag \`${text}\``,
      `write \`{value}\` for the value of \`${parameter.name}\``,
    );
  if (names.length === 0 && parameter.schema.type !== "boolean")
    return problem(
      `the flag \`${text}\` has no \`{value}\``,
      `write \`{value}\` where it goes, as in \`flag="${text} {value}"\``,
    );
  return { value: words.map(toFlagWord), diagnostics: [] };
}

function toFlagWord(word: DirectWord): Word {
  const parts: (string | WordPlaceholder)[] = [];
  for (const token of word.tokens) {
    if (token.kind === "text") appendText(parts, token.text);
    else if (token.kind === "placeholder") parts.push({ placeholder: token.name });
  }
  return { parts };
}

function flagProblem(declaration: Declaration, message: string, help: string): Diagnostic {
  const { span } = declaration;
  return diagnosticOf("malformed-option", wordedFor(span.source, message), {
    at: span,
    label: "the flag of this parameter",
    help: [wordedFor(span.source, help)],
  });
}
