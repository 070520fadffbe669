// The text of a starter definition: from a command line, from another tool, or an example to change.
import { withoutNeedless } from "../../core/text/literal-braces.ts";
import { doubledBraces } from "../../core/language/write/command-text.ts";
import { hasHidden, quoteWord, singleQuoted } from "../../core/base/quote.ts";
import { type DirectToken, type DirectWord, directWords } from "../../core/shell/direct-words.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { hidden, secretLines, secretsNamed, withoutSecrets } from "./secret-guesses.ts";
import { type GuessedParameter, type LineWord, ParameterGuesses } from "./parameter-guesses.ts";
import { soundsSecret } from "../../core/text/secret-names.ts";
import { splitsIn } from "../../core/shell/options.ts";
import { scanScript } from "../../core/shell/scan.ts";
import { withoutPrefixes } from "../../core/shell/settings.ts";
import { USED } from "../../core/shell/variables.ts";

export interface StarterOptions {
  /** The name without its owner. */
  readonly name: string;
  readonly base: Tool;
}

export function exampleStarter({ name, base }: StarterOptions): string {
  return `Print a text.

Say here what the tool does, when to use it and what comes back: people and models choose tools by these words.

@title ${titleOf(name)}
@name ${name}
@wrapped ${base.definition.name.value}
@command echo {text}
@param text {string} [required] What to print
@example {"text": "hello"}
@test prints its text
    with {"text": "hello"}
    expect exit-code 0
    expect output-contains hello
`;
}

/** Returns a definition of the same tool under another name, ready for other settings. */
export function aliasStarter({ name, base }: StarterOptions): string {
  const { definition, parameters } = base;
  const offered = parameters.filter((parameter) => !parameter.hidden).map((parameter) => parameter.name);
  return `${definition.description.split("\n\n", 1)[0] ?? definition.title}

@title ${titleOf(name)}
@name ${name}
@wrapped ${definition.name.value}
@note Set a parameter for all calls with a line such as \`@with ${offered[0] ?? "name"} = value\`. Parameters: ${offered.join(", ") || "none"}.
`;
}

interface CommandStarter {
  readonly text: string;
  /** The words that look like values, with their index among the words of the line. */
  readonly guesses: readonly { readonly name: string; readonly word: number }[];
  /** The environment variables that hold what the line had of secrets. */
  readonly secretVariables: readonly string[];
}

/**
 * Makes a parameter of each word that looks like a value, with that word as its default, except at indexes in `fixed`.
 */
export function commandStarter(
  given: string,
  { name, base }: StarterOptions,
  fixed: ReadonlySet<number>,
): CommandStarter {
  const { line, secrets } = withoutSecrets(given, {
    tool: name,
    taken: new Set([...environmentNames(given)].map((variable) => variable.toLowerCase())),
  });
  const words = directWords(doubled(line));
  const commands = line.includes("\n") ? undefined : pipedCommands(words);
  const names = commands ? new Set<string>() : environmentNames(line);
  const marked = words.flatMap((word, index) =>
    secrets.some(({ mark }) => textOf(word).includes(mark)) ? [index] : [],
  );
  const { texts, parameters } = guessed(commands ?? [], new Set([...fixed, ...marked]));
  const command = commands
    ? `${commands.length === 1 ? "" : "@shell sh\n"}@command ${withoutNeedless(texts.join(" | "))}`
    : shellCommand(quotedVariables(line, names));
  const environment = environmentLines(names);
  const lines = [
    `Run \`${hidden((line.trim().split("\n", 1)[0] ?? "").slice(0, 200), secrets)}\`${parameters.length > 0 ? ", or the same with other values" : ""}.`,
    "",
    `@title ${titleOf(name)}`,
    `@name ${name}`,
    `@wrapped ${base.definition.name.value}`,
    secretsNamed(command, secrets),
    ...environment,
    ...secretLines(secrets),
    ...parameters.map(
      ({ name: parameter, type, value, description }) =>
        `@param ${parameter} {${type}} [default=${JSON.stringify(value)}] ${description}`,
    ),
    ...(environment.length > 0 || secrets.length > 0
      ? []
      : [
          `@example ${JSON.stringify(Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.value])))}`,
        ]),
  ];
  return {
    text: `${lines.join("\n")}\n`,
    guesses: parameters.map((parameter) => ({ name: parameter.name, word: parameter.word })),
    secretVariables: secrets.map(({ variable }) => variable),
  };
}

