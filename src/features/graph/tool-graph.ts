// A tool as a graph: its steps and their order, or its dependencies.
import type { Session } from "../../core/run/session.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import { conditionText } from "../../core/tool/condition.ts";
import { underlyingTools, type ToolDefinition } from "../../core/tool/definition.ts";
import type { StepAction } from "../../core/tool/step.ts";
import type { StepOutline } from "../../core/tool/step-outline.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { commandText } from "../../cli/view/command-text.ts";

/** The depth to which tools may call each other. */
const DEPTH_MAX = 10;

export interface ToolGraph {
  readonly tool: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export interface GraphNode {
  /** A letter and digits, unique in a graph. */
  readonly id: string;
  readonly name: string;
  readonly kind: StepAction["kind"] | ToolDefinition["kind"] | "missing";
  /** `runs git` */
  readonly does: string;
  /** Further declarations, such as its condition. */
  readonly facts: readonly string[];
  readonly isCleanup?: true;
  readonly isFallback?: true;
  /** The node of the step that it is a part of. */
  readonly within?: string;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: EdgeKind;
}

/** `inside`: from a step to the steps of its tool that start first. */
export type EdgeKind = "then" | "fallback" | "cleanup" | "inside" | "underlying";

export const edgeLabels: Readonly<Record<EdgeKind, string>> = {
  // biome-ignore lint/suspicious/noThenProperty: a table, which nothing waits for
  then: "",
  fallback: "if it fails",
  cleanup: "at the end",
  inside: "inside",
  underlying: "",
};

interface GraphOptions {
  /** Whether the steps of tools that steps use are included. */
  readonly isDeep: boolean;
  readonly session: Session;
}

export async function graphOf(name: string, tool: Tool, options: GraphOptions): Promise<ToolGraph> {
  const drawing = new Drawing(options);
  if (tool.outline) await drawing.addSteps(tool, []);
  else await drawing.addFoundations(name);
  return { tool: name, nodes: drawing.nodes, edges: drawing.edges };
}

export interface StepFacts extends Omit<GraphNode, "id" | "within" | "isFallback"> {
  /** Names of the steps that must have ended. */
  readonly after: readonly string[];
}

/** Returns the facts of a tool's steps; `cwd` is where a call would run. */
export function stepFacts(tool: Tool, cwd: string): readonly StepFacts[] {
  return (tool.outline?.(namesAsValues(tool), cwd) ?? []).map((outline) => ({
    ...stepNode(outline),
    after: outline.after,
  }));
}

class Drawing {
  readonly nodes: GraphNode[] = [];
  readonly edges: GraphEdge[] = [];
  readonly #options: GraphOptions;

  constructor(options: GraphOptions) {
    this.#options = options;
  }

