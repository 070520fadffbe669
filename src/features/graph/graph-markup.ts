// Writes a graph for Mermaid and Graphviz. Names and texts are the author's, so nothing in them may end a label or
// begin an element.
import { printableLines } from "../../cli/view/layout.ts";
import { edgeLabels, type EdgeKind, type GraphEdge, type GraphNode, type ToolGraph } from "./tool-graph.ts";

const TEXT_LENGTH_MAX = 80;

/** https://mermaid.js.org/syntax/flowchart.html */
export function graphMermaid(graph: ToolGraph): string {
  const { edges: joined, joints } = joinedEdges(graph);
  const node = ({ id, ...rest }: GraphNode): string => {
    const label = labelLines(rest).map(mermaidText).join("<br>");
    const [open, close] = mermaidShapes[shapeOf(rest)];
    return `${id}${open}"${label}"${close}`;
  };
  const group = (id: string, label: string, inner: readonly string[]): readonly string[] => [
    `subgraph g${id}["${mermaidText(label)}"]`,
    ...inner.map((line) => `  ${line}`),
    "end",
  ];
  const edges = joined.map(({ from, to, kind }) => {
    const label = edgeLabels[kind];
    return `${from} ${isDashed(kind) ? "-.->" : "-->"}${label === "" ? "" : `|"${label}"|`} ${to}`;
  });
  return [
    "flowchart TD",
    ...[...grouped(graph, undefined, { node, group }), ...joints.map((id) => `${id}((" "))`), ...edges].map(
      (line) => `  ${line}`,
    ),
    "",
  ].join("\n");
}

const mermaidShapes = { box: ["[", "]"], round: ["(", ")"], double: ["[[", "]]"], stadium: ["([", "])"] } as const;

/** Escapes text with numbered entities as Mermaid writes them: `#34;`. */
function mermaidText(text: string): string {
  return text.replace(/[^\p{Letter}\p{Number}\p{Mark} .,:=!_/-]/gu, (character) => `#${character.codePointAt(0)};`);
}

/** https://graphviz.org/doc/info/lang.html */
export function graphDot(graph: ToolGraph): string {
  const { edges: joined, joints } = joinedEdges(graph);
  const node = ({ id, ...rest }: GraphNode): string =>
    `${id} [label=${dotText(labelLines(rest).join("\n"))}, ${dotShapes[shapeOf(rest)]}]`;
  const group = (id: string, label: string, inner: readonly string[]): readonly string[] => [
    `subgraph cluster_${id} {`,
    `  label=${dotText(label)}`,
    ...inner.map((line) => `  ${line}`),
    "}",
  ];
  const edges = joined.map(({ from, to, kind }) => {
    const label = edgeLabels[kind];
    const attributes = [
      ...(label === "" ? [] : [`label=${dotText(label)}`]),
      ...(isDashed(kind) ? ["style=dashed"] : []),
    ];
    return `${from} -> ${to}${attributes.length === 0 ? "" : ` [${attributes.join(", ")}]`}`;
  });
  const head = [
    `label=${dotText(oneLine(graph.tool))}`,
    "labelloc=t",
    'fontname="Helvetica"',
    'node [fontname="Helvetica", fontsize=11]',
    'edge [fontname="Helvetica", fontsize=10]',
  ];
  return [
    `digraph {`,
    ...[
      ...head,
      ...grouped(graph, undefined, { node, group }),
      ...joints.map((id) => `${id} [shape=point]`),
      ...edges,
    ].map((line) => `  ${line}`),
    "}",
    "",
  ].join("\n");
}

const dotShapes = {
  box: "shape=box",
  round: 'shape=box, style="rounded"',
  double: "shape=component",
  stadium: 'shape=box, style="rounded,dashed"',
} as const;

/** Escapes text for quotes, where `\n` is a line end, `\N` is the node's name, and entities are those of HTML. */
function dotText(text: string): string {
  return `"${text.replaceAll("&", "&amp;").replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}

interface Joined {
  readonly edges: readonly GraphEdge[];
  /** The ids of the points where edges meet. */
  readonly joints: readonly string[];
}

/**
 * Joins edges in a point if several steps wait for the same steps: ten after ten are twenty edges then, not a hundred.
 */
function joinedEdges(graph: ToolGraph): Joined {
  const sources = new Map<string, string[]>();
  const targets = new Map<string, string[]>();
  const others: GraphEdge[] = [];
  for (const edge of graph.edges) {
    if (edge.kind !== "then") others.push(edge);
    else if (!sources.get(edge.to)?.push(edge.from)) sources.set(edge.to, [edge.from]);
  }
  for (const [to, from] of sources) {
    const key = from.join();
    if (!targets.get(key)?.push(to)) targets.set(key, [to]);
  }
  const joints: string[] = [];
  const then = [...targets.values()].flatMap((to): readonly GraphEdge[] => {
    const from = sources.get(to[0] ?? "") ?? [];
    if (from.length * to.length <= from.length + to.length)
      return to.flatMap((one) => from.map((other): GraphEdge => ({ from: other, to: one, kind: "then" })));
    const joint = `j${joints.length}`;
    joints.push(joint);
    return [
      ...from.map((one): GraphEdge => ({ from: one, to: joint, kind: "then" })),
      ...to.map((one): GraphEdge => ({ from: joint, to: one, kind: "then" })),
    ];
  });
  return { edges: [...then, ...others], joints };
}

interface Writer {
  node(node: GraphNode): string;
  group(id: string, label: string, inner: readonly string[]): readonly string[];
}

function grouped(graph: ToolGraph, within: string | undefined, writer: Writer): readonly string[] {
  const own = graph.nodes.filter((node) => node.within === within);
  return own.flatMap((node) => {
    const inner = grouped(graph, node.id, writer);
    return [
      writer.node(node),
      ...(inner.length === 0 ? [] : writer.group(node.id, oneLine(node.does.replace(/^uses /, "")), inner)),
    ];
  });
}

function shapeOf({ kind, isCleanup, isFallback }: Omit<GraphNode, "id">): keyof typeof mermaidShapes {
  if (isCleanup || isFallback) return "stadium";
  return kind === "tool" ? "double" : kind === "prompt" || kind === "code" ? "round" : "box";
}

function isDashed(kind: EdgeKind): boolean {
  return kind === "fallback" || kind === "cleanup" || kind === "inside";
}

function labelLines({ name, does, facts }: Omit<GraphNode, "id">): readonly string[] {
  return [name, does, ...facts].map(oneLine);
}

/** Spells out control characters, and cuts long text. */
function oneLine(text: string): string {
  const characters = [...printableLines(text.replaceAll(/\s+/g, " ").trim())];
  return characters.length <= TEXT_LENGTH_MAX
    ? characters.join("")
    : `${characters.slice(0, TEXT_LENGTH_MAX - 1).join("")}…`;
}
