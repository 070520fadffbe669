// A graph for a terminal: steps that can run at the same time are together, and the steps that wait for them are below.
import { cut, padEnd, printableLines } from "../../cli/view/layout.ts";
import type { GraphNode, ToolGraph } from "./tool-graph.ts";

const NAME_COLUMNS_MAX = 30;

export function graphText(graph: ToolGraph, columns: number): string {
  const lines = blockLines(linksOf(graph), undefined, columns - 2);
  return [printableLines(graph.tool), "", ...lines].map((line) => `${line}\n`).join("");
}

/** Indexes of the graph, collected once. */
interface Links {
  readonly nodes: ReadonlyMap<string, GraphNode>;
  /** The nodes by the node that contains them; fallbacks are shown with their steps. */
  readonly inside: ReadonlyMap<string | undefined, readonly GraphNode[]>;
  /** The nodes that must have ended before a node, by its id. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
  readonly fallbacks: ReadonlyMap<string, string>;
}

function linksOf({ nodes, edges }: ToolGraph): Links {
  const inside = new Map<string | undefined, GraphNode[]>();
  for (const node of nodes) if (!node.isFallback) addTo(inside, node.within, node);
  const sources = new Map<string, string[]>();
  for (const { from, to, kind } of edges) if (kind !== "inside" && kind !== "fallback") addTo(sources, to, from);
  const fallbacks = new Map(edges.flatMap(({ from, to, kind }) => (kind === "fallback" ? [[from, to] as const] : [])));
  return { nodes: new Map(nodes.map((node) => [node.id, node])), inside, sources, fallbacks };
}

function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function blockLines(links: Links, within: string | undefined, columns: number): readonly string[] {
  const own = links.inside.get(within) ?? [];
  const width = Math.min(NAME_COLUMNS_MAX, Math.max(0, ...own.map(({ name }) => printableLines(name).length)));
  const levels = levelsOf(own, links);
  return levels.flatMap((level, place) => {
    const before = levels[place - 1] ?? [];
    const isLast = place === levels.length - 1;
    const lines = level.flatMap((node) => [
      cut(
        `${markOf(node, level)} ${padEnd(printableLines(node.name), width)}  ${printableLines(wordsOf(node, before, links)).replaceAll("\n", " ")}`,
        columns,
      ),
      ...belowLines(node, links, columns - 4).map((line) => `${isLast ? " " : "│"}   ${line}`),
    ]);
    return [...lines, ...(isLast ? [] : ["│"])];
  });
}

/** Puts each step on the level of the longest path to it. */
function levelsOf(nodes: readonly GraphNode[], { sources }: Links): readonly (readonly GraphNode[])[] {
  const depths = new Map<string, number>();
  const waiting = new Set(nodes);
  while (waiting.size > 0) {
    const before = waiting.size;
    for (const node of waiting) {
      const from = sources.get(node.id) ?? [];
      if (!from.every((id) => depths.has(id))) continue;
      depths.set(node.id, 1 + Math.max(-1, ...from.map((id) => depths.get(id) ?? 0)));
      waiting.delete(node);
    }
    if (waiting.size === before) throw new Error("the graph has a cycle");
  }
  const levels: GraphNode[][] = [];
  for (const node of nodes) (levels[depths.get(node.id) ?? 0] ??= []).push(node);
  return levels;
}

function markOf({ isCleanup }: GraphNode, level: readonly GraphNode[]): string {
  return isCleanup ? "○" : level.length > 1 ? "├" : "●";
}

/** Describes a node; names what it waits for unless that is everything on the level above. */
function wordsOf(node: GraphNode, before: readonly GraphNode[], { nodes, sources }: Links): string {
  const after = new Set(sources.get(node.id));
  const isPlain =
    node.isCleanup || !isStep(node) || (after.size === before.length && before.every(({ id }) => after.has(id)));
  const names = [...after].map((id) => nodes.get(id)?.name ?? id);
  return [
    node.does,
    ...node.facts,
    ...(isPlain ? [] : [names.length === 0 ? "at once" : `after ${names.join(" and ")}`]),
  ].join(", ");
}

function isStep({ kind }: GraphNode): boolean {
  return kind === "command" || kind === "tool" || kind === "prompt" || kind === "code";
}

function belowLines(node: GraphNode, links: Links, columns: number): readonly string[] {
  const does = links.nodes.get(links.fallbacks.get(node.id) ?? "")?.does;
  return [
    ...(does === undefined ? [] : [cut(`if it fails: ${printableLines(does)}`, columns)]),
    ...blockLines(links, node.id, columns),
  ];
}
