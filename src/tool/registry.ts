// The tools there are: an immutable snapshot. A call runs to its end against the registry it started with.
import type { Checked, Diagnostic } from "../text/diagnostic.ts";
import type { Tool } from "./tool.ts";

export interface ToolRegistry {
  /** Builds the tool when first asked for; a tool whose definition has errors is not found. */
  find(name: string): Tool | undefined;
  /** Sorted. Cheap: builds nothing. */
  names(): readonly string[];
  /** A larger registry. A taken name is a diagnostic, and the tool that had it stays. */
  extended(tools: readonly Tool[]): Checked<ToolRegistry>;
}

export interface ToolSource {
  names(): readonly string[];
  /** Asked once for each name. */
  build(name: string): Tool | undefined;
}

export function createRegistry(source: ToolSource): ToolRegistry {
  const built = new Map<string, Tool | undefined>();
  const find = (name: string): Tool | undefined => {
    if (!built.has(name)) built.set(name, source.build(name));
    return built.get(name);
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
    const value = createRegistry({ names: () => [...source.names(), ...added.keys()], build: (name) => added.get(name) ?? find(name) });
    return { value, diagnostics };
  };
  return { find, names, extended };
}

function duplicateTool(tool: Tool, earlier: Tool): Diagnostic {
  const name = tool.definition.name;
  return {
    code: "duplicate-tool",
    severity: "warning",
    message: `there is a tool \`${name.value}\` already`,
    at: { span: name.span, text: "this one is not used" },
    related: [{ span: earlier.definition.name.span, text: "this one stays" }],
    help: ["give one of them another name"],
  };
}
