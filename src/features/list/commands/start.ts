// `dottool` alone: in a project its tools and the commands that matter, elsewhere how to begin.
import { exitCodes } from "../../../core/run/exit-code.ts";
import { type ListedTool, surveyTools } from "../../../core/session/listed-tool.ts";
import { inOwnName } from "../../../core/text/program-name.ts";
import type { TerminalPort } from "../../../core/tool/terminal.ts";
import type { RawCommand } from "../../../cli/command.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import { headline } from "../../../cli/view/command-help.ts";
import { cut, printableLines, rows, textColumns } from "../../../cli/view/layout.ts";
import { paintFor } from "../../../cli/view/paint.ts";
import { bundledText, grouped, isOwn } from "./list-tools.ts";

export const startCommand: RawCommand = {
  kind: "raw",
  usage: [""],
  about: "Shows the tools of the project, and how to go on.",
  options: [],
  examples: [["dottool", "the tools of this project"]],
  run: async (_words, context) => {
    const opened = await openSession(context);
    if (typeof opened === "number") return opened;
    const { listed, unused } = await surveyTools(opened);
    const own = grouped(listed).filter(isOwn);
    const port = context.terminal.output;
    const columns = textColumns(port.columns);
    const next = own.length === 0 ? beginning : working;
    const lines = [
      ...(own.length === 0 ? [headline()] : await toolLines(own, port)),
      ...(unused.length === 0
        ? []
        : ["", `${unused.length} not used: \`dottool list\` says why, \`dottool check\` shows mistakes`]),
      "",
      ...rows(next, { columns, indent: 2, nameColumnsMax: 34 }),
      "",
      [bundledText(listed), "help: dottool --help"].filter((text) => text !== "").join("; "),
    ];
    port.write(inOwnName(`${lines.join("\n")}\n`));
    return exitCodes.done;
  },
};

const beginning = [
  ["dottool init", "start here: make `.tools` with an example"],
  ["dottool new NAME --from '…'", "make a tool from a command line that works"],
  ["dottool import", "make tools from npm scripts, justfiles, …"],
] as const;

const working = [
  ["dottool NAME …", "run a tool; `dottool NAME --help` says how"],
  ["dottool new NAME --from '…'", "make a tool from a command line that works"],
  ["dottool explain NAME …", "show what a call would do, without running it"],
  ["dottool check", "find mistakes in definitions"],
  ["dottool test", "run the tests in definitions"],
  ["dottool mcp", "serve the tools to Claude Code, Gemini CLI, …"],
] as const;

const titles: Readonly<Partial<Record<ListedTool["origin"], string>>> = {
  given: "Given with --tools",
  bundle: "Tools",
  project: "This project",
  plugin: "From plugins",
  user: "Your own, in every folder",
  global: "This machine",
  package: "From packages",
  mcp: "From MCP servers",
  forged: "Made by models",
};

/** More would push the commands off the screen. */
const TOOLS_SHOWN_MAX = 30;

async function toolLines(own: readonly ListedTool[], port: TerminalPort): Promise<readonly string[]> {
  const { bold } = await paintFor(port);
  const shown = own.slice(0, TOOLS_SHOWN_MAX);
  const groups = Map.groupBy(shown, ({ category, origin }) => category ?? titles[origin] ?? origin);
  const width = Math.max(...shown.map(({ name }) => name.length));
  const room = port.isTerminal ? Math.max(20, port.columns - width - 4) : Number.POSITIVE_INFINITY;
  const waiting = own.filter(({ isTrusted }) => isTrusted === false).length;
  return [
    ...[...groups].flatMap(([title, tools], index) => [
      ...(index === 0 ? [] : [""]),
      bold(printableLines(title)),
      ...tools.map((tool) => `  ${tool.name.padEnd(width)}  ${cut(doesText(tool), room)}`),
    ]),
    ...(own.length > shown.length ? [`  and ${own.length - shown.length} more: dottool list`] : []),
    ...(waiting === 0
      ? []
      : ["", `${waiting} not trusted yet: the first call, or \`dottool trust\`, shows what they run, and asks`]),
  ];
}

function doesText({ summary, title, unavailable: [reason], isDeprecated }: ListedTool): string {
  const text = printableLines(summary === "" ? title : summary);
  if (reason !== undefined) return `unavailable: ${printableLines(reason)}`;
  return isDeprecated ? `deprecated. ${text}` : text;
}
