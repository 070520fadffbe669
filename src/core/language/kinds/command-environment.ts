// What a command needs of the environment, and the variables that a script reads though nothing passes them on.
import { environmentRows } from "../../../generated/program-data.ts";
import type { Diagnostic } from "../../text/diagnostic.ts";
import { soundsSecret } from "../../text/secret-names.ts";
import type { EnvironmentNeeds } from "../../tool/command.ts";
import { type EnvironmentRead, environmentReads } from "../../shell/environment-reads.ts";
import { programOfFirstLine } from "../../shell/script-programs.ts";
import { literalText, type ReadScript, type SimpleCommand } from "../../shell/pieces.ts";
import { programName, rulesOf } from "../../shell/programs.ts";
import { withoutPrefixes } from "../../shell/settings.ts";
import type { Analysis } from "../analysis.ts";
import { spanWithin } from "../syntax/ast.ts";
import type { DirectWord } from "../../shell/direct-words.ts";
import { dollarsOf } from "../checks/plain-text.ts";
import {
  annotationStart,
  type CommandSource,
  commandProblem,
  declaredHere,
  type DeclaredEnvironment,
} from "./command-problems.ts";

interface ReadEnvironment {
  readonly needs?: EnvironmentNeeds;
  readonly problems: readonly Diagnostic[];
}

export function environmentOf(source: CommandSource, script: ReadScript): ReadEnvironment {
  const programs = programEnvironment(script.commands);
  // zsh has many variables of its own, and a parameter's name is told elsewhere.
  const found = script.shell === "sh" || script.shell === "bash" ? environmentReads(script) : [];
  const names = new Set(source.declarations.map(({ parameter }) => parameter.name));
  const reads = found.filter(({ name }) => !names.has(name));
  const harms = reads.filter((read) => read.harms !== undefined).map(({ name }) => name);
  const needs: EnvironmentNeeds = {
    ...(programs.length === 0 ? {} : { programs }),
    ...(reads.length === 0 ? {} : { reads: reads.map(({ name }) => name) }),
    ...(harms.length === 0 ? {} : { harms }),
  };
  const { environment } = source;
  return {
    ...(Object.keys(needs).length === 0 ? {} : { needs }),
    problems: environment
      ? [
          ...found.flatMap((read) => (names.has(read.name) ? (unsetParameter(source, read, environment) ?? []) : [])),
          ...reads
            .filter(({ name }) => !environment.names.has(name) && !programs.includes(name))
            .flatMap((read) => undeclared(source, read, environment) ?? []),
        ]
      : [],
  };
}

/** Reports `$name` of a parameter, which would be empty. */
function unsetParameter(
  source: CommandSource,
  { name, start, end }: EnvironmentRead,
  { names }: DeclaredEnvironment,
): Diagnostic | undefined {
  const { text } = source.text;
  if (names.has(name) || names.has("*") || text[start] !== "$") return undefined;
  const uses = dollarsOf(source).filter((one) => one.name === name);
  // Where the value has its place already, or in quotes, a program may be meant to read the name.
  const isSure =
    !new RegExp(`(?<!\\$)\\{${name}\\}`).test(text) && uses.every((one) => !text.slice(0, one.start).includes("'"));
  const edits = uses.map((one) => ({ span: spanWithin(source.text, one.start, one.end), text: `{${name}}` }));
  return commandProblem(source, "undeclared-variable", {
    message: `\`${text.slice(start, end)}\` is a variable of the shell that nothing sets: a value is written \`{${name}}\``,
    start,
    end,
    related: declaredHere(source, name),
    ...(isSure
      ? { fix: { title: `write \`{${name}}\``, edits } }
      : { help: ["for text that a program reads, put the word in single quotes"] }),
  });
}

function undeclared(
  source: CommandSource,
  { name, start, end, harms }: EnvironmentRead,
  environment: DeclaredEnvironment,
): Diagnostic | undefined {
  if (harms === undefined && environment.names.has("*")) return undefined;
  const passing = environment.passing(name, spanWithin(source.text, start, end).start);
  // A name in small letters may be a slip.
  const edit = /^[A-Z]/.test(name) ? passing.edit : undefined;
  const isWritten = source.text.text.slice(start, end).startsWith("$");
  const problem = commandProblem(source, "undeclared-variable", {
    message:
      harms === undefined
        ? `a model's call has no \`$${name}\`: nothing passes it on`
        : `without a value, \`$${name}\` makes \`${harms}\` act on another place`,
    start: isWritten ? start : 0,
    end: isWritten ? end : 1,
    help: [
      ...(edit ? [] : [`pass it on by name, with ${passing.words}`]),
      harms === undefined ? `or give it a default, \`\${${name}:-…}\`` : `or end without it: \`\${${name}:?}\``,
    ],
    ...(edit ? { fix: { title: `pass it on with ${passing.words}`, edits: [edit] } } : {}),
  });
  return { ...problem, severity: harms === undefined ? "warning" : "error" };
}