  /**
   * Adds the steps of a tool and returns the nodes that start first. `within`: the enclosing steps, outermost first.
   */
  async addSteps(tool: Tool, within: readonly string[]): Promise<readonly string[]> {
    const outlines = tool.outline?.(namesAsValues(tool), this.#options.session.cwd) ?? [];
    const ids = new Map<string, string>();
    const parent = within.at(-1);
    for (const outline of outlines) {
      const id = `s${this.nodes.length}`;
      ids.set(outline.step.name.value, id);
      this.nodes.push({ ...stepNode(outline), id, ...(parent === undefined ? {} : { within: parent }) });
      if (outline.step.fallback) this.#addFallback(outline.step.fallback, outline, { id, parent });
      if (this.#options.isDeep) await this.#addInside(outline, [...within, id]);
    }
    const idsOf = (names: readonly string[]): readonly string[] => names.flatMap((name) => ids.get(name) ?? []);
    const steps = outlines.filter(({ isCleanup }) => !isCleanup);
    const awaited = new Set(steps.flatMap(({ after }) => after));
    for (const { step, after } of steps)
      for (const from of idsOf(after)) this.#connect(from, idsOf([step.name.value]), "then");
    let last = idsOf(steps.map(({ step }) => step.name.value).filter((name) => !awaited.has(name)));
    for (const { step } of outlines.filter(({ isCleanup }) => isCleanup)) {
      const own = idsOf([step.name.value]);
      for (const from of last) this.#connect(from, own, "cleanup");
      last = own;
    }
    return idsOf(steps.filter(({ after }) => after.length === 0).map(({ step }) => step.name.value));
  }

  /** Adds the dependencies of a tool, down to tools without dependencies. */
  async addFoundations(name: string): Promise<void> {
    const ids = new Map<string, string>();
    const idOf = (wanted: string): string => {
      const id = ids.get(wanted) ?? `t${ids.size}`;
      ids.set(wanted, id);
      return id;
    };
    idOf(name);
    for (const [wanted, id] of ids) {
      const definition = (await this.#options.session.registry.resolve(wanted))?.definition;
      this.nodes.push({
        id,
        name: wanted,
        ...(definition ? madeOf(definition) : { kind: "missing", does: "is missing", facts: [] }),
      });
      // The iteration includes entries that are added meanwhile.
      for (const base of definition ? underlyingTools(definition) : []) this.#connect(id, [idOf(base)], "underlying");
    }
  }

  #connect(from: string, to: readonly string[], kind: EdgeKind): void {
    for (const one of to) this.edges.push({ from, to: one, kind });
  }

  #addFallback(
    action: StepAction,
    outline: StepOutline,
    { id, parent }: { readonly id: string; readonly parent: string | undefined },
  ): void {
    const own = `s${this.nodes.length}`;
    this.nodes.push({
      id: own,
      name: `${outline.step.name.value}, if it fails`,
      kind: action.kind,
      does: doesText(action, outline.fallback?.tool ?? ""),
      facts: [],
      isFallback: true,
      ...(parent === undefined ? {} : { within: parent }),
    });
    this.#connect(id, [own], "fallback");
  }

  async #addInside({ step }: StepOutline, within: readonly string[]): Promise<void> {
    if (step.action.kind !== "tool" || within.length >= DEPTH_MAX) return;
    const tool = await this.#options.session.registry.resolve(step.action.tool.value);
    if (tool?.outline) this.#connect(within.at(-1) ?? "", await this.addSteps(tool, within), "inside");
  }
}

/** Returns arguments that show every value as its placeholder. */
function namesAsValues({ parameters }: Tool): JsonObject {
  return Object.fromEntries(parameters.map(({ name }) => [name, `{${name}}`]));
}

function stepNode({ step, tool, isCleanup, items }: StepOutline): Omit<GraphNode, "id"> {
  const { when, forEach, retries, timeoutMs, cacheMs } = step;
  const facts = [
    ...(when ? [`when ${conditionText(when.condition)}`] : []),
    ...(forEach
      ? [
          `for each of ${items ?? ""}${forEach.concurrency > 1 ? `, ${forEach.concurrency} at once` : ""}${forEach.isQueued ? ", by workers" : ""}`,
        ]
      : []),
    ...(step.isParallel ? ["parallel"] : []),
    ...(retries && retries.attempts > 1 ? [`up to ${retries.attempts} attempts`] : []),
    ...(timeoutMs === undefined ? [] : [`${timeoutMs / 1000} s at most`]),
    ...(cacheMs === undefined ? [] : [`cached for ${cacheMs / 1000} s`]),
    ...(step.isOnce && !isCleanup ? ["once"] : []),
    ...(step.continuesOnError && !isCleanup ? ["may fail"] : []),
  ];
  return {
    name: step.name.value,
    kind: step.action.kind,
    does: doesText(step.action, tool),
    facts,
    ...(isCleanup ? { isCleanup } : {}),
  };
}

function doesText(action: StepAction, tool: string): string {
  switch (action.kind) {
    case "command":
      return `runs ${tool}`;
    case "tool":
      return `uses ${tool}`;
    case "prompt":
      return `asks ${action.provider ?? "a model"}`;
    case "code":
      return action.language === "javascript" ? "JavaScript" : "Python";
  }
}

function madeOf(definition: ToolDefinition): Pick<GraphNode, "kind" | "does" | "facts"> {
  const { kind } = definition;
  switch (kind) {
    case "base":
      return { kind, does: definition.origin.kind === "plugin" ? "from a plugin" : "made in TypeScript", facts: [] };
    case "alias":
      return { kind, does: `alias of ${definition.base.value}`, facts: [] };
    case "wrapped":
      return {
        kind,
        does: `wraps ${definition.base.value}`,
        facts: definition.commands.map(
          ({ platform, command }) => `${platform === undefined ? "" : `${platform}: `}${commandText(command)}`,
        ),
      };
    case "steps":
      return {
        kind,
        does: `${definition.steps.length} ${definition.steps.length === 1 ? "step" : "steps"}`,
        facts: [],
      };
    case "code":
      return { kind, does: "JavaScript in the sandbox", facts: [] };
  }
}
