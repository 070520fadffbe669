// `dottool list`: the tools there are.
import { exitCodes } from "../run/exit-code.ts";
import type { TerminalPort } from "../tool/terminal.ts";
import { type WordsCommand, writeJson } from "./command.ts";
import { cut, padEnd, printable } from "./layout.ts";
import { type ListedTool, listedTools, type UnusedDefinition, unusedDefinitions } from "./listed-tool.ts";
import { openSession, type OpenedSession } from "./open-session.ts";
import { type Paint, paintFor } from "./paint.ts";

const SUMMARY_COLUMNS_MIN = 24;

export const listCommand: WordsCommand = {
  kind: "words",
  usage: ["list [QUERY…] [--tags TAGS] [--tokens] [--json]"],
  about:
    "Lists the tools that can be called: where each comes from, what it may do to the world, and what it is for. With a query, the best matches first. " +
    "Definitions that no call reaches are named below, with the reason.",
  options: [
    { name: "tags", value: "TAGS", does: "only tools with all of these effects and tags, separated by commas" },
    { name: "tokens", does: "what each tool's declaration costs a model, estimated" },
    { name: "json", does: "as JSON" },
  ],
  words: [0, 100],
  examples: [
    ["dottool list", "all tools"],
    ["dottool list find files", "the best matches for a job"],
    ["dottool list --tags read --tokens", "tools that only read, and what they cost a model"],
  ],
  run: async (input, context) => {
    const opened = await openSession(context);
    if (typeof opened === "number") return opened;
    const { terminal } = context;
    const all = await listedTools(opened);
    const query = input.words.join(" ");
    const tags = input.values("tags").flatMap((text) => text.split(/[\s,]+/)).filter((tag) => tag !== "");
    const tagged = all.filter((tool) => tags.every((tag) => hasTag(tool, tag)));
    const found = query === "" ? tagged : (await import("./search-tools.ts")).searchTools(tagged, query);
    const tokens = input.has("tokens") ? await tokensOf(found, opened) : undefined;
    const unused = unusedDefinitions(opened.catalogue().entries).filter((one) => tags.length === 0 && input.words.every((word) => one.name.toLowerCase().includes(word.toLowerCase())));
    if (input.has("json")) {
      writeJson(terminal, { tools: found.map((tool) => ({ ...tool, ...(tokens ? { tokens: tokens.get(tool.name) } : {}) })), unused });
      return exitCodes.done;
    }
    if (found.length === 0 && unused.length === 0) terminal.errors.write(all.length === 0 ? "there are no tools\n" : "no tool matches; `dottool list` shows all\n");
    if (found.length > 0) await writeTable(terminal.output, found, tokens);
    if (unused.length > 0) await writeUnused(terminal.output, unused, found.length > 0);
    if (tokens) terminal.output.write(`\n${[...tokens.values()].reduce((sum, one) => sum + one, 0)} tokens together; ${(await import("./token-estimate.ts")).ESTIMATE_NOTE}\n`);
    return exitCodes.done;
  },
};

function hasTag(tool: ListedTool, tag: string): boolean {
  return tool.effects.some((effect) => effect === tag) || tool.tags.includes(tag);
}

async function tokensOf(tools: readonly ListedTool[], { session }: OpenedSession): Promise<ReadonlyMap<string, number>> {
  const { estimateTokens } = await import("./token-estimate.ts");
  return new Map(
    tools.flatMap(({ name }) => {
      const tool = session.registry.find(name);
      return tool ? [[name, estimateTokens(tool)] as const] : [];
    }),
  );
}

async function writeTable(port: TerminalPort, tools: readonly ListedTool[], tokens: ReadonlyMap<string, number> | undefined): Promise<void> {
  const paint = await paintFor(port);
  const columns = [
    { title: "NAME", cells: tools.map((tool) => tool.name) },
    { title: "FROM", cells: tools.map((tool) => tool.origin as string) },
    { title: "EFFECTS", cells: tools.map((tool) => (tool.effects.length === 0 ? "unknown" : tool.effects.join(" "))) },
    ...(tokens ? [{ title: "TOKENS", cells: tools.map((tool) => String(tokens.get(tool.name) ?? "")) }] : []),
  ].map((column) => ({ ...column, width: Math.max(column.title.length, ...column.cells.map((cell) => cell.length)) }));
  const used = columns.reduce((sum, column) => sum + column.width + 2, 0);
  // A pipe gets whole lines, so that `grep` finds every word.
  const room = port.isTerminal ? Math.max(SUMMARY_COLUMNS_MIN, port.columns - used) : Number.POSITIVE_INFINITY;
  const head = paint.dim([...columns.map((column) => column.title.padEnd(column.width)), "DOES"].join("  "));
  const lines = tools.map((tool, row) => {
    const cells = columns.map((column, index) => {
      const text = column.cells[row] ?? "";
      const cell = column.title === "TOKENS" ? text.padStart(column.width) : padEnd(text, column.width);
      return index === 0 ? paint.bold(cell) : paint.dim(cell);
    });
    return [...cells, doesText(tool, { room, paint })].join("  ");
  });
  port.write(`${[head, ...lines].join("\n")}\n`);
}

function doesText(tool: ListedTool, { room, paint }: { readonly room: number; readonly paint: Paint }): string {
  const text = tool.summary === "" ? tool.title : tool.summary;
  const note = tool.unavailable.length > 0 ? `unavailable: ${tool.unavailable.join("; ")}` : tool.isDeprecated ? "deprecated" : undefined;
  if (note === undefined) return cut(printable(text), room);
  return paint.yellow(cut(printable(`${note}. ${text}`), room));
}

async function writeUnused(port: TerminalPort, unused: readonly UnusedDefinition[], isBelow: boolean): Promise<void> {
  const { yellow } = await paintFor(port);
  const lines = unused.map(({ name, place, reason }) => `  \`${name}\` in ${printable(place)}: ${printable(reason)}`);
  port.write(`${isBelow ? "\n" : ""}${yellow(unused.length === 1 ? "1 definition is not used:" : `${unused.length} definitions are not used:`)}\n${lines.join("\n")}\n`);
}
