// The problems of a command or script, each worded once.
import { nearestNames, sureName } from "../../text/suggest.ts";
import type { Diagnostic, Edit, Fix, Label } from "../../text/diagnostic.ts";
import type { DiagnosticCode } from "../../text/codes.ts";
import { diagnosticOf } from "../findings.ts";
import { wordedFor } from "../yaml-words.ts";
import { type Declaration, type MappedText, spanWithin } from "../syntax/ast.ts";
import type { PlaceholderPiece } from "../../shell/pieces.ts";

/** The text being read, and what its placeholders may name. */
export interface CommandSource {
  readonly text: MappedText;
  readonly declarations: readonly Declaration[];
  /** Absent: nothing is said about variables that the definition does not name. */
  readonly environment?: DeclaredEnvironment;
}

export interface DeclaredEnvironment {
  /** Variables that the definition passes on or sets; `*` stands for all. */
  readonly names: ReadonlySet<string>;
  /** How the language of the file passes on a variable that is read at this place of the file. */
  passing(name: string, at: number): Passing;
  /** What stands around the command with `{NAME}` for values, as written. */
  readonly values: string;
  /** The same for a variable with this value, such as `{NAME}`. */
  giving(variable: string, value: string, at: number): Passing;
}

interface Passing {
  readonly words: string;
  readonly edit?: Edit;
}

/** A text whose parameters are only known by name, for messages that do not point at a declaration. */
interface NamedSource {
  readonly text: MappedText;
  readonly declarations: readonly string[] | readonly Declaration[];
}

interface Problem {
  readonly message: string;
  /** The offset in the text read. */
  readonly start: number;
  readonly end: number;
  /** An explanation of the place. */
  readonly note?: string;
  readonly related?: readonly Label[];
  readonly help?: readonly string[];
  readonly fix?: Fix | undefined;
}

export function commandProblem(source: NamedSource, code: DiagnosticCode, details: Problem): Diagnostic {
  const { message, start, end, note = "", help = [], related = [], fix } = details;
  const worded = (text: string): string => wordedFor(source.text.span.source, text);
  const at = spanWithin(source.text, start, end);
  return diagnosticOf(code, worded(message), { at, label: note, related, help: help.map(worded), fix });
}

export function declarationOf(source: Pick<NamedSource, "declarations">, name: string): Declaration | undefined {
  for (const known of source.declarations) if (typeof known !== "string" && known.parameter.name === name) return known;
  return undefined;
}

/** The limit for one tool: each search compares with every name. */
const NEAR_NAMES_MAX = 100;
const SHOWN_NAMES_MAX = 20;
const nearNames = new WeakMap<NamedSource["declarations"], Map<string, string | undefined>>();

/** Returns the declared name nearest to an unknown one, or undefined after the limit. */
export function nearName({ declarations }: NamedSource, name: string): string | undefined {
  const known = nearNames.get(declarations) ?? new Map<string, string | undefined>();
  nearNames.set(declarations, known);
  if (!known.has(name) && known.size < NEAR_NAMES_MAX) known.set(name, nearestNames(name, namesOf(declarations))[0]);
  return known.get(name);
}

function namesOf(declarations: NamedSource["declarations"]): readonly string[] {
  return declarations.map((known) => (typeof known === "string" ? known : known.parameter.name));
}

function shownNames(declarations: NamedSource["declarations"]): string {
  const names = namesOf(declarations.slice(0, SHOWN_NAMES_MAX))
    .map((name) => `\`${name}\``)
    .join(", ");
  return declarations.length <= SHOWN_NAMES_MAX ? names : `${names} and ${declarations.length - SHOWN_NAMES_MAX} more`;
}

