// Help on the program and on its commands.
import type { TerminalPort } from "../tool/terminal.ts";
import type { Command } from "./command.ts";
import { commands } from "./commands.ts";
import { globalOptionRows } from "./global-options.ts";
import { rows, type RowsOptions, textColumns, wrap } from "./layout.ts";
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
    ...rows(globalOptionRows, options),
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

function optionText(option: Command["options"][number]): string {
  const name = `${option.short === undefined ? "" : `-${option.short}, `}--${option.name}`;
  return option.value === undefined ? name : `${name} ${option.value}`;
}

function rowOptions(port: TerminalPort): RowsOptions {
  return { columns: textColumns(port.columns), indent: 2, nameColumnsMax: 26 };
}
