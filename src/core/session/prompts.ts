// The prompts that the steps of a call would send to models, with those of the tools that they call.
import type { Session } from "../run/session.ts";
import type { JsonObject } from "../schema/json.ts";
import { maskedArguments } from "../schema/secrets.ts";
import type { PreparedCall, Tool } from "../tool/tool.ts";

const MODEL_TOOL = "ask_model";
/** The depth to which tools may call each other: core/run/limits.ts. */
const DEPTH_MAX = 10;

export interface ShownPrompt {
  /** The steps that lead to it, outermost first. */
  readonly steps: readonly string[];
  /** Absent: the user's default. */
  readonly provider?: string;
  /** The prompt; references to values that are not known yet stay as written. */
  readonly prompt: string;
}

export function promptsOf(
  { tool, arguments: args }: Pick<PreparedCall, "tool" | "arguments">,
  session: Session,
): readonly ShownPrompt[] {
  return promptsBelow(tool, maskedArguments(args, tool.parameters), { session, steps: [], provider: session.provider });
}

interface Below {
  readonly session: Session;
  readonly steps: readonly string[];
  /** The provider that an outer step asks for. */
  readonly provider: string | undefined;
}

function promptsBelow(tool: Tool, args: JsonObject, { session, steps, provider }: Below): readonly ShownPrompt[] {
  if (steps.length > DEPTH_MAX) return [];
  if (!tool.outline) {
    const expansion = tool.expand?.(args);
    const base =
      expansion && expansion.tool !== tool.definition.name.value ? session.registry.find(expansion.tool) : undefined;
    return expansion && base ? promptsIn(expansion, { session, steps, provider }) : [];
  }
  return tool.outline(args, session.cwd).flatMap(({ step, expansion }) => {
    if (!expansion) return [];
    const own = step.action.kind === "tool" ? step.action.provider : undefined;
    return promptsIn(expansion, { session, steps: [...steps, step.name.value], provider: provider ?? own });
  });
}

function promptsIn(
  { tool: name, arguments: args }: { readonly tool: string; readonly arguments: JsonObject },
  below: Below,
): readonly ShownPrompt[] {
  const tool = below.session.registry.find(name);
  if (!tool) return [];
  const shown = maskedArguments(args, tool.parameters);
  if (name !== MODEL_TOOL) return promptsBelow(tool, withDefaults(shown, tool), below);
  const provider = below.provider ?? shown["provider"];
  return [
    {
      steps: below.steps,
      prompt: String(shown["prompt"] ?? ""),
      ...(typeof provider === "string" ? { provider } : {}),
    },
  ];
}

function withDefaults(args: JsonObject, { parameters }: Tool): JsonObject {
  return {
    ...Object.fromEntries(
      parameters.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]])),
    ),
    ...args,
  };
}
