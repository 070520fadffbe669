// Help on the program and on its commands.
import { bugs } from "../../generated/version.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import type { CatalogueEntry } from "../../core/catalog/entry.ts";
import { printable } from "../../core/text/display.ts";
import { DOTTOOL, inOwnName, ownProgramName } from "../../core/text/program-name.ts";
import type { TerminalPort } from "../../core/tool/terminal.ts";
import type { Command } from "../command.ts";
import { commandGroups, commands, type ShownCommand } from "../commands.ts";
import { globalOptions } from "../words/global-options.ts";
import { rows, type RowsOptions, textColumns, wrap } from "./layout.ts";
import type { OptionRow } from "../words/option-words.ts";
import { paintFor } from "./paint.ts";

/** The options of `--help`; `help --all` has all of them. */
const firstOptions: readonly string[] = ["tools", "cwd", "list", "version", "help"];

/** `tools` are those of the team whose executable this is; empty in dottool itself. */
export async function writeProgramHelp(
  port: TerminalPort,
  tools: readonly NamedSummary[],
  bugsAddress = bugs,
): Promise<void> {
  const options = rowOptions(port);
  const first = commands()
    .filter(({ place }) => place !== undefined)
    .sort((a, b) => (a.place ?? 0) - (b.place ?? 0));
  await writeHelp(port, [
    ...(tools.length === 0 ? [] : [["Tools", toolRows(tools, options)] as const]),
    ["Commands", commandLines(first, options)],
    [
      "Options",
      optionLines(
        globalOptions.filter(({ name }) => firstOptions.includes(name)),
        options,
      ),
    ],
    ["Examples", rows(programExamples, { ...options, nameColumnsMax: 40 })],
    [
      "More",
      rows(
        [
          ["dottool NAME --help", "help on a tool; `dottool COMMAND --help` on a command"],
          ["dottool help --all", `all ${commands().length} commands and all options`],
          ["dottool help exit-codes", "what the exit codes mean"],
          ...(bugsAddress === "" ? [] : [["report a bug", bugsAddress] as const]),
        ],
        { ...options, nameColumnsMax: 40 },
      ),
    ],
  ]);
}

export async function writeAllHelp(port: TerminalPort): Promise<void> {
  const options = rowOptions(port);
  await writeHelp(port, [
    ...Object.entries(commandGroups).map(
      ([group, title]) =>
        [
          title,
          commandLines(
            commands().filter((row) => row.group === group),
            options,
          ),
        ] as const,
    ),
    ["Options", optionLines(globalOptions, options)],
  ]);
}

type Section = readonly [title: string, lines: readonly string[]];

async function writeHelp(port: TerminalPort, sections: readonly Section[]): Promise<void> {
  const { bold } = await paintFor(port);
  const usage = ["  dottool [OPTION…] NAME [ARG…]      run a tool", "  dottool [OPTION…] COMMAND [ARG…]"];
  const lines = [["Usage", usage] as const, ...sections].flatMap(([title, text]) => ["", bold(title), ...text]);
  port.write(`${headline()}\n${inOwnName(lines.join("\n"))}\n`);
}

function commandLines(shown: readonly ShownCommand[], options: RowsOptions): readonly string[] {
  return rows(
    shown.map(({ name, summary }) => [name, summary]),
    options,
  );
}

function optionLines(shown: readonly OptionRow[], options: RowsOptions): readonly string[] {
  return rows(
    shown.map((option) => [nameText(option), option.does]),
    options,
  );
}

/** What the exit codes of dottool mean, for help and the man page. */
export const exitTexts: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: "done; a command that fails ends dottool with its own code",
  failed: "failed",
  usage: "wrong words or arguments",
  definitions: "definitions with errors, or a damaged executable",
  missing: "no such tool or file",
  bug: "a bug of dottool",
  question: "a question that nobody could answer",
  denied: "denied by a rule, by a person, or because the folder is not trusted",
  timeout: "timed out",
  interrupted: "interrupted",
};

export async function writeExitCodes(port: TerminalPort): Promise<void> {
  const codes = Object.keys(exitCodes) as (keyof typeof exitCodes)[];
  const lines = rows(
    codes.map((name) => [String(exitCodes[name]).padStart(3), exitTexts[name]]),
    rowOptions(port),
  );
  port.write(inOwnName(`${lines.join("\n")}\n`));
}

export function headline(): string {
  return ownProgramName() === DOTTOOL
    ? "dottool: drop a .tool file in a folder, and every person and every agent can run it"
    : `${ownProgramName()}: the tools of a team, for every person and every agent; made with dottool`;
}

export type NamedSummary = Pick<CatalogueEntry, "name" | "summary">;

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
