// From a definition to a tool that can run: finds the tool it sits on and lets the file for its kind build it.
import type { Checked, Diagnostic } from "../text/diagnostic.ts";
import { nearestNames } from "../text/suggest.ts";
import type { Platform } from "../tool/command.ts";
import type { ToolDefinition } from "../tool/definition.ts";
import type { BaseTool, Tool } from "../tool/tool.ts";
import { aliasTool } from "./alias.ts";
import { wrappedTool } from "./wrapped.ts";

export interface ToolBuilder {
  build(definition: ToolDefinition): Checked<Tool>;
}

export interface BuilderOptions {
  readonly platform: Platform;
  /** A definition by the name another one wraps; a base tool has none. */
  definition(name: string): ToolDefinition | undefined;
  baseTool(name: string): BaseTool | undefined;
  /** For suggestions. */
  names(): readonly string[];
}

type Wrapping = Exclude<ToolDefinition, { readonly kind: "base" }>;

export function createToolBuilder(options: BuilderOptions): ToolBuilder {
  const build = (definition: ToolDefinition, above: readonly Wrapping[]): Checked<Tool> => {
    if (definition.kind === "base") {
      const tool = options.baseTool(definition.name.value);
      return tool ? { value: tool, diagnostics: [] } : { diagnostics: [] };
    }
    const base = resolveBase(definition, above);
    if (!base.value) return base;
    const built = definition.kind === "alias" ? aliasTool(definition, base.value) : wrappedTool(definition, base.value, options.platform);
    return built.value ? { value: built.value, diagnostics: built.diagnostics } : built;
  };

  const resolveBase = (definition: Wrapping, above: readonly Wrapping[]): Checked<BaseTool> => {
    const name = definition.base.value;
    // A definition may take over a base tool's name and still sit on it.
    if (name === definition.name.value) {
      const tool = options.baseTool(name);
      return tool ? { value: tool, diagnostics: [] } : { diagnostics: [cycle([...above, definition])] };
    }
    if ([...above, definition].some((one) => one.name.value === name)) return { diagnostics: [cycle([...above, definition])] };
    const found = options.definition(name);
    if (found && found.kind !== "base") {
      const built = build(found, [...above, definition]);
      if (built.value || built.diagnostics.some((diagnostic) => diagnostic.code === "wrap-cycle")) return built;
      return { diagnostics: [faultyBase(definition, found)] };
    }
    const tool = options.baseTool(name);
    return tool ? { value: tool, diagnostics: [] } : { diagnostics: [unknownBase(definition, options.names())] };
  };

  return { build: (definition) => build(definition, []) };
}

function unknownBase(definition: Wrapping, names: readonly string[]): Diagnostic {
  const name = definition.base.value;
  const near = nearestNames(name, names);
  return {
    code: "unknown-base-tool",
    severity: "error",
    message: `there is no tool \`${name}\` to wrap`,
    at: { span: definition.base.span, text: near.length === 0 ? "" : `did you mean ${near.map((one) => `\`${one}\``).join(" or ")}?` },
    related: [],
    help: near.length === 0 ? ["`dottool list` shows the tools there are"] : [],
    ...(near[0] === undefined ? {} : { fix: { title: `use \`${near[0]}\``, edits: [{ span: definition.base.span, text: near[0] }] } }),
  };
}

function faultyBase(definition: Wrapping, base: Wrapping): Diagnostic {
  return {
    code: "unknown-base-tool",
    severity: "error",
    message: `\`${base.name.value}\` has errors, so nothing can be built on it`,
    at: { span: definition.base.span, text: "" },
    related: [{ span: base.name.span, text: "mend this one first" }],
    help: [],
  };
}

function cycle(chain: readonly Wrapping[]): Diagnostic {
  const last = chain[chain.length - 1] ?? chain[0];
  const names = chain.map((definition) => `\`${definition.name.value}\``);
  const at = last === undefined ? {} : { at: { span: last.base.span, text: chain.length === 1 ? "wraps itself" : "comes back here" } };
  return {
    code: "wrap-cycle",
    severity: "error",
    message: `these tools wrap each other in a circle: ${[...names, `\`${last?.base.value ?? ""}\``].join(" > ")}`,
    ...at,
    related: chain.slice(0, -1).map((definition) => ({ span: definition.base.span, text: "" })),
    help: ["let one of them wrap a base tool such as `run_command`"],
  };
}
