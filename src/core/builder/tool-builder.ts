// Builds a tool from a definition: finds its base tool, and calls the builder of its kind.
import type { Checked, Diagnostic } from "../text/diagnostic.ts";
import type { Spanned } from "../text/source.ts";
import type { Platform } from "../tool/command.ts";
import {
  type AliasDefinition,
  type ToolDefinition,
  type WrappedDefinition,
  reachedFrom,
  underlyingTools,
} from "../tool/definition.ts";
import { type BaseTool, isUnapproved, type Tool } from "../tool/tool.ts";
import { isRemoteName } from "../tool/remote-name.ts";
import { aliasTool } from "./alias.ts";
import type { Composer } from "./composer.ts";
import { wrappedTool } from "./wrapped.ts";
import { effectsOver } from "./effects.ts";
import { effectsUntrusted } from "./untrusted-effects.ts";
import { inheritedNeeds } from "./inherited-needs.ts";
import { nearestNames, sureName } from "../text/suggest.ts";

export interface ToolBuilder {
  build(definition: ToolDefinition): Checked<Tool>;
}

interface BuilderOptions {
  readonly platform: Platform;
  /** Returns the definition of a name that another one wraps; a base tool has none. */
  definition(name: string): ToolDefinition | undefined;
  baseTool(name: string): BaseTool | undefined;
  /** Undefined until it is loaded: see ./composer.ts. */
  composer?(): Composer | undefined;
  /** Returns a tool of an MCP server; without a value if the server is not configured. Undefined until it is loaded. */
  remoteTool?(named: Spanned<string>): Checked<BaseTool> | undefined;
  names(): readonly string[];
}

/** What the author says of effects counts once a person has approved the package. */
function asReviewed(tool: Tool): Tool {
  return isUnapproved(tool) ? { ...tool, effects: effectsUntrusted(tool) } : tool;
}

/** A definition and the place where it names its base tool. */
interface Link {
  readonly definition: ToolDefinition;
  readonly named: Spanned<string>;
}

export function createToolBuilder(options: BuilderOptions): ToolBuilder {
  /** The dependencies built for one tool, cached because many steps of many tools may use the same tool. */
  let built = new Map<ToolDefinition, Tool>();

  const build = (definition: ToolDefinition, ancestors: readonly Link[]): Checked<Tool> => {
    const known = built.get(definition);
    if (known) return { value: known, diagnostics: [] };
    const made = buildAnew(definition, ancestors);
    const checked = made.value ? { ...made, value: asReviewed(made.value) } : made;
    if (checked.value) built.set(definition, checked.value);
    return checked;
  };

  const buildAnew = (definition: ToolDefinition, ancestors: readonly Link[]): Checked<Tool> => {
    switch (definition.kind) {
      case "base": {
        const tool = options.baseTool(definition.name.value);
        return tool ? { value: tool, diagnostics: [] } : { diagnostics: [] };
      }
      case "alias":
      case "wrapped": {
        const base = resolve(definition.base, definition, ancestors);
        if (!base.value) return base;
        if (base.value.obstacle && (definition.kind === "alias" || definition.commands.length === 0))
          return { value: waitingTool(definition, base.value), diagnostics: base.diagnostics };
        return definition.kind === "alias"
          ? aliasTool(definition, base.value)
          : wrappedTool(definition, base.value, { platform: options.platform });
      }
      case "steps":
        return (
          options.composer?.()?.composedTool(definition, {
            platform: options.platform,
            tool: (named) => resolve(named, definition, ancestors),
          }) ?? { diagnostics: [] }
        );
      case "code":
        return (
          options.composer?.()?.codeTool(definition, { tool: (named) => resolve(named, definition, ancestors) }) ?? {
            diagnostics: [],
          }
        );
    }
  };

  const resolve = (
    named: Spanned<string>,
    definition: ToolDefinition,
    ancestors: readonly Link[],
  ): Checked<BaseTool> => {
    const name = named.value;
    if (isRemoteName(name)) return options.remoteTool?.(named) ?? { diagnostics: [] };
    const chain = [...ancestors, { definition, named }];
    const baseTool = options.baseTool(name);
    // A definition may have the name of its own base tool; steps call by name, and would call themselves.
    if (name === definition.name.value && baseTool && definition.kind !== "steps")
      return { value: baseTool, diagnostics: [] };
    if (chain.some((link) => link.definition.name.value === name)) return { diagnostics: [cycle(chain)] };
    const found = options.definition(name);
    if (found && found.kind !== "base") {
      const below = build(found, chain);
      if (below.value || below.diagnostics.some((diagnostic) => diagnostic.code === "wrap-cycle")) return below;
      return { diagnostics: [faultyBase(named, found)] };
    }
    if (baseTool) return { value: baseTool, diagnostics: [] };
    const owns = new Set(chain.map((link) => link.definition.name.value));
    const near = meantTools(name, owns, options);
    const sure = sureTool(name, { near, used: passedTo(named, definition) }, options);
    return { diagnostics: [unknownBase(named, { near, sure }, definition)] };
  };

  return {
    build: (definition) => {
      built = new Map();
      return build(definition, []);
    },
  };
}

