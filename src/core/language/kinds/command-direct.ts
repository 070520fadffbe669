// A template that runs without a shell. It is split into words when it is read, so that no value can split it
// differently at call time.
import type { Checked, Diagnostic } from "../../text/diagnostic.ts";
import type { DirectCommand, Word, WordPlaceholder } from "../../tool/command.ts";
import { type DirectToken, type DirectWord, directWords } from "../../shell/direct-words.ts";
import { withFlag } from "./command-flag.ts";
import { commandHazards } from "./command-hazards.ts";
import { environmentOf, variablesBefore } from "./command-environment.ts";
import { withOwnOptions } from "./command-own-option.ts";
import { checkOptions, mayBeginWithDash, readerOf } from "./command-option-problems.ts";
import type { OptionFlow } from "../../shell/options.ts";
import {
  appendText,
  type CommandPiece,
  type CommandWord,
  type PlaceholderPiece,
  type ReadScript,
} from "../../shell/pieces.ts";
import { isShell, programName } from "../../shell/programs.ts";
import {
  type CommandSource,
  commandProblem,
  declarationOf,
  emptyCommand,
  unclosed,
  unknownPlaceholder,
} from "./command-problems.ts";

/**
 * Parses a template. The diagnostic `needs-shell` comes without a fix, because only `parseCommand` can tell whether a
 * shell would help.
 */
export function parseDirectCommand(source: CommandSource): Checked<DirectCommand> {
  const words = directWords(source.text.text);
  const odd = firstOdd(source, words);
  if (odd) return { diagnostics: [odd] };
  if (words.length === 0) return { diagnostics: [emptyCommand(source)] };
  const before = variablesBefore(source, words);
  if (before) return { diagnostics: [before] };
  const diagnostics: Diagnostic[] = [];
  const made = words.map((word) => toWord(source, word, diagnostics));
  const known = words.map(toCommandWord);
  const script: ReadScript = { commands: [{ words: known, redirections: [] }], feedsInput: false, regions: [] };
  if (diagnostics.length === 0) diagnostics.push(...commandHazards(source, script));
  if (diagnostics.length > 0) return { diagnostics };
  const options = checkOptions(source, script);
  if (options.diagnostics.length > 0) return options;
  const guardedWords = made.map((word, index) => guarded(word, known[index]?.pieces ?? [], { source, options }));
  const lone = known.map(({ pieces: [piece, ...others] }) =>
    piece?.kind === "placeholder" && others.length === 0 ? piece : undefined,
  );
  const { needs } = environmentOf(source, script);
  const own = withOwnOptions(guardedWords, lone, { source, takes: options.takes });
  return own.value && own.diagnostics.length === 0
    ? { value: { kind: "direct", words: own.value, ...(needs ? { needs } : {}) }, diagnostics }
    : { diagnostics: own.diagnostics };
}

interface GuardSpot {
  readonly source: CommandSource;
  readonly options: OptionFlow;
}

/** Adds what is known of the values that may begin the word, or a word of a script in it. */
function guarded(plain: Word, pieces: readonly CommandPiece[], { source, options }: GuardSpot): Word {
  const { guards, known, files } = options;
  const whole = withFiles(plain, pieces, files);
  const text = pieces.findIndex((piece) => piece.kind === "text" && piece.text !== "");
  const inner = pieces.flatMap((piece, at) =>
    piece.kind === "placeholder" && text !== -1 && at > text && guards.has(piece) ? [piece.name] : [],
  );
  const word = inner.length === 0 ? whole : withInner(whole, inner);
  const before = (text === -1 ? pieces : pieces.slice(0, text)).filter((piece) => piece.kind === "placeholder");
  const values = before.filter((piece) => mayBeginWithDash(declarationOf(source, piece.name)?.parameter));
  const [use] = values.flatMap((piece) => guards.get(piece) ?? []);
  if (use) return { ...word, reader: readerOf(use) };
  return values.length > 0 && values.every((piece) => known.has(piece)) ? { ...word, isOperand: true } : word;
}

function withFiles(word: Word, pieces: readonly CommandPiece[], files: OptionFlow["files"]): Word {
  const readers = new Map(
    pieces.flatMap((piece) => {
      const file = piece.kind === "placeholder" ? files.get(piece) : undefined;
      return file && piece.kind === "placeholder" ? [[piece.name, file] as const] : [];
    }),
  );
  if (readers.size === 0) return word;
  const parts = word.parts.map((part) => {
    const file = typeof part === "string" ? undefined : readers.get(part.placeholder);
    return file && typeof part !== "string" ? { ...part, file } : part;
  });
  return { ...word, parts };
}

