// Parses `@command` and `@script` into words, or into a script with places for values. A value never becomes program
// text: a place where it could is refused when the definition is read.
import type { Checked, Diagnostic, Fix } from "../../text/diagnostic.ts";
import type { CommandTemplate, Shell } from "../../tool/command.ts";
import type { Declaration, MappedText } from "../syntax/ast.ts";
import { ADD_SHELL, isReadTwice, parseDirectCommand } from "./command-direct.ts";
import { parseShellCommand } from "./command-shell.ts";
import { parseWindowsCommand } from "./windows-scripts.ts";
import { type ReferenceScope, referringText } from "../syntax/references.ts";
import { annotationStart, type CommandSource, commandProblem, type DeclaredEnvironment } from "./command-problems.ts";
import { optionValues } from "../checks/option-values.ts";
import { dollarsOf, goTemplates, homePaths, plainTexts } from "../checks/plain-text.ts";
import { secretWords } from "./command-secret-words.ts";
import { lostBackslashes, lostQuotes } from "../checks/lost-characters.ts";
import { textInJson } from "../checks/text-in-json.ts";
import { outputsInside, parseProgramScript } from "./program-script.ts";
import { programFor, type ScriptProgram } from "../../shell/script-programs.ts";
import { directWords } from "../../shell/direct-words.ts";

/** The limit of a script. A longer one fits no command line, where one word may have 128 KiB, values included. */
const SCRIPT_CHARACTERS_MAX = 65_536;
/** The limit of a command without a shell, which is far more than anyone writes on a line. */
export const COMMAND_CHARACTERS_MAX = 16_384;

export function parseCommand(
  body: MappedText,
  shell: Shell | "none" | ScriptProgram,
  given: readonly Declaration[] | Omit<CommandSource, "text">,
): Checked<CommandTemplate> {
  const source: CommandSource = { text: body, ...("declarations" in given ? given : { declarations: given }) };
  const { text } = body;
  const end = text.length;
  const charactersMax = shell === "none" ? COMMAND_CHARACTERS_MAX : SCRIPT_CHARACTERS_MAX;
  if (end > charactersMax) {
    const message = `this has ${end.toLocaleString("en")} characters, and the limit is ${charactersMax.toLocaleString("en")}`;
    return {
      diagnostics: [
        commandProblem(source, "too-large", {
          message,
          start: 0,
          end: 1,
          help: ["put the script in a file and run the file"],
        }),
      ],
    };
  }
  const nul = text.indexOf("\0");
  if (nul !== -1)
    return {
      diagnostics: [
        commandProblem(source, "not-text", {
          message: "a NUL character cannot be passed to a program",
          start: nul,
          end: nul + 1,
        }),
      ],
    };
  const program = programFor(text, shell);
  if (program || typeof shell === "object") return parseProgramScript(source, program ?? []);
  const plain = [
    ...plainTexts(source, shell),
    ...(shell === "none"
      ? [
          ...goTemplates(source),
          ...homePaths(source, annotationStart(source.text.span.source.text, source.text.span.start)),
        ]
      : []),
  ];
  if (plain.some(({ code }) => code === "unknown-shell")) return { diagnostics: plain };
  const { value, diagnostics: found } = parsed(source, shell);
  // What else is wrong in the same place is so because of it.
  const isApart = ({ at }: Diagnostic): boolean =>
    !plain.some(({ at: told }) => at && told && at.span.start < told.span.end && told.span.start < at.span.end);
  const diagnostics = [...plain, ...found.filter(isApart)];
  if (plain.some(({ severity }) => severity === "error")) return { diagnostics };
  return value
    ? {
        value,
        diagnostics: [
          ...diagnostics,
          ...secretWords(source, shell),
          ...(shell === "pwsh" || shell === "cmd" ? [] : [...lostBackslashes(source.text), ...lostQuotes(source.text)]),
          ...textInJson(source, shell),
          ...optionValues(source, shell),
        ],
      }
    : { diagnostics };
}

