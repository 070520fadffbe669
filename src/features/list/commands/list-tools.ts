// Prints the tools for `dottool list`.
import { inOwnName } from "../../../core/text/program-name.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import type { TerminalPort } from "../../../core/tool/terminal.ts";
import { type CommandContext, type CommandInput, writeJson } from "../../../cli/command.ts";
import { cut, printableLines } from "../../../cli/view/layout.ts";
import { type ListedTool, surveyTools, type UnusedDefinition } from "../../../core/session/listed-tool.ts";
import { lostPluginsText } from "../../../cli/session/lost-plugins.ts";
import type { UntrustedFolder } from "../../../core/session/untrusted-folders.ts";
import type { Host } from "../../../core/tool/host.ts";
import type { OpenedSession } from "../../../core/session/assemble.ts";
import { ofWholeFolders, openSession } from "../../../cli/session/open-session.ts";
import { printable } from "../../../core/text/display.ts";
import { type Paint, paintFor } from "../../../cli/view/paint.ts";

const SUMMARY_COLUMNS_MIN = 24;

export async function listTools(input: CommandInput, context: CommandContext, host?: Host): Promise<number> {
  const opened = await openSession(context, host ? { host } : {});
  if (typeof opened === "number") return opened;
  const { terminal } = context;
  const { listed: all, unused: allUnused, untrusted } = await surveyTools(opened);
  const query = input.words.join(" ");
  const tags = input
    .values("tags")
    .flatMap((text) => text.split(/[\s,]+/))
    .filter((tag) => tag !== "");
  const isMine = input.has("mine") || isOfOwn(input);
  const isWanted = (tool: ListedTool): boolean => (isMine ? isOwn(tool) : !input.has("bundled") || !isOwn(tool));
  const tagged = grouped(all).filter((tool) => isWanted(tool) && tags.every((tag) => hasTag(tool, tag)));
  const matched =
    query === "" ? tagged : (await import("../../../core/session/search-tools.ts")).searchTools(tagged, query);
  const others = query === "" ? [] : tagged.filter((tool) => !matched.includes(tool));
  const running = await runningTools(others, input.words, opened);
  const found = [...matched, ...running.keys()];
  const tokens = input.has("tokens") ? await tokensOf(found, opened) : undefined;
  const unused = allUnused.filter(
    (one) =>
      !input.has("bundled") &&
      tags.length === 0 &&
      input.words.every((word) => one.name.toLowerCase().includes(word.toLowerCase())),
  );
  if (input.has("json")) {
    writeJson(terminal, {
      tools: found.map((tool) => ({
        ...tool,
        ...(running.has(tool) ? { runs: running.get(tool) } : {}),
        ...(tokens ? { tokens: tokens.get(tool.name) } : {}),
      })),
      unused,
    });
    return exitCodes.done;
  }
  if (found.length === 0 && unused.length === 0)
    (isOfOwn(input) ? terminal.output : terminal.errors).write(noneText(all, isMine && tags.length === 0));
  if (found.length > 0) await writeTable(terminal.output, found, { tokens, isGrouped: query === "" });
  if (unused.length > 0) await writeUnused(terminal.output, unused, found.length > 0);
  // A definition that is not trusted yet says so in its row, and its first call asks.
  const isTold = ({ distrust }: UntrustedFolder): boolean =>
    distrust.reason !== "unsafe" && distrust.files?.every((file) => file.endsWith(".tool")) === true;
  const untold = isOfOwn(input) ? untrusted.filter((folder) => !isTold(folder)) : untrusted;
  terminal.errors.write(unusedPlacesText(opened.catalogue()) + (await lostPluginsText(opened, untold)));
  if (tokens) terminal.output.write(`\n${tokensText(tokens)}\n`);
  const bundled = bundledText(all);
  if (isOfOwn(input) && bundled !== "")
    terminal.output.write(`${found.length + unused.length > 0 ? "\n" : ""}${bundled}\n`);
  return exitCodes.done;
}