/** Returns the variables of all `@env`. */
export function declaredEnvironment(analysis: Analysis): DeclaredEnvironment {
  const { source } = analysis.file;
  const lineAbove = (line: string, place: number): ReturnType<DeclaredEnvironment["passing"]> => {
    const at = annotationStart(source.text, place);
    const edit = at === undefined ? {} : { edit: { span: { source, start: at, end: at }, text: `${line}\n` } };
    return { words: `\`${line}\``, ...edit };
  };
  return {
    names: new Set([
      ...analysis.all("env").flatMap(({ text }) => /^\w+/.exec(text.text)?.[0] ?? []),
      ...analysis.all("env-file").map(() => "*"),
      ...analysis.all("env-inherit").flatMap(({ text }) => (text.text === "yes" ? ["*"] : [])),
    ]),
    values: (["env", "stdin", "cwd"] as const)
      .flatMap((keyword) => analysis.all(keyword).map(({ text, body }) => `${text.text}\n${body?.text ?? ""}`))
      .join("\n"),
    passing: (name, at) => lineAbove(soundsSecret(name) ? `@env ${name}=secret:${name}` : `@env ${name}`, at),
    giving: (variable, value, at) => lineAbove(`@env ${variable}=${value}`, at),
  };
}

const VARIABLE = /^([A-Za-z_]\w*)=(?:"([^"]*)"|'([^']*)'|([^]*))$/;

/** Only a shell reads `NODE_ENV={env} node …` as a variable of the program; the annotation for it means the same. */
export function variablesBefore(source: CommandSource, words: readonly DirectWord[]): Diagnostic | undefined {
  const { text } = source.text;
  const at = words.findIndex(({ start, end }) => !VARIABLE.test(text.slice(start, end)));
  const program = words[at];
  const [first] = words;
  if (!first || !program || at === 0) return undefined;
  const lines = words.slice(0, at).map(({ start, end }) => {
    const [, name = "", double, single, plain = ""] = VARIABLE.exec(text.slice(start, end)) ?? [];
    return `@env ${name}=${double ?? single ?? plain}`;
  });
  const { source: file, start } = spanWithin(source.text, first.start, program.start);
  const line = annotationStart(file.text, start);
  const edits = [
    ...(line === undefined
      ? []
      : [{ span: { source: file, start: line, end: line }, text: lines.map((one) => `${one}\n`).join("") }]),
    { span: spanWithin(source.text, first.start, program.start), text: "" },
  ];
  const title = `write \`${lines[0]}\``;
  return commandProblem(source, "variable-before-program", {
    message: `\`${text.slice(first.start, first.end)}\` is not a program: only a shell reads variables before one`,
    start: first.start,
    end: first.end,
    help: line === undefined ? [title] : [],
    ...(line === undefined ? {} : { fix: { title, edits } }),
  });
}

const INTERPRETER = /^#![ \t]*(?:\/usr\/bin\/env[ \t]+(?:-S[ \t]+)?)?(?:\S*\/)?([\w.+-]+)/;
const SHELLS = /^(?:sh|dash|ash|bash|zsh|ksh)$/;

/** Reports a script that says which program reads it, where a shell would read it instead. */
export function otherInterpreter(source: CommandSource, shell: string): Diagnostic | undefined {
  const [whole = "", program = ""] = INTERPRETER.exec(source.text.text.trimStart()) ?? [];
  const isSame = program === "" || program === shell || (SHELLS.test(program) && shell !== "sh") || program === "sh";
  if (isSame || program === "dash") return undefined;
  const start = source.text.text.indexOf(whole);
  return commandProblem(source, "other-interpreter", {
    message: `\`${whole}\` is a comment here: \`${shell}\` reads this script, and not \`${program}\``,
    start,
    end: start + whole.length,
    help: [
      SHELLS.test(program)
        ? `write \`@shell ${program}\``
        : programOfFirstLine(source.text.text.trimStart())
          ? "leave out the shell: the first line says which program reads the script"
          : `put the script in a file, and run it with its values: \`@command ${program} ./NAME {value}\``,
    ],
  });
}

/** Says that what a call starts ends with it. */
export function stayingBehind(source: CommandSource, script: ReadScript): readonly Diagnostic[] {
  const program = script.commands
    .map(({ words }) => literalText(withoutPrefixes(words)[0]) ?? "")
    .find((name) => /^(?:nohup|disown)$/.test(name));
  if (program === undefined || !/(?<![&>|])&(?![&>|])/.test(source.text.text)) return [];
  const start = source.text.text.indexOf(program);
  const problem = commandProblem(source, "ends-with-call", {
    message: `\`${program}\` keeps nothing alive: all that a call starts ends with it`,
    start,
    end: start + program.length,
    help: ["leave it and the `&` out, and call the tool with `--detach` to run it in the background"],
  });
  return [{ ...problem, severity: "warning" }];
}

/** Words after which the program of a wrapper may stand: `timeout 5 aws …`. */
const WORDS_MAX = 8;

/** Returns the variables that programs need to find their account, their server or their libraries. */
function programEnvironment(commands: readonly SimpleCommand[]): readonly string[] {
  const names = new Set(
    commands.flatMap(({ words }) => {
      const [first = "", ...others] = withoutPrefixes(words).map((word) => programName(literalText(word) ?? ""));
      return rulesOf(first).some(({ runs }) => runs) ? [first, ...others.slice(0, WORDS_MAX)] : [first];
    }),
  );
  return [
    ...new Set(
      environmentRows.flatMap((row) =>
        row.names.split(" ").some((name) => names.has(name)) ? row.variables.split(" ") : [],
      ),
    ),
  ].sort();
}