/** Reads a command that may refer to the outputs of steps. The text of a program is taken as it is. */
export function parseReferringCommand(
  body: MappedText,
  shell: Shell | "none" | ScriptProgram,
  { scope, environment }: { readonly scope: ReferenceScope; readonly environment?: DeclaredEnvironment | undefined },
): Checked<CommandTemplate> {
  const given = environment ? { environment } : {};
  if (programFor(body.text, shell)) {
    const source = { text: body, declarations: scope.parameters, ...given };
    const diagnostics = outputsInside(
      source,
      scope.steps.map(({ name }) => name),
    );
    return diagnostics.length > 0 ? { diagnostics } : parseCommand(body, shell, source);
  }
  const { text, declarations, diagnostics, restored } = referringText(body, scope);
  const read = restored(parseCommand(text, shell, { declarations, ...given }));
  return { ...read, diagnostics: [...diagnostics, ...read.diagnostics] };
}

function parsed(source: CommandSource, shell: Shell | "none"): Checked<CommandTemplate> {
  switch (shell) {
    case "none":
      return withShellFix(source, parseDirectCommand(source));
    case "sh":
    case "bash":
    case "zsh":
      return parseShellCommand(source, shell);
    case "pwsh":
    case "cmd":
      return parseWindowsCommand(source, shell);
  }
}

/**
 * Offers `@shell sh` as a fix where the template, read as a script, means the same and has no other problems than
 * unknown names, which are wrong either way and reported too.
 */
function withShellFix(source: CommandSource, checked: Checked<CommandTemplate>): Checked<CommandTemplate> {
  const needsShell = checked.diagnostics.find((diagnostic) => diagnostic.code === "needs-shell");
  if (!needsShell) return checked;
  const dollars = dollarsOf(source);
  if (dollars.length > 0) {
    const help = `a value is written \`{${dollars[0]?.name ?? ""}}\`, without a \`$\`; text that a program reads is in single quotes`;
    return { diagnostics: [{ ...needsShell, help: [help] }] };
  }
  const glued = gluedOperator(source);
  const inScript = parseShellCommand(source, "sh").diagnostics.filter(({ severity }) => severity === "error");
  const names = inScript.filter((diagnostic) => diagnostic.code === "unknown-placeholder");
  if (glued) return { diagnostics: [glued, ...names] };
  const { source: file, start } = source.text.span;
  const at = annotationStart(file.text, start);
  if (at === undefined || isReadTwice(source.text.text)) return { diagnostics: [needsShell, ...names] };
  const span = { source: file, start: at, end: at };
  const fix: Fix = { title: "add `@shell sh`", edits: [{ span, text: "@shell sh\n" }] };
  // What else is wrong in the script is told with it, and then a person chooses.
  if (names.length < inScript.length) return { diagnostics: [{ ...needsShell, offers: [fix] }, ...inScript] };
  const help = needsShell.help.filter((line) => line !== ADD_SHELL);
  return { diagnostics: [{ ...needsShell, help, fix }, ...names] };
}

// An operator within a word of a command that runs without a shell: `http://host/?q=a&page=2`. Under `@shell sh` it
// would split the word and run the rest, so that is not offered as a fix.

/** Characters that end a word; `$` and the backquote do not. */
const ENDS_WORD = /[|&;<>()]/;
/** Matches `2>file`: redirections are written without blanks. */
const REDIRECTION = /^\d+[<>]/;
/** Matches the start of `$(…)`, whose text is a separate command. */
const INNER = /\$\(|`/;

/** Returns the diagnostic for the first word with text on both sides of an operator. */
function gluedOperator(source: CommandSource): Diagnostic | undefined {
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
    return commandProblem(source, "operator-in-word", {
      message: `\`${text[at] ?? ""}\` is a shell operator in the middle of a word`,
      start: start + at,
      end: start + at + 1,
      help: ["put the word in single quotes if it is text", "put spaces around it if it is meant for a shell"],
    });
  }
  return undefined;
}