/** Returns the tools that run a program of one of these names, themselves or through tools that they use. */
async function runningTools(
  tools: readonly ListedTool[],
  words: readonly string[],
  { catalogue, host, cwd }: OpenedSession,
): Promise<ReadonlyMap<ListedTool, readonly string[]>> {
  if (tools.length === 0) return new Map();
  const [{ programsOf }, { reachableTools }] = await Promise.all([
    import("../../hook/programs-of.ts"),
    import("../../../core/catalog/reachable-tools.ts"),
  ]);
  const wanted = words.map((word) => word.toLowerCase());
  const runs = ({ name }: ListedTool): readonly string[] =>
    [...reachableTools(name, catalogue()).names].flatMap((one) => {
      const definition = catalogue().definition(one);
      return definition
        ? programsOf(definition, { host, cwd }).filter((program) => wanted.includes(program.toLowerCase()))
        : [];
    });
  return new Map(
    tools.flatMap((tool) => {
      const programs = [...new Set(runs(tool))];
      return programs.length === 0 ? [] : [[tool, programs] as const];
    }),
  );
}

/** Returns whether only a person's own tools are listed, because nothing else is asked for. */
function isOfOwn(input: CommandInput): boolean {
  return (
    input.words.length === 0 && ["all", "bundled", "mine", "tags", "tokens", "json"].every((name) => !input.has(name))
  );
}

/** Says how many tools come with dottool; empty if none does. */
export function bundledText(tools: readonly ListedTool[]): string {
  const count = tools.filter((tool) => !isOwn(tool)).length;
  return count === 0 ? "" : inOwnName(`${count} bundled: dottool list --bundled`);
}

/** Where one's own tools come from, the nearest first. */
const ownOrigins: readonly ListedTool["origin"][] = [
  "given",
  "bundle",
  "project",
  "plugin",
  "user",
  "global",
  "package",
  "mcp",
  "forged",
];

/** Returns one's own tools before those that come with dottool; the names of each group stay sorted. */
export function grouped(tools: readonly ListedTool[]): readonly ListedTool[] {
  return [
    ...ownOrigins.flatMap((origin) => tools.filter((tool) => tool.origin === origin)),
    ...tools.filter((tool) => !isOwn(tool)),
  ];
}

export function isOwn({ origin }: ListedTool): boolean {
  return ownOrigins.includes(origin);
}

function noneText(all: readonly ListedTool[], isMine: boolean): string {
  if (all.length === 0) return "there are no tools\n";
  return isMine && !all.some(isOwn)
    ? "there are no tools of your own yet; `dottool init` makes one\n"
    : "no tool matches; `dottool list --all` shows all\n";
}

/**
 * Lists folders whose definitions are not used, except those that were reported at the start, and files listed singly.
 */
function unusedPlacesText(catalogue: ReturnType<OpenedSession["catalogue"]>): string {
  const told = new Set([...ofWholeFolders(catalogue), ...catalogue.unreadable.map(({ diagnostic }) => diagnostic)]);
  return catalogue.folderDiagnostics
    .filter((one) => !told.has(one))
    .map(({ code, message, help }) => `warning[${code}]: ${printable([message, ...help].join("; "))}\n`)
    .join("");
}

function hasTag(tool: ListedTool, tag: string): boolean {
  return tool.effects.some((effect) => effect === tag) || tool.tags.includes(tag);
}

/** A tenth of what many models can read at once. */
const TOKENS_MANY = 20_000;

function tokensText(tokens: ReadonlyMap<string, number>): string {
  const all = [...tokens.values()].reduce((sum, one) => sum + one, 0);
  const hint =
    all > TOKENS_MANY
      ? "\n  = `dottool mcp --mode search` shows a model three tools instead, which find and call the others; `--mode code` shows one"
      : "";
  return `${all} tokens together; estimated: name, description and schema, as a model gets them${hint}`;
}