/** Returns the words of each command of a line as values; undefined if a shell has to read it. */
export function pipedLine(line: string): readonly (readonly LineWord[])[] | undefined {
  const commands = line.includes("\n") ? undefined : pipedCommands(directWords(doubled(line)));
  return commands?.map((words) => words.map((word) => ({ text: textOf(word), isQuoted: isQuoted(word) })));
}

/** Returns a step's kind and body for a line, in which every word stays as it is. */
export function lineStep(line: string): { readonly kind: "runs" | "sh"; readonly body: string } {
  const commands = pipedLine(line);
  if (!commands) return { kind: "sh", body: keptBraces(line.trim()) };
  return { kind: commands.length === 1 ? "runs" : "sh", body: literalLine(commands) };
}

/** Returns commands with pipes between them, in which every word stays as it is. */
export function literalLine(commands: readonly (readonly Pick<LineWord, "text">[])[]): string {
  return withoutNeedless(commands.map((words) => words.map(({ text }) => literalWord(text)).join(" ")).join(" | "));
}

/** Returns the words of each command, if nothing joins them but pipes and no word needs a shell. */
function pipedCommands(words: readonly DirectWord[]): readonly (readonly DirectWord[])[] | undefined {
  const commands: DirectWord[][] = [[]];
  for (const word of words) {
    const [token] = word.tokens;
    if (word.tokens.length === 1 && token?.kind === "operator" && token.text === "|") commands.push([]);
    else if (needsShell(word)) return undefined;
    else commands.at(-1)?.push(word);
  }
  return commands.every((command) => command.length > 0 && !/^\w+=/.test(textOf(command[0]))) ? commands : undefined;
}

function guessed(
  commands: readonly (readonly DirectWord[])[],
  fixed: ReadonlySet<number>,
): { readonly texts: readonly string[]; readonly parameters: readonly GuessedParameter[] } {
  const texts: string[] = [];
  let parameters: readonly GuessedParameter[] = [];
  let offset = 0;
  for (const words of commands) {
    const line = words.map((word) => ({ text: textOf(word), isQuoted: isQuoted(word) }));
    const guesses = new ParameterGuesses(line, parameters, offset);
    const start = offset;
    const wordAt = (index: number): string => wordText(words, index, fixed.has(start + index) ? undefined : guesses);
    texts.push(words.map((_word, index) => wordAt(index)).join(" "));
    ({ parameters } = guesses);
    offset += words.length;
  }
  return { texts, parameters };
}

/** Returns the word for the template: a placeholder, or the word itself, as always for the program. */
function wordText(words: readonly DirectWord[], index: number, guesses: ParameterGuesses | undefined): string {
  const text = textOf(words[index]);
  // Words that `find -exec` and similar options read themselves.
  const isMark = text === "{}" || text === "+" || text === ";";
  return (index === 0 || isMark ? undefined : guesses?.placeholderFor(index)) ?? literalWord(text);
}

/** Quotes a word for the template, which reads quotes as a shell does, and braces as placeholders: each is doubled. */
function literalWord(text: string): string {
  return text === "{}" ? text : doubledBraces(hasHidden(text) ? singleQuoted(text) : quoteWord(text));
}

function shellCommand(line: string): string {
  const kept = keptBraces(line.trim());
  return kept.includes("\n")
    ? ["@shell sh", "@script", ...kept.split("\n").map((one) => `    ${one}`)].join("\n")
    : `@shell sh\n@command ${kept}`;
}

