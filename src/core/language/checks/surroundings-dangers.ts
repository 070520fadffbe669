// What surrounds a process can decide what it runs: text on standard input that a shell reads, and variables such as
// PATH. No value may become a part of it, nor an option of a program that the script gives it to.
import { isCode } from "../../schema/program-text.ts";
import type { Span } from "../../text/source.ts";
import type { CommandTemplate } from "../../tool/command.ts";
import type { Surroundings } from "../../tool/definition.ts";
import { runReferences } from "../../tool/step.ts";
import type { Template } from "../../tool/template.ts";
import type { Declaration } from "../syntax/ast.ts";
import { onlyPrints } from "../../shell/dashes.ts";
import { isSpecialVariable } from "../../shell/environment.ts";
import { readerOf } from "../kinds/command-option-problems.ts";
import { STDIN, optionFlow } from "../../shell/options.ts";
import { mayBecomeWords, mayHoldDash } from "../../shell/shell-safe.ts";
import type { Findings } from "../findings.ts";
import { scriptDangers } from "../../shell/hazards.ts";
import { type CommandWord, literalText, type PlaceholderPiece, type ReadScript } from "../../shell/pieces.ts";
import type { OptionUse } from "../../shell/readers.ts";
import { scanScript } from "../../shell/scan.ts";
import { readScript } from "../kinds/windows-scripts.ts";

export interface PlacedTemplate {
  readonly template: Template;
  readonly span: Span;
  readonly declarations: readonly Declaration[];
}

export function checkInput(
  { template, span, declarations }: PlacedTemplate,
  commands: readonly CommandTemplate[],
  findings: Findings,
): void {
  if (!takesAnyText(template, declarations)) return;
  const values = valuesOf(template, declarations);
  const unread = commands.map((command) => scriptOf(command).unread).find((what) => what !== undefined);
  if (unread !== undefined && !isProgramText(template, declarations))
    return findings.error(
      "unsafe-placeholder",
      `\`${unread}\` is not followed in a script, so no value can be its input`,
      {
        at: span,
        help: ["put the script in a file, and run that file"],
      },
    );
  const reader = commands.map(programReadingInput).find((program) => program !== undefined);
  if (reader !== undefined && isProgramText(template, declarations)) return;
  if (reader !== undefined)
    findings.error("unsafe-placeholder", `\`${reader}\` runs what it reads, so its input cannot contain a value`, {
      at: span,
      help: [
        `pass \`${reader}\` its program as an argument, so that standard input is only data`,
        "or declare the parameter as `{code}`: the value is a program on purpose, and a model's call is asked about",
      ],
    });
  else
    checkGiven(
      commands.map((command) => useOfGiven(command, STDIN, values)),
      { noun: "standard input", span },
      findings,
    );
}

/** A call does not check values in the standard input. */
function checkGiven(
  uses: readonly GivenUse[],
  { noun, span }: { readonly noun: string; readonly span: Span },
  findings: Findings,
): void {
  const [split] = uses.flatMap((use) => use.split ?? []);
  if (split !== undefined)
    return findings.error("unquoted-value", `without quotes, a shell splits \`${split}\` into several words`, {
      at: span,
      label: `it contains a part of ${noun}`,
      help: [`write \`"${split}"\` there`],
    });
  const [taken] = uses.flatMap(({ cut, whole, isFed }) =>
    cut ? [{ use: cut, isFed }] : whole && !whole.isValue && !onlyPrints(whole.name) ? [{ use: whole, isFed }] : [],
  );
  if (!taken) return;
  const { use, isFed } = taken;
  const help =
    use.instead === undefined
      ? `put \`--\` before ${isFed ? "the arguments that `xargs` adds" : "it"} there`
      : `${use.program} accepts options even after \`--\`: put \`./\` before it there if it is a file`;
  findings.error("parameter-as-option", `a part of ${noun} could become an option of ${use.program}`, {
    at: span,
    help: [help],
  });
}

/**
 * Guards variables. Each is returned with the program that would read its value as an option, and a call guards it like
 * a word.
 */
export function guardedEnvironment(
  environment: Surroundings["environment"],
  {
    commands,
    placed,
  }: {
    readonly commands: readonly CommandTemplate[];
    placed(variable: Surroundings["environment"][number]): PlacedTemplate;
  },
  findings: Findings,
): Surroundings["environment"] {
  return environment.map((variable) => {
    const { span, template, declarations } = placed(variable);
    if (isOfRun(template, declarations) || !takesAnyText(template, declarations)) return variable;
    const values = valuesOf(template, declarations);
    const uses = commands.map((command) => useOfGiven(command, variable.name, values));
    checkGiven(
      uses.map(({ whole: _guarded, ...use }) => use),
      { noun: `\`${variable.name}\``, span },
      findings,
    );
    const [whole] = uses.flatMap((use) => use.whole ?? []);
    return whole && typeof template.parts[0] !== "string" ? { ...variable, reader: readerOf(whole) } : variable;
  });
}

export function checkVariable(
  name: string,
  { template, span, declarations }: PlacedTemplate,
  findings: Findings,
): void {
  if (!isSpecialVariable(name) || !takesAnyText(template, declarations) || isProgramText(template, declarations))
    return;
  findings.error("unsafe-placeholder", `\`${name}\` decides what programs run, so it cannot contain a value`, {
    at: span,
    help: ["use another variable, or declare choices for the parameter, or declare it as `{code}`"],
  });
}

