// Everything about a tool for `show`: first as data, which is also its JSON.
import type { CatalogueEntry } from "../../core/catalog/entry.ts";
import { toMcpTool } from "../dialects/mcp.ts";
import { returnsText } from "../dialects/model-description.ts";
import type { Json, JsonObject } from "../../core/schema/json.ts";
import { positionOf } from "../../core/text/source.ts";
import { underlyingTools, type ToolDefinition } from "../../core/tool/definition.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { commandText } from "../../cli/view/command-text.ts";
import { partsTexts } from "../../core/language/fields/parts.ts";
import { readTextFields } from "../../core/language/text-fields.ts";
import { limitFacts } from "../../cli/view/limits-text.ts";
import type { ListedTool } from "../../core/session/listed-tool.ts";
import { runReasons } from "../../cli/view/run-reasons.ts";
import type { StepFacts } from "../graph/tool-graph.ts";

interface ToolFactsOptions {
  readonly listed: ListedTool;
  /** Why it cannot run here. */
  readonly unavailable: readonly string[];
  /** The checks that would have to run a program. */
  readonly unasked: readonly string[];
  readonly steps: readonly StepFacts[];
  /** All definitions of the name. */
  readonly rivals: readonly CatalogueEntry[];
}

export function toolFacts(
  name: string,
  tool: Tool,
  { listed, rivals, unavailable, unasked, steps }: ToolFactsOptions,
): JsonObject {
  const { definition } = tool;
  const mayRun = runReasons(definition);
  const {
    title,
    description,
    declaredEffects,
    tags,
    category,
    keywords,
    version,
    platforms,
    examples,
    deprecated,
    help,
    changelog,
  } = definition;
  const optional: Readonly<Record<string, Json | undefined>> = {
    deprecated,
    madeFrom: madeFrom(definition),
    category,
    version,
    platforms,
    help,
    security: securityFacts(definition),
    justification: definition.security?.justification,
    interaction: interactionText(definition),
    cycodVersion: definition.cycodVersion,
    returns: definition.returns === undefined ? undefined : returnsText(definition.returns),
  };
  return {
    name,
    title,
    description,
    ...Object.fromEntries(
      Object.entries(optional).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    ),
    origin: { scope: listed.origin, ...placeOf(tool) },
    effects: listed.effects,
    declaredEffects,
    ...(mayRun.length === 0 ? {} : { mayRun }),
    tags,
    keywords,
    ...partsTexts(definition),
    unavailable,
    unasked,
    shadows: rivals
      .filter(({ resolution }) => resolution.kind !== "used" && resolution.kind !== "other-platform")
      .map((rival) => `${rival.path}:${rival.line}`),
    limits: limitFacts(definition.limits),
    commands:
      definition.kind === "wrapped"
        ? definition.commands.map(({ platform, command }) => ({
            ...(platform ? { platform } : {}),
            ...(command.kind === "shell" ? { shell: command.shell } : {}),
            text: commandText(command),
          }))
        : [],
    ...(steps.length === 0 ? {} : { steps: steps.map((step) => ({ ...step })) }),
    examples,
    tests: definition.tests.map((test) => test.name),
    changelog,
    // Those without a place of their own above.
    ...shownTexts(definition),
    schema: toMcpTool(tool)["inputSchema"] ?? {},
  };
}

function shownTexts(definition: ToolDefinition): JsonObject {
  return readTextFields(({ shownAs }, name) => (shownAs === undefined ? undefined : definition[name]));
}

function securityFacts({ security }: ToolDefinition): Json | undefined {
  if (!security) return undefined;
  const { privilege, isolation, permissions, sandbox, hosts = [], writes = [] } = security;
  const asked = [
    ...(privilege ? [`privilege ${privilege}`] : []),
    ...(isolation ? [`isolation ${isolation}`] : []),
    ...permissions,
    ...(sandbox ? [`sandbox ${sandbox}`] : []),
    ...hosts.map((host) => `network ${host}`),
    ...writes.map((path) => `writes ${path}`),
  ];
  return asked.length === 0 ? undefined : asked;
}

function interactionText(definition: ToolDefinition): string | undefined {
  if (definition.kind !== "wrapped" && definition.kind !== "steps") return undefined;
  const { interaction } = definition.surroundings;
  if (!interaction) return undefined;
  const { timeoutMs, defaultResponse } = interaction;
  const answer =
    defaultResponse === undefined
      ? "the end of its input"
      : defaultResponse === ""
        ? "Enter"
        : `\`${defaultResponse}\``;
  return `at a terminal; it gets ${answer} ${timeoutMs === undefined ? "without a terminal" : `after ${timeoutMs / 1000} s, or without a terminal`}`;
}

function madeFrom(definition: ToolDefinition): Json | undefined {
  const [first, ...others] = underlyingTools(definition);
  return first === undefined || others.length > 0
    ? others.length > 0
      ? underlyingTools(definition)
      : undefined
    : first;
}

function placeOf(tool: Tool): { readonly path?: string; readonly line?: number } {
  const { origin, name } = tool.definition;
  switch (origin.kind) {
    case "base":
      return {};
    case "plugin":
      return { path: origin.path };
    case "forged":
      return {};
    case "file":
      return { path: origin.source.path, line: positionOf(name.span.source, name.span.start).line };
  }
}
