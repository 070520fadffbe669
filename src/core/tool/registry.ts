// The available tools: an immutable snapshot. A call runs to its end against the registry it started with.
import type { Checked, Diagnostic } from "../text/diagnostic.ts";
import { Recent } from "./recent.ts";
import type { Tool } from "./tool.ts";

export interface ToolRegistry {
  /** Builds the tool when it is asked for, from what is loaded. A tool whose definition has errors is not found. */
  find(name: string): Tool | undefined;
  /** Like `find`, after loading the dependencies of the tool, or everything if nothing is found. */
  resolve(name: string): Promise<Tool | undefined>;
  /** Returns the names, sorted, without building tools. Tools of plugins are missing until `complete`. */
  names(): readonly string[];
  /** Loads everything. */
  complete(): Promise<void>;
  /** Returns a larger registry. A taken name is a diagnostic, and the first tool keeps it. */
  extended(tools: readonly Tool[]): Checked<ToolRegistry>;
}

interface ToolSource {
  names(): readonly string[];
  /** Builds a tool. Called again for a name that has not been asked for in a long time. */
  build(name: string): Tool | undefined;
  /** Loads the dependencies of the tool of this name. */
  prepare?(name: string): Promise<void>;
  /** Makes `names` and `build` complete. Called once. */
  complete?(): Promise<void>;
}

/** The limit of built tools. A tool takes some 10 KB, and a fraction of a millisecond to be built again. */
const TOOLS_MAX = 1_000;

export function createRegistry(source: ToolSource): ToolRegistry {
  const built = new Recent<string, Tool | undefined>(TOOLS_MAX);
  const find = (name: string): Tool | undefined => {
    if (built.has(name)) return built.get(name);
    const tool = source.build(name);
    built.set(name, tool);
    return tool;
  };
  let completing: Promise<void> | undefined;
  const complete = (): Promise<void> => {
    completing ??= (source.complete?.() ?? Promise.resolve()).then(() => {
      // A tool that was missing, or had a missing dependency, may exist now.
      for (const [name, tool] of built.entries()) if (!tool) built.delete(name);
    });
    return completing;
  };
  const resolve = async (name: string): Promise<Tool | undefined> => {
    const known = built.get(name);
    if (known) return known;
    await source.prepare?.(name);
    built.delete(name);
    const tool = find(name);
    if (tool || !source.complete) return tool;
    await complete();
    return find(name);
  };
  const names = (): readonly string[] => source.names().toSorted();
  const extended = (tools: readonly Tool[]): Checked<ToolRegistry> => {
    const diagnostics: Diagnostic[] = [];
    const added = new Map<string, Tool>();
    const taken = new Set(source.names());
    for (const tool of tools) {
      const name = tool.definition.name.value;
      const earlier = added.get(name) ?? (taken.has(name) ? find(name) : undefined);
      if (earlier) diagnostics.push(duplicateTool(tool, earlier));
      else added.set(name, tool);
    }
    const value = createRegistry({
      names: () => [...source.names(), ...added.keys()],
      build: (name) => added.get(name) ?? find(name),
      complete,
    });
    return { value, diagnostics };
  };
  return { find, resolve, names, complete, extended };
}

function duplicateTool(tool: Tool, earlier: Tool): Diagnostic {
  const name = tool.definition.name;
  return {
    code: "duplicate-tool",
    severity: "warning",
    message: `duplicate tool \`${name.value}\``,
    at: { span: name.span, text: "this one is not used" },
    related: [{ span: earlier.definition.name.span, text: "this one is used" }],
    help: ["give one of them another name"],
  };
}