async function tokensOf(
  tools: readonly ListedTool[],
  { session }: OpenedSession,
): Promise<ReadonlyMap<string, number>> {
  const { declarationTokens } = await import("../../dialects/mcp.ts");
  await session.registry.complete();
  return new Map(
    tools.flatMap(({ name }) => {
      const tool = session.registry.find(name);
      return tool ? [[name, declarationTokens(tool)] as const] : [];
    }),
  );
}

async function writeTable(
  port: TerminalPort,
  tools: readonly ListedTool[],
  { tokens, isGrouped }: { readonly tokens: ReadonlyMap<string, number> | undefined; readonly isGrouped: boolean },
): Promise<void> {
  const paint = await paintFor(port);
  // Names, scopes, effects and numbers are ASCII, so a length is a width.
  const columns = [
    columnOf(
      "NAME",
      tools.map((tool) => tool.name),
    ),
    columnOf(
      "FROM",
      tools.map((tool) => tool.origin),
    ),
    columnOf(
      "EFFECTS",
      tools.map((tool) => (tool.effects.length === 0 ? "unknown" : tool.effects.join(" "))),
    ),
    ...(tokens
      ? [
          columnOf(
            "TOKENS",
            tools.map((tool) => String(tokens.get(tool.name) ?? "")),
          ),
        ]
      : []),
  ];
  const used = columns.reduce((sum, column) => sum + column.width + 2, 0);
  // A pipe gets whole lines, so that `grep` finds every word.
  const room = port.isTerminal ? Math.max(SUMMARY_COLUMNS_MIN, port.columns - used) : Number.POSITIVE_INFINITY;
  const head = paint.dim([...columns.map((column) => column.title.padEnd(column.width)), "DOES"].join("  "));
  let text = `${head}\n`;
  tools.forEach((tool, row) => {
    const above = tools[row - 1];
    if (isGrouped && above && isOwn(above) && above.origin !== tool.origin) text += "\n";
    for (const { title, cells, width } of columns) {
      const cell = cells[row] ?? "";
      const padded = title === "TOKENS" ? cell.padStart(width) : cell.padEnd(width);
      text += `${title === "NAME" ? paint.bold(padded) : paint.dim(padded)}  `;
    }
    text += `${doesText(tool, { room, paint })}\n`;
  });
  port.write(text);
}

interface Column {
  readonly title: string;
  readonly cells: readonly string[];
  readonly width: number;
}

function columnOf(title: string, cells: readonly string[]): Column {
  return { title, cells, width: cells.reduce((width, cell) => Math.max(width, cell.length), title.length) };
}

/** Matches a line that needs no escapes in a terminal: nearly every summary, so that the slower check is skipped. */
const plainLine = /^[\x20-\x7e]*$/;

function doesText(tool: ListedTool, { room, paint }: { readonly room: number; readonly paint: Paint }): string {
  const text = tool.summary === "" ? tool.title : tool.summary;
  const note =
    tool.unavailable.length > 0
      ? `unavailable: ${tool.unavailable.join("; ")}`
      : tool.isTrusted === false
        ? "not trusted"
        : tool.hasNewTexts
          ? "new texts wait for `dottool trust`"
          : tool.isDeprecated
            ? "deprecated"
            : undefined;
  if (note === undefined) return text.length <= room && plainLine.test(text) ? text : cut(printableLines(text), room);
  return paint.yellow(cut(printableLines(`${note}. ${text}`), room));
}

async function writeUnused(port: TerminalPort, unused: readonly UnusedDefinition[], isBelow: boolean): Promise<void> {
  const { yellow } = await paintFor(port);
  const lines = unused.map(
    ({ name, place, reason }) => `  \`${printable(name)}\` in ${printable(place)}: ${printable(reason)}`,
  );
  port.write(
    `${isBelow ? "\n" : ""}${yellow(unused.length === 1 ? "1 definition is not used:" : `${unused.length} definitions are not used:`)}\n${lines.join("\n")}\n`,
  );
}
