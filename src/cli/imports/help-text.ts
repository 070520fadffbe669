// Reads what a program prints for `--help`: the forms of GNU, clap, cobra, argparse and others that put one option or
// command on a line, with its description behind two blanks or on the next line.

export interface HelpText {
  /** The first sentence after the usage. */
  readonly about: string;
  readonly options: readonly HelpOption[];
  readonly commands: readonly { readonly name: string; readonly about: string }[];
  /** The words of the usage behind the options; undefined if no usage is known. */
  readonly operands: readonly HelpOperand[] | undefined;
}

export interface HelpOption {
  /** With its dashes: the long one if there are several. */
  readonly name: string;
  /** `=` or a blank between the name and its value; absent if it takes none. */
  readonly joint?: "=" | " ";
  readonly choices?: readonly string[];
  readonly about: string;
}

export interface HelpOperand {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isList: boolean;
}

const OPTION = /^[ \t]{1,12}(-{1,2}[A-Za-z0-9?][^\n]*?)(?:[ \t]{2,}(\S.*)|[ \t]*)$/;
const COMMAND = /^[ \t]{1,8}([a-z][\w:-]*)(?:,[ \t]*[\w-]+)*\*?(?:[ \t]{2,}(\S.*))$/;
const COMMANDS_HEAD = /^(?:[\w ]*\b)?(?:sub)?commands:?\s*$/i;
const HEAD = /^\S.*:\s*$/;
const OPTIONS_MAX = 60;

export function readHelp(text: string): HelpText {
  const lines = text.replaceAll("\r\n", "\n").replaceAll(ESCAPES, "").split("\n");
  const options: HelpOption[] = [];
  const commands: { name: string; about: string }[] = [];
  let isInCommands = false;
  for (const [index, line] of lines.entries()) {
    if (/^\S/.test(line)) isInCommands = COMMANDS_HEAD.test(line);
    const [, written, about = ""] = OPTION.exec(line) ?? [];
    const [, command, does = ""] = isInCommands ? (COMMAND.exec(line) ?? []) : [];
    if (command !== undefined) commands.push({ name: command, about: does });
    else if (written !== undefined && options.length < OPTIONS_MAX) {
      const option = optionOf(written, about === "" ? continued(lines, index + 1) : about);
      if (option && !options.some(({ name }) => name === option.name)) options.push(option);
    }
  }
  return { about: aboutOf(lines), options, commands, operands: operandsOf(lines) };
}

/** Colours and the overstriking of manuals. */
const ESCAPES = /\u001b\[[0-9;]*m|.\u0008/g;

function continued(lines: readonly string[], index: number): string {
  const line = lines[index] ?? "";
  return /^[ \t]{6,}[^\s-]/.test(line) ? line.trim() : "";
}

/** `-C, --directory=DIR`, `-n, --namespace string`, `--color[=WHEN]`, `--level <LEVEL>`, `-v`. */
function optionOf(written: string, about: string): HelpOption | undefined {
  const forms = written.split(/,[ \t]*|[ \t]+(?=-)|[ \t]*\|[ \t]*(?=-)/);
  const read = forms.flatMap((form) => {
    const [, name, joint = "", value] = /^(--?[A-Za-z0-9][\w-]*)(\[?=|[ \t]|(?=<))?(.*)$/.exec(form.trim()) ?? [];
    // Several words are its description.
    const isValue = /^(?:<[^>]+>|\[[^\]]+\]?|\{[^}]+\}|[\w.:|,-]+)(?:\.{3}|…)?\]?$/.test(value?.trim() ?? "");
    return name === undefined ? [] : [{ name, joint, value: isValue ? (value?.trim() ?? "") : "" }];
  });
  const named = read.find(({ name }) => name.startsWith("--")) ?? read[0];
  if (!named || /^--?(?:help|version|h|V)$/.test(named.name)) return undefined;
  const valued = read.find(({ value }) => value !== "");
  const isOptional = valued?.joint.startsWith("[") === true || /^\[.*\]$/.test(valued?.value ?? "");
  const base = { name: named.name, about: about.replaceAll(/\s+/g, " ").trim() };
  if (!valued || isOptional) return base;
  const joint = named.name.startsWith("--") && valued.joint !== " " && valued.joint !== "" ? "=" : " ";
  const [, list] = /^[<{(]?([\w.-]+(?:[|,][\w.-]+)+)[>})]?$/.exec(valued.value) ?? [];
  return { ...base, joint, ...(list === undefined ? {} : { choices: list.split(/[|,]/) }) };
}

function aboutOf(lines: readonly string[]): string {
  const first = lines.find(
    (line) =>
      /^[A-Z](?!.*<\S+@\S+>)/.test(line) && !/^(?:usage|options|commands|arguments)\b/i.test(line) && !HEAD.test(line),
  );
  return first?.trim() ?? "";
}

function operandsOf(lines: readonly string[]): readonly HelpOperand[] | undefined {
  const at = lines.findIndex((line) => /^\s*usage:?/i.test(line));
  if (at === -1) return undefined;
  const usage = (lines[at] ?? "").replace(/^\s*usage:?\s*/i, "").trim() || (lines[at + 1] ?? "").trim();
  const words = usage.match(/\[[^\]]*\](?:\.{3}|…)?|<[^>]*>(?:\.{3}|…)?|\S+/g) ?? [];
  const operands = words.slice(1).flatMap((word): readonly HelpOperand[] => {
    const isList = /\.{3}|…/.test(word);
    const name = word.replaceAll(/\.{3}|…|[[\]<>]/g, "").trim();
    const isOperand = /^[A-Z][A-Z0-9_-]*$/.test(name) || (/^<|^\[</.test(word) && /^[\w -]+$/.test(name));
    if (!isOperand || /^(?:options?|flags?|command|subcommand|args?)$/i.test(name)) return [];
    return [{ name: name.replaceAll(/\s+/g, "_"), isRequired: !word.startsWith("["), isList }];
  });
  return operands;
}