/** Whether the text is of a run: dottool names the folder in `{TEMP_DIR}/cache`, not a caller. */
function isOfRun({ parts }: Template, declarations: readonly Declaration[]): boolean {
  return parts.every(
    (part) =>
      typeof part === "string" ||
      (runReferences.some((name) => name === part.placeholder) &&
        declarations.every(({ parameter, isOfRun: isOwn }) => parameter.name !== part.placeholder || isOwn === true)),
  );
}

function valuesOf({ parts }: Template, declarations: readonly Declaration[]): GivenValues {
  const parameters = parts.flatMap((part) =>
    typeof part === "string"
      ? []
      : (declarations.find(({ parameter }) => parameter.name === part.placeholder)?.parameter ?? []),
  );
  return {
    mayHoldDash: parameters.some(({ flags, schema }) => !flags && mayHoldDash(schema)),
    mayBecomeWords: parameters.some(({ schema }) => mayBecomeWords(schema)),
  };
}

/** Whether the author declares every value in it as program text. */
function isProgramText({ parts }: Template, declarations: readonly Declaration[]): boolean {
  return parts.every(
    (part) =>
      typeof part === "string" ||
      isCode(declarations.find(({ parameter }) => parameter.name === part.placeholder)?.parameter.schema),
  );
}

/** Whether the value of a placeholder may be any text. */
export function takesAnyText(template: Template, declarations: readonly Declaration[]): boolean {
  return template.parts.some((part) => {
    const schema =
      typeof part === "string"
        ? undefined
        : declarations.find(({ parameter }) => parameter.name === part.placeholder)?.parameter.schema;
    if (typeof part === "string") return false;
    return !(
      schema?.type === "integer" ||
      schema?.type === "number" ||
      schema?.type === "boolean" ||
      (schema?.type === "string" && schema.choices !== undefined)
    );
  });
}

// Programs and the values that reach them without a placeholder. They may run standard input, or take a part of it, or
// an environment variable, as an option.

/** The command as written. Undefined if standard input is only data. */
export function programReadingInput(command: CommandTemplate): string | undefined {
  const script = scriptOf(command);
  const given = { words: [{ pieces: [input] }], redirections: [], isList: true as const };
  const isRun = (one: ReadScript): boolean =>
    scriptDangers(
      { declarations: [declared] },
      { ...one, commands: [given, ...one.commands], feedsInput: true, text: script.text, depth: 0 },
    ).length > 0;
  if (!isRun(script)) return undefined;
  const reader = script.commands.find((one) => isRun({ ...script, commands: [one] })) ?? script.commands[0];
  return literalText(reader?.words[0]) ?? "the script";
}

/** A script's use of a value that comes from outside. */
interface GivenUse {
  /** The variable that becomes several words, because it has no quotes. */
  readonly split?: string;
  /** The program that would read a part of it as an option, so that a guard of the whole does not help. */
  readonly cut?: OptionUse;
  /** The program that would read it as an option. */
  readonly whole?: OptionUse;
  /** Set if xargs runs the program. */
  readonly isFed?: boolean;
}

/** What the values that a script gets may contain together. */
interface GivenValues {
  readonly mayHoldDash: boolean;
  readonly mayBecomeWords: boolean;
}

/** `from` is `STDIN`, or the name of an environment variable. */
function useOfGiven(command: CommandTemplate, from: string, values: GivenValues): GivenUse {
  // Words that become options are only analyzed in shells of Unix.
  if (command.kind === "shell" && (command.shell === "pwsh" || command.shell === "cmd")) return {};
  const script = scriptOf(command);
  const flow = optionFlow(script, {
    isValue: () => false,
    beginsWord: () => false,
    mayVanish: () => false,
    mayHoldDash: () => values.mayHoldDash,
    mayName: () => false,
    isWild: () => values.mayBecomeWords,
    given: new Map([[from, input]]),
  });
  const [[split], [cut], whole] = [flow.splits, flow.cuts, flow.guards.get(input)];
  const isFed = (cut?.use ?? whole)?.word.pieces.some((piece) => piece.kind === "placeholder") ?? false;
  return {
    ...(split ? { split: split.expansion.text } : {}),
    ...(cut ? { cut: cut.use } : {}),
    ...(whole ? { whole } : {}),
    isFed,
  };
}

/** Placeholders are checked with the command itself, so a plain word replaces them here. */
function scriptOf(command: CommandTemplate): ReadScript & { readonly text: string } {
  if (command.kind === "direct")
    return {
      commands: [{ words: command.words.map(toWord), redirections: [] }],
      feedsInput: true,
      regions: [],
      text: "",
    };
  const { shell } = command;
  const text = command.parts.map((part) => (typeof part === "string" ? part : "1")).join("");
  if (shell === "pwsh" || shell === "cmd") return { ...readScript(text, shell), shell, text };
  return { ...scanScript(text, { knowsTests: shell !== "sh", knowsSubscripts: shell === "zsh" }), shell, text };
}

const input: PlaceholderPiece = { kind: "placeholder", name: "stdin", start: 0, end: 0, quoting: "bare" };
const nowhere: Span = { source: { path: "", text: "" }, start: 0, end: 0 };
const declared: Declaration = {
  parameter: { name: input.name, description: "", schema: { type: "string" }, required: true },
  span: nowhere,
};

function toWord({ parts }: { readonly parts: readonly (string | object)[] }): CommandWord {
  return { pieces: [{ kind: "text", text: parts.map((part) => (typeof part === "string" ? part : "1")).join("") }] };
}