/** Returns the names of the parameters that the definition gives to the tool that it names here. */
function passedTo(named: Spanned<string>, definition: ToolDefinition): readonly string[] {
  if (definition.kind === "steps")
    return [...definition.steps, ...definition.cleanup].flatMap(({ action }) =>
      action.kind === "tool" && action.tool.value === named.value
        ? action.arguments.map(({ parameter }) => parameter.value)
        : [],
    );
  if (definition.kind !== "alias" && definition.kind !== "wrapped") return [];
  const set = definition.kind === "wrapped" ? [...definition.defaults, ...definition.presets] : definition.defaults;
  const own = definition.kind === "wrapped" && definition.commands.length > 0 ? [] : definition.parameters;
  return [...set.map(({ parameter }) => parameter.value), ...own.map(({ name }) => name)];
}

interface MeantTools {
  /** The names that may be meant, the likeliest first. */
  readonly near: readonly string[];
  readonly sure: string | undefined;
}

function unknownBase(
  { value: name, span }: Spanned<string>,
  { near, sure }: MeantTools,
  definition: ToolDefinition,
): Diagnostic {
  return {
    code: "unknown-base-tool",
    severity: "error",
    message: `there is no tool \`${name}\` to ${definition.kind === "steps" ? "use" : "wrap"}`,
    at: { span, text: near.length === 0 ? "" : `did you mean ${near.map((one) => `\`${one}\``).join(" or ")}?` },
    related: [],
    help:
      near.length > 0
        ? []
        : [
            ...(name.includes("/")
              ? [
                  `put its definition into a tool folder, as \`${name}.tool\` or \`${name}.yaml\``,
                  `\`dottool install --deps ${definition.name.value}\` looks for a package that has it`,
                ]
              : []),
            "`dottool list --all` shows all tools",
          ],
    ...(sure === undefined ? {} : { fix: { title: `use \`${sure}\``, edits: [{ span, text: sure }] } }),
  };
}

function faultyBase({ span }: Spanned<string>, base: ToolDefinition): Diagnostic {
  return {
    code: "unknown-base-tool",
    severity: "error",
    message: `\`${base.name.value}\` has errors, so no other tool can use it`,
    at: { span, text: "" },
    related: [{ span: base.name.span, text: "fix this first" }],
    help: [],
  };
}

function cycle(chain: readonly Link[]): Diagnostic {
  const last = chain.at(-1);
  const names = chain.map(({ definition }) => `\`${definition.name.value}\``);
  const isSteps = chain.some(({ definition }) => definition.kind === "steps");
  const at =
    last === undefined
      ? {}
      : {
          at: {
            span: last.named.span,
            text: chain.length === 1 ? (isSteps ? "calls itself" : "wraps itself") : "comes back here",
          },
        };
  return {
    code: "wrap-cycle",
    severity: "error",
    message: `these tools ${isSteps ? "call" : "wrap"} each other in a circle: ${[...names, `\`${last?.named.value ?? ""}\``].join(" > ")}`,
    ...at,
    related: chain.slice(0, -1).map(({ named }) => ({ span: named.span, text: "" })),
    help: [isSteps ? "remove one of these calls" : "make one of them wrap a base tool such as `run_command`"],
  };
}

/**
 * Makes a tool over one of an MCP server whose parameters are not known yet: it is listed and shown, and a call says
 * what to do first.
 */
function waitingTool(definition: AliasDefinition | WrappedDefinition, base: BaseTool): Tool {
  const { wrap: _wrap, ...below } = base;
  return Object.freeze<Tool>({
    ...below,
    definition: { ...definition, ...inheritedNeeds(definition, base.definition) },
    effects: effectsOver(base.effects, definition.declaredEffects),
    parameters: definition.parameters,
    safeTextLength: Infinity,
    underlying: [base],
  });
}

const OWNED_SHOWN_MAX = 3;

/**
 * Returns the tool that is surely meant: it differs by two letters at most or only lacks its owner, and has every
 * parameter that the definition passes to it, or one that is nearly called so.
 */
function sureTool(
  name: string,
  { near, used }: { readonly near: readonly string[]; readonly used: readonly string[] },
  options: Pick<BuilderOptions, "definition" | "baseTool">,
): string | undefined {
  const [first, ...others] = near;
  const isOnlyOwned = others.length === 0 && first?.endsWith(`/${name}`) === true;
  const sure = isOnlyOwned ? first : sureName(name, near);
  const definition = sure === undefined ? undefined : options.definition(sure);
  const base = sure === undefined ? undefined : options.baseTool(sure);
  const known = definition && definition.kind !== "base" ? definition : base?.definition;
  const names = known?.parameters.map((parameter) => parameter.name) ?? [];
  const isKnown = (one: string): boolean => names.includes(one) || nearestNames(one, names).length > 0;
  // A tool that runs commands takes what its command has placeholders for.
  return known && (used.every(isKnown) || (known === base?.definition && base.wrap !== undefined)) ? sure : undefined;
}

/** Returns the likeliest first, without `owns` and tools that depend on them: a suggestion must not make a cycle. */
function meantTools(
  name: string,
  owns: ReadonlySet<string>,
  options: Pick<BuilderOptions, "definition" | "names">,
): readonly string[] {
  const names = options.names().filter((one) => !owns.has(one));
  const owned = names.filter((one) => one.endsWith(`/${name}`)).slice(0, OWNED_SHOWN_MAX);
  return (owned.length > 0 ? owned : nearestNames(name, names)).filter((one) => !reachesAny(one, owns, options));
}

function reachesAny(
  name: string,
  owns: ReadonlySet<string>,
  { definition }: Pick<BuilderOptions, "definition">,
): boolean {
  const below = (next: string): readonly string[] => {
    const found = definition(next);
    return found ? underlyingTools(found) : [];
  };
  for (const next of reachedFrom([name], below)) if (owns.has(next)) return true;
  return false;
}
