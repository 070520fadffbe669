// A call as policy sees it: as it was made, and each further call that it makes, as far as that is known before it
// runs.
import { validateArguments } from "../schema/validate.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Effect } from "../tool/definition.ts";
import { underlyingTools } from "../tool/definition.ts";
import type { Expansion } from "../tool/call.ts";
import type { StepOutline } from "../tool/step-outline.ts";
import type { PreparedCall, Tool } from "../tool/tool.ts";

export interface CallView {
  readonly name: string;
  /** Absent for a base tool that a step uses directly, which declares nothing more. */
  readonly tool?: Tool;
  readonly effects: readonly Effect[];
  /** Includes the tool's defaults. */
  readonly arguments: JsonObject;
}

/** Tools of steps that call tools of steps, each several times, grow fast. */
export const VIEWS_MAX = 2_000;

/** Returns the call as made first; undefined if there are too many. */
export function callViews({ call, tool, arguments: args }: PreparedCall, cwd: string): readonly CallView[] | undefined {
  const views: CallView[] = [viewOf(call.tool, tool, args)];
  const seen = new Set<string>();
  for (let index = 0; index < views.length; index++) {
    const view = views[index];
    for (const below of view?.tool ? viewsBelow(view.tool, view.arguments, cwd) : []) {
      const key = JSON.stringify([below.name, below.arguments, below.effects]);
      if (seen.has(key)) continue;
      seen.add(key);
      if (views.push(below) > VIEWS_MAX) return undefined;
    }
  }
  return views;
}

function viewsBelow(tool: Tool, args: JsonObject, cwd: string): readonly CallView[] {
  const [base] = tool.underlying ?? [];
  if (tool.below && base)
    return tool.below(args).map((given) => viewOf(base.definition.name.value, base, withDefaults(base, given)));
  return (tool.outline?.(args, cwd) ?? []).flatMap((step) =>
    [step, ...(step.fallback ? [step.fallback] : [])]
      .flatMap(({ expansion }) => (expansion ? [expanded(expansion, tool)] : []))
      .concat(pythonOf(step)),
  );
}

function expanded({ tool: name, arguments: args }: Expansion, parent: Tool): CallView {
  const tool = parent.underlying?.find(({ definition }) => definition.name.value === name);
  return tool ? viewOf(name, tool, withDefaults(tool, args)) : { name, effects: parent.effects, arguments: args };
}

function pythonOf({ step }: StepOutline): readonly CallView[] {
  const actions = [step.action, ...(step.fallback ? [step.fallback] : [])];
  return actions.flatMap((action) =>
    action.kind === "code" && action.language === "python"
      ? [{ name: "run_command", effects: ["run" as const], arguments: { argv: ["python3", "-c", action.code.value] } }]
      : [],
  );
}

function viewOf(name: string, tool: Tool, args: JsonObject): CallView {
  return { name, tool, effects: tool.effects, arguments: args };
}

/** Returns the arguments with defaults. Those that do not fit, because a value is not known yet, stay unchanged. */
export function withDefaults(tool: Tool, args: JsonObject): JsonObject {
  return (
    validateArguments(tool.parameters, args, {
      owner: tool.definition.name.value,
      environment: () => undefined,
      skipsSlowPatterns: true,
    }).arguments ?? args
  );
}

const namesOfTool = new WeakMap<Tool, ReadonlySet<string>>();

/** Returns the names of the tool and all of its dependencies, whether or not a call reaches them. */
export function namesBelow(tool: Tool): ReadonlySet<string> {
  const known = namesOfTool.get(tool);
  if (known) return known;
  const names = new Set<string>([tool.definition.name.value]);
  for (const name of underlyingTools(tool.definition)) names.add(name);
  for (const below of tool.underlying ?? []) for (const name of namesBelow(below)) names.add(name);
  namesOfTool.set(tool, names);
  return names;
}
