// Help on the program and on its commands.
import type { TerminalPort } from "../../tool/terminal.ts";
import type { Command } from "../command.ts";
import { commands } from "../commands.ts";
import { globalOptions } from "../words/global-options.ts";
import { rows, type RowsOptions, textColumns, wrap } from "./layout.ts";
import type { OptionRow } from "../words/option-words.ts";
import { paintFor } from "./paint.ts";

export async function writeProgramHelp(port: TerminalPort): Promise<void> {
  const { bold } = await paintFor(port);
  const options = rowOptions(port);
  const lines = [
    "dottool: drop a .tool file in a folder, and every person and every agent can run it",
    "",
    bold("Usage"),
    "  dottool [OPTION…] NAME [ARG…]      run a tool",
    "  dottool [OPTION…] COMMAND [ARG…]",
    "",
    bold("Commands"),
    ...rows(
      commands.map(({ name, summary }) => [name, summary]),
      options,
    ),
    "",
    bold("Options"),
    ...rows(
      globalOptions.map((option) => [nameText(option), option.does]),
      options,
    ),
    "",
    bold("Examples"),
    ...rows(programExamples, { ...options, nameColumnsMax: 40 }),
    "",
    "`dottool NAME --help` shows help on a tool, `dottool COMMAND --help` on a command.",
  ];
  port.write(`${lines.join("\n")}\n`);
}

const programExamples = [
  ["dottool glob . -name '*.ts'", "run the tool `glob`"],
  ["dottool list search files", "find a tool for a job"],
  ["dottool check", "find mistakes in your definitions"],
] as const;

export async function writeCommandHelp(port: TerminalPort, command: Command): Promise<void> {
  const { bold } = await paintFor(port);
  const options = rowOptions(port);
  const optionRows = [
    ...command.options.map((option) => [optionText(option), option.does] as const),
    ["--help", "print this help"] as const,
  ];
  const lines = [
    ...wrap(command.about, textColumns(port.columns)),
    "",
    bold("Usage"),
    ...command.usage.map((line) => `  dottool ${line}`),
    "",
    bold("Options"),
    ...rows(optionRows, options),
    "",
    bold(command.examples.length === 1 ? "Example" : "Examples"),
    ...rows(command.examples, { ...options, nameColumnsMax: 60 }),
  ];
  port.write(`${lines.join("\n")}\n`);
}

function optionText(option: OptionRow): string {
  return `${option.short === undefined ? "" : `-${option.short}, `}${nameText(option)}`;
}

function nameText({ name, value }: OptionRow): string {
  return `--${name}${value === undefined ? "" : ` ${value}`}`;
}

function rowOptions(port: TerminalPort): RowsOptions {
  return { columns: textColumns(port.columns), indent: 2, nameColumnsMax: 26 };
}