/** Braces without a name in them belong to the shell. */
function keptBraces(line: string): string {
  return line.replaceAll(/(?<!\$)\{([A-Za-z_][A-Za-z0-9_-]*)\}/g, "{{$1}}");
}

/** Returns whether the word has operators, or unquoted text that a shell would expand. */
function needsShell(word: DirectWord): boolean {
  let isInside = false;
  const isAddress = /^https?:\/\//.test(textOf(word));
  for (const [index, token] of word.tokens.entries()) {
    if (token.kind === "quote") isInside = !isInside;
    else if (token.kind !== "text") return true;
    else if (!isInside && !isAddress && (/[*?[]/.test(token.text) || (index === 0 && /^[~#]/.test(token.text))))
      return true;
  }
  return false;
}

function isQuoted(word: DirectWord | undefined): boolean {
  return word?.tokens.some((token) => token.kind === "quote") ?? false;
}

function textOf(word: DirectWord | undefined): string {
  return (word?.tokens ?? []).map((token: DirectToken) => (token.kind === "text" ? token.text : "")).join("");
}

function titleOf(name: string): string {
  return name
    .split(/[-_]+|(?<=[a-z0-9])(?=[A-Z])/)
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}

// Variables that are passed anyway, set by the shell itself, or never passed.
const NOT_ASKED =
  /^(PATH|HOME|LANG|LC_.*|TERM|TMPDIR|USER|LOGNAME|SHELL|TZ|_+|PWD|OLDPWD|IFS|RANDOM|SECONDS|LINENO|PPID|UID|EUID|HOSTNAME|SHLVL|OPTARG|OPTIND|OPTERR|REPLY|ENV|(LD|DYLD|BASH|GIT|DOTTOOL)_.*)$/;

/** Returns the names of the variables; lower-case names are taken to be the script's own. */
export function environmentNames(script: string): ReadonlySet<string> {
  // The shell does not expand text in single quotes or after a backslash.
  const read = script.replaceAll(/\\.|"(?:\\.|[^"\\])*"|'[^']*'/gs, (part) =>
    part.startsWith('"') ? part.replaceAll(/\\./gs, "") : "",
  );
  return new Set(
    [...read.matchAll(/\$\{?([A-Z_][A-Z0-9_]*)/g)].flatMap(([, name]) =>
      name === undefined || NOT_ASKED.test(name) || isAssigned(name, script) ? [] : [name],
    ),
  );
}

/** Returns lines of a definition. */
function environmentLines(names: ReadonlySet<string>): readonly string[] {
  return [...names].flatMap((name) => {
    const parameter = name.toLowerCase();
    return [
      `@env ${name}={${parameter}}`,
      `@param ${parameter} {string} [required${soundsSecret(name) ? ", secret" : ""}, env=${name}] From the environment`,
    ];
  });
}

function isAssigned(name: string, script: string): boolean {
  return new RegExp(`\\b${name}\\+?=|\\b(?:for|read|export|local)\\b[^;|&]*\\b${name}\\b|\\$\\{${name}:?[-=]`).test(
    script,
  );
}

/** Returns the script with quotes around these variables, so that a value with blanks stays one word. */
function quotedVariables(script: string, names: ReadonlySet<string>): string {
  const commands = scanScript(script, { knowsTests: true }).commands.filter(({ isList }) => !isList);
  const found = commands
    .flatMap(({ words }) => splitsIn(withoutPrefixes(words), true))
    .filter(({ text, group }) => !group && [...text.matchAll(USED)].some((match) => names.has(match[1] ?? "")));
  const places = [...new Map(found.map((expansion) => [expansion.start, expansion])).values()];
  return places
    .sort((one, other) => other.start - one.start)
    .reduce(
      (text, { start, text: written }) => `${text.slice(0, start)}"${written}"${text.slice(start + written.length)}`,
      script,
    );
}

/** Text as it is written in a command, where braces are places of values. */
function doubled(text: string): string {
  return withoutNeedless(doubledBraces(text));
}