/** Reports an unknown placeholder. `written` is the whole text in the braces, if it is more than the name. */
export function unknownPlaceholder(
  source: NamedSource,
  piece: { readonly name: string; readonly start: number; readonly written?: string },
): Diagnostic {
  const near = nearName(source, piece.name);
  const place = { start: piece.start + 1, end: piece.start + 1 + piece.name.length };
  const span = spanWithin(source.text, place.start, place.end);
  const message = `cannot find \`${piece.name}\` in this tool`;
  if (near === undefined) {
    const declared = source.declarations.length === 0 ? [] : [`the tool has ${shownNames(source.declarations)}`];
    const help = [
      ...declared,
      `declare it with \`@param ${piece.name} {string} …\`, or write \`{{${piece.written ?? piece.name}}}\` for the literal text`,
    ];
    return commandProblem(source, "unknown-placeholder", { message, ...place, help });
  }
  return commandProblem(source, "unknown-placeholder", {
    message,
    ...place,
    note: `did you mean \`${near}\`?`,
    related: declaredHere(source, near),
    ...(sureName(piece.name, namesOf(source.declarations)) === near
      ? { fix: { title: `use \`${near}\``, edits: [{ span, text: near }] } }
      : { help: [`if not, declare it with \`@param ${piece.name} {string} …\``] }),
  });
}

export function arrayInWord(source: CommandSource, piece: PlaceholderPiece, note: string): Diagnostic {
  return commandProblem(source, "array-in-word", {
    message: `\`${piece.name}\` is an array, so it cannot be part of a word`,
    ...piece,
    note,
    related: declaredHere(source, piece.name),
    help: [`write \`{${piece.name}}\` as a separate word, without quotes: it becomes one word for each item`],
  });
}

export function flagInWord(source: CommandSource, piece: PlaceholderPiece): Diagnostic {
  return commandProblem(source, "array-in-word", {
    message: `\`${piece.name}\` has a \`flag\`, so it becomes whole words`,
    ...piece,
    related: declaredHere(source, piece.name),
    help: [`write \`{${piece.name}}\` as a separate word, without quotes`],
  });
}

/** Reports a parameter in the place of a program. `help` says how the shell chooses between programs. */
export function parameterAsProgram(
  source: CommandSource,
  piece: PlaceholderPiece,
  help: readonly string[] = [],
): Diagnostic {
  return commandProblem(source, "parameter-as-program", {
    message: `\`{${piece.name}}\` would choose the program to run`,
    ...piece,
    note: "this is the name of a program",
    related: declaredHere(source, piece.name),
    help: [
      "write out the program's name",
      ...(help.length > 0 ? help : ["to choose between programs, write `@shell sh` and a `case`"]),
      codeHelp(source, piece.name),
    ],
  });
}

/** How an author says that the value is meant to be a program. */
export function codeHelp(source: NamedSource, name: string): string {
  const schema = declarationOf(source, name)?.parameter.schema;
  const type = schema?.type === "array" ? "array<code>" : "code";
  return `or declare \`${name}\` as \`{${type}}\`: the value is a program on purpose, and a model's call is asked about`;
}

/** `note`: what would read the value as a program. */
export function unsafePlaceholder(
  source: CommandSource,
  piece: PlaceholderPiece,
  danger: { readonly note: string; readonly help: readonly string[] },
): Diagnostic {
  return commandProblem(source, "unsafe-placeholder", {
    message: `the value of \`{${piece.name}}\` could become program text here`,
    ...piece,
    note: danger.note,
    related: declaredHere(source, piece.name),
    help: danger.help,
  });
}

export function emptyCommand(source: CommandSource): Diagnostic {
  return commandProblem(source, "empty-command", {
    message: "the command is empty",
    start: 0,
    end: source.text.text.length,
    help: ["write a program and its arguments, such as `git log`"],
  });
}

export function unclosed(source: CommandSource, start: number, opener: string): Diagnostic {
  return commandProblem(source, "unclosed-quote", {
    message: `this \`${opener}\` is not closed`,
    start,
    end: start + opener.length,
  });
}

export function declaredHere(source: NamedSource, name: string): readonly Label[] {
  const declaration = declarationOf(source, name);
  return declaration ? [{ span: declaration.span, text: "declared here" }] : [];
}

/** Returns the start of the line with the annotation that the text belongs to. */
export function annotationStart(text: string, from: number): number | undefined {
  for (let end = from; end >= 0; ) {
    const start = end === 0 ? 0 : text.lastIndexOf("\n", end - 1) + 1;
    const indent = /[ \t\ufeff]*/y.exec(text.slice(start, from))?.[0] ?? "";
    const at = start + indent.length;
    if (text[at] === "@" && at < from) return at;
    if (start === 0) return undefined;
    end = start - 1;
  }
  return undefined;
}