function withInner(word: Word, names: readonly string[]): Word {
  const parts = word.parts.map((part) =>
    typeof part !== "string" && names.includes(part.placeholder) ? { ...part, startsInner: true as const } : part,
  );
  return { ...word, parts };
}

/** Advice that is left out where the same is offered as a fix. */
export const ADD_SHELL = "add `@shell sh` above";

/**
 * Whether a shell would expand something that the author may have meant for the program: in `sh -c "… $i …"`, `$i`
 * belongs to the inner shell.
 */
export function isReadTwice(text: string): boolean {
  // `"Authorization: Bearer $API_TOKEN"` is a variable of the environment, whoever reads it.
  const withoutVariables = text.replaceAll(/\$(?:[A-Z][A-Z0-9_]+|\{[A-Z][A-Z0-9_]+\})/g, "x");
  return (
    isInnerScript(directWords(text)) ||
    directWords(withoutVariables).some(({ tokens }) =>
      tokens.some(
        (token, index) =>
          token.kind === "operator" &&
          tokens.slice(0, index).filter((before) => before.kind === "quote").length % 2 === 1,
      ),
    )
  );
}

function isInnerScript(words: readonly DirectWord[]): boolean {
  const texts = words.map(({ tokens }) => tokens.map((token) => (token.kind === "text" ? token.text : "")).join(""));
  const shell = texts.findIndex((text) => isShell(programName(text)));
  return shell !== -1 && texts.slice(shell + 1).some((text) => /^-[A-Za-z]*c[A-Za-z]*$/.test(text));
}

/** Returns the first problem that makes the rest of the text uncertain; it is reported alone. */
function firstOdd(source: CommandSource, words: readonly DirectWord[]): Diagnostic | undefined {
  for (const token of words.flatMap((word) => word.tokens)) {
    switch (token.kind) {
      case "text":
      case "quote":
      case "placeholder":
        break;
      case "open-quote":
        return unclosed(source, token.start, token.text);
      case "open-escape":
        return commandProblem(source, "unclosed-quote", {
          message: "the backslash at the end escapes nothing",
          start: token.start,
          end: token.start + 1,
          help: ["write `\\\\` for a backslash"],
        });
      case "operator":
        return commandProblem(source, "needs-shell", {
          message: `\`${token.text}\` needs a shell, but this command runs without one`,
          start: token.start,
          end: token.start + 1,
          help: [
            isInnerScript(words)
              ? "put the inner script in single quotes, or write it below `@shell sh` without the `-c`"
              : ADD_SHELL,
            `for a literal character, write \`\\${token.text}\`, or put the word in single quotes`,
          ],
        });
    }
  }
  return undefined;
}

function toWord(source: CommandSource, word: DirectWord, diagnostics: Diagnostic[]): Word {
  const isAlone = word.tokens.length === 1;
  const parts: (string | WordPlaceholder)[] = [];
  for (const token of word.tokens) {
    // An empty text keeps a quoted word a word, whatever its value.
    if (token.kind === "quote") appendText(parts, "");
    else if (token.kind === "text") appendText(parts, token.text);
    else if (token.kind === "placeholder") parts.push(toPlaceholder(source, token, { isAlone, diagnostics }));
  }
  const solid = parts.filter((part) => part !== "");
  return {
    parts:
      solid.length === 0 || (solid.length === 1 && !isAlone && typeof solid[0] !== "string") ? ["", ...solid] : solid,
  };
}

function toPlaceholder(
  source: CommandSource,
  piece: PlaceholderPiece,
  spot: { readonly isAlone: boolean; readonly diagnostics: Diagnostic[] },
): WordPlaceholder {
  const placeholder = { placeholder: piece.name };
  const declaration = declarationOf(source, piece.name);
  if (!declaration) {
    spot.diagnostics.push(unknownPlaceholder(source, piece));
    return placeholder;
  }
  const place = {
    source,
    piece,
    isWord: spot.isAlone,
    bareNote: "joined to other text",
    diagnostics: spot.diagnostics,
  };
  return withFlag(placeholder, declaration, place);
}

export function toCommandWord(word: DirectWord): CommandWord {
  const pieces = word.tokens.filter(
    (token): token is Exclude<DirectToken, { kind: "operator" | "open-quote" | "open-escape" | "quote" }> =>
      token.kind === "text" || token.kind === "placeholder",
  );
  return { pieces: pieces satisfies readonly CommandPiece[], start: word.start, end: word.end };
}
