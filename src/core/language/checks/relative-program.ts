// Programs such as `./build`, which are looked for in the folder of the command: a value that chooses the folder
// chooses what runs.
import type { CommandTemplate } from "../../tool/command.ts";
import type { Span } from "../../text/source.ts";
import type { Analysis } from "../analysis.ts";
import type { Execution } from "../kinds/wrapped-command.ts";
import type { Declaration } from "../syntax/ast.ts";
import { literalText, type SimpleCommand } from "../../shell/pieces.ts";
import { programName } from "../../shell/programs.ts";
import type { Preset } from "../../tool/template.ts";
import type { Findings } from "../findings.ts";
import { readScript } from "../kinds/windows-scripts.ts";

interface FolderCheck {
  readonly execution: Execution;
  readonly presets: readonly Preset[];
  readonly declarations: readonly Declaration[];
}

export function checkFolder(analysis: Analysis, { execution, presets, declarations }: FolderCheck): void {
  const cwd = analysis.first("cwd")?.text;
  const preset = presets.find(({ parameter }) => parameter.value === "working_dir")?.text;
  const folders = [
    ...(cwd ? [{ text: cwd.text, span: cwd.span }] : []),
    ...(preset ? [{ text: preset.value, span: preset.span }] : []),
  ];
  const commands = [
    ...execution.commands.map(({ command }) => command),
    ...(execution.fallback ? [execution.fallback] : []),
  ];
  const chosen = folders.find(({ text }) => placesOfText(text, declarations).length > 0);
  const program = chosen && commands.map(relativeProgram).find((found) => found !== undefined);
  if (chosen && program !== undefined) refuseChosenFolder(program, chosen.span, analysis);
}

/** Refuses a value that chooses the folder at `span`, in which the program is looked for. */
export function refuseChosenFolder(program: string, span: Span, findings: Findings): void {
  findings.error("unsafe-placeholder", `${program} is looked up in this folder, so a value cannot choose the folder`, {
    at: span,
    label: "this value would choose what runs",
    help: ["use a program on PATH, or an absolute path", "or run in a fixed folder, and pass the value to the program"],
  });
}

/** Placeholders whose value may be any text. */
function placesOfText(text: string, declarations: readonly Declaration[]): readonly string[] {
  return [...text.matchAll(/\{\{|\{([A-Za-z_][\w-]*)\}/g)].flatMap(([, name]) => {
    const schema = declarations.find(({ parameter }) => parameter.name === name)?.parameter.schema;
    const isFixed =
      schema === undefined ||
      schema.type === "integer" ||
      schema.type === "number" ||
      schema.type === "boolean" ||
      (schema.type === "string" && schema.choices !== undefined);
    return name === undefined || isFixed ? [] : [name];
  });
}

/** Returns the first program of a command with a path relative to its folder, as a message names it. */
export function relativeProgram(command: CommandTemplate): string | undefined {
  if (command.kind === "direct") {
    const words = command.words.map(({ parts }) =>
      parts.every((part) => typeof part === "string") ? parts.join("") : undefined,
    );
    return relativeIn([words]);
  }
  // A value never begins a command, so any word can replace it.
  const script = command.parts.map((part) => (typeof part === "string" ? part : "value")).join("");
  const { commands, unread } = readScript(script, command.shell);
  if (unread !== undefined) return `what \`${unread}\` runs`;
  return relativeIn(commands.flatMap(({ words, isList }: SimpleCommand) => (isList ? [] : [words.map(literalText)])));
}

function relativeIn(commands: readonly (readonly (string | undefined)[])[]): string | undefined {
  const found = commands.flatMap(programsIn).find(isRelativePath);
  return found === undefined ? undefined : `\`${found}\``;
}

/** Programs that run the next program, with the operands before it, and options that take the next word as value. */
const launchers: readonly {
  readonly names: readonly string[];
  readonly operands: number;
  readonly valueOptions?: RegExp;
}[] = [
  { names: ["env"], operands: 0, valueOptions: /^-[uC]$/ },
  { names: ["sudo", "doas"], operands: 0, valueOptions: /^-[ugUC]$/ },
  { names: ["exec"], operands: 0, valueOptions: /^-a$/ },
  { names: ["nice", "ionice", "stdbuf"], operands: 0, valueOptions: /^-[nceio]$/ },
  { names: ["nohup", "setsid", "command", "time"], operands: 0 },
  { names: ["timeout"], operands: 1, valueOptions: /^-[ks]$/ },
  { names: ["xargs"], operands: 0, valueOptions: /^-[InPLsdaE]$/ },
];
const scriptReaders = {
  names: [".", "source", "sh", "bash", "dash", "zsh", "ksh"],
  valueOptions: /^[-+][A-Za-z]*[oO]$/,
};

/** Returns the program, the one that it runs, and the script that a shell reads. */
function programsIn(words: readonly (string | undefined)[]): readonly string[] {
  const start = words.findIndex((word) => word === undefined || !/^[A-Za-z_]\w*\+?=/.test(word));
  const [program, ...rest] = start === -1 ? [] : words.slice(start);
  if (program === undefined) return [];
  const name = program === "." ? program : programName(program);
  const launcher = launchers.find(({ names }) => names.includes(name));
  if (launcher) return [program, ...programsIn(operandsOf(rest, launcher.valueOptions).slice(launcher.operands))];
  const [script] =
    scriptReaders.names.includes(name) && !rest.some((word) => /^-[A-Za-z]*c$/.test(word ?? ""))
      ? operandsOf(rest, scriptReaders.valueOptions)
      : [];
  return script === undefined ? [program] : [program, script];
}

/** Returns the words from the first one that is neither an option nor an option's value. */
function operandsOf(
  words: readonly (string | undefined)[],
  valueOptions: RegExp | undefined,
): readonly (string | undefined)[] {
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (word === "--") return words.slice(index + 1);
    if (word === undefined || !/^[-+]./.test(word)) return words.slice(index);
    if (valueOptions?.test(word)) index++;
  }
  return [];
}

function isRelativePath(word: string): boolean {
  return /[\\/]/.test(word) && !/^(?:[\\/~]|[A-Za-z]:[\\/]|\$)/.test(word);
}
