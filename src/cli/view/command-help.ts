// Help on the program and on its commands.
import type { CatalogueEntry } from "../../core/catalog/entry.ts";
import { printable } from "../../core/text/display.ts";
import { DOTTOOL, inOwnName, programName } from "../../core/text/program-name.ts";
import type { TerminalPort } from "../../core/tool/terminal.ts";
import type { Command } from "../command.ts";
import { commands } from "../commands.ts";
import { globalOptions } from "../words/global-options.ts";
import { rows, type RowsOptions, textColumns, wrap } from "./layout.ts";
import type { OptionRow } from "../words/option-words.ts";
import { paintFor } from "./paint.ts";

/** `tools` are those of the team whose executable this is; empty in dottool itself. */
export async function writeProgramHelp(port: TerminalPort, tools: readonly NamedSummary[]): Promise<void> {
  const { bold } = await paintFor(port);
  const options = rowOptions(port);
  const lines = [
    bold("Usage"),
    "  dottool [OPTION…] NAME [ARG…]      run a tool",
    "  dottool [OPTION…] COMMAND [ARG…]",
    "",
    ...(tools.length === 0 ? [] : [bold("Tools"), ...toolRows(tools, options), ""]),
    bold("Commands"),
    ...rows(
      commands().map(({ name, summary }) => [name, summary]),
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
  port.write(`${headline()}\n\n${inOwnName(lines.join("\n"))}\n`);
}

function headline(): string {
  return programName() === DOTTOOL
    ? "dottool: drop a .tool file in a folder, and every person and every agent can run it"
    : `${programName()}: the tools of a team, for every person and every agent; made with dottool`;
}

type NamedSummary = Pick<CatalogueEntry, "name" | "summary">;

const TOOLS_SHOWN_MAX = 20;

function toolRows(tools: readonly NamedSummary[], options: RowsOptions): readonly string[] {
  const more = tools.length - TOOLS_SHOWN_MAX;
  return [
    ...rows(
      tools.slice(0, TOOLS_SHOWN_MAX).map(({ name, summary }) => [name, printable(summary)]),
      options,
    ),
    ...(more > 0 ? [`  and ${more} more: \`dottool list\``] : []),
  ];
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
  port.write(inOwnName(`${lines.join("\n")}\n`));
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
