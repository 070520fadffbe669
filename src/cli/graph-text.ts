// A graph for a terminal: steps that can run beside each other stand together, and what waits for them below.
import { cut, padEnd, printable } from "./layout.ts";
import type { GraphNode, ToolGraph } from "./tool-graph.ts";

const NAME_COLUMNS_MAX = 30;

export function graphText(graph: ToolGraph, columns: number): string {
  const lines = blockLines(graph, { within: undefined, columns: columns - 2 });
  return [printable(graph.tool), "", ...lines].map((line) => `${line}\n`).join("");
}

interface Block {
  readonly within: string | undefined;
  readonly columns: number;
}

function blockLines(graph: ToolGraph, { within, columns }: Block): readonly string[] {
  const own = graph.nodes.filter((node) => node.within === within && !node.isFallback);
  const width = Math.min(NAME_COLUMNS_MAX, Math.max(0, ...own.map(({ name }) => printable(name).length)));
  const levels = levelsOf(own, graph);
  return levels.flatMap((level, place) => {
    const before = levels[place - 1] ?? [];
    const isLast = place === levels.length - 1;
    const lines = level.flatMap((node) => [
      cut(`${markOf(node, level)} ${padEnd(printable(node.name), width)}  ${printable(wordsOf(node, before, graph)).replaceAll("\n", " ")}`, columns),
      ...belowLines(node, graph, columns - 4).map((line) => `${isLast ? " " : "│"}   ${line}`),
    ]);
    return [...lines, ...(isLast ? [] : ["│"])];
  });
}

/** Each step as far down as the longest way to it. */
function levelsOf(nodes: readonly GraphNode[], { edges }: ToolGraph): readonly (readonly GraphNode[])[] {
  const depths = new Map<string, number>();
  const sources = new Map<string, string[]>();
  for (const { from, to, kind } of edges) if (kind !== "inside" && kind !== "fallback") sources.set(to, [...(sources.get(to) ?? []), from]);
  const waiting = new Set(nodes);
  while (waiting.size > 0) {
    const before = waiting.size;
    for (const node of waiting) {
      const from = sources.get(node.id) ?? [];
      if (!from.every((id) => depths.has(id))) continue;
      depths.set(node.id, 1 + Math.max(-1, ...from.map((id) => depths.get(id) ?? 0)));
      waiting.delete(node);
    }
    if (waiting.size === before) throw new Error("the graph has a circle");
  }
  const levels: GraphNode[][] = [];
  for (const node of nodes) (levels[depths.get(node.id) ?? 0] ??= []).push(node);
  return levels;
}

function markOf({ isCleanup }: GraphNode, level: readonly GraphNode[]): string {
  return isCleanup ? "○" : level.length > 1 ? "├" : "●";
}

/** What it waits for is said where that is not simply all that stands above it. */
function wordsOf(node: GraphNode, before: readonly GraphNode[], { nodes, edges }: ToolGraph): string {
  const after = edges.filter(({ to, kind }) => to === node.id && kind === "then").map(({ from }) => from);
  const isPlain = node.isCleanup || node.kind !== "command" && node.kind !== "tool" && node.kind !== "prompt" && node.kind !== "code" || (after.length === before.length && before.every(({ id }) => after.includes(id)));
  const names = after.map((id) => nodes.find((other) => other.id === id)?.name ?? id);
  return [node.does, ...node.facts, ...(isPlain ? [] : [names.length === 0 ? "at once" : `after ${names.join(" and ")}`])].join(", ");
}

function belowLines(node: GraphNode, graph: ToolGraph, columns: number): readonly string[] {
  const fallback = graph.edges.find(({ from, kind }) => from === node.id && kind === "fallback");
  const does = graph.nodes.find(({ id }) => id === fallback?.to)?.does;
  return [...(does === undefined ? [] : [cut(`if it fails: ${printable(does)}`, columns)]), ...blockLines(graph, { within: node.id, columns })];
}
