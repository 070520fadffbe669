// The effects of a call's steps, as data: each with its process, call or code, and its limits.
import type { Session } from "../../core/run/session.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import { maskedArguments } from "../../core/schema/secrets.ts";
import type { Expansion } from "../../core/tool/call.ts";
import { conditionText } from "../../core/tool/condition.ts";
import type { Effect } from "../../core/tool/definition.ts";
import type { CodeLanguage, Step, StepAction, StepOutput, StepRetries } from "../../core/tool/step.ts";
import type { ActionOutline, StepOutline } from "../../core/tool/step-outline.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { type ProcessPlan, processPlan } from "./explain-process.ts";

export interface ActionExplanation {
  /** The tool, program or shell that it runs. */
  readonly tool: string;
  readonly process?: ProcessPlan;
  readonly calls?: Expansion;
  /** The provider that answers the prompts in the tool that it calls. */
  readonly provider?: string;
  readonly code?: { readonly language: CodeLanguage; readonly text: string };
}

export interface StepExplanation extends ActionExplanation {
  readonly name: string;
  readonly kind: StepAction["kind"];
  /** Whether it runs after all others, whatever happens. */
  readonly isCleanup?: true;
  /** Names of the steps that must have ended. */
  readonly after: readonly string[];
  readonly when?: string;
  readonly forEach?: { readonly items: string; readonly concurrency: number; readonly isQueued?: true };
  readonly retries?: StepRetries;
  readonly timeoutMs?: number;
  readonly continuesOnError?: true;
  readonly isOnce?: true;
  readonly output: StepOutput;
  readonly cacheMs?: number;
  readonly fallback?: ActionExplanation;
  /** Empty: none for code, unknown for anything else. */
  readonly effects: readonly Effect[];
}

/** Returns undefined if the tool has no steps. `shown` are the arguments without secrets. */
export function explainSteps(tool: Tool, shown: JsonObject, session: Session): readonly StepExplanation[] | undefined {
  return tool.outline?.(shown, session.cwd).map((outline) => explainStep(outline, session));
}

function explainStep(outline: StepOutline, session: Session): StepExplanation {
  const { step, after, effects, isCleanup, items, fallback } = outline;
  const { forEach, retries, timeoutMs, cacheMs } = step;
  return {
    name: step.name.value,
    kind: step.action.kind,
    ...(isCleanup ? { isCleanup } : {}),
    after,
    ...(step.when ? { when: conditionText(step.when.condition) } : {}),
    ...explainAction(step.action, outline, session),
    ...(forEach ? { forEach: { ...forEach, items: items ?? "" } } : {}),
    ...(retries ? { retries } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(step.continuesOnError ? { continuesOnError: true } : {}),
    ...(step.isOnce ? { isOnce: true } : {}),
    output: step.output,
    ...(cacheMs === undefined ? {} : { cacheMs }),
    ...(step.fallback && fallback ? { fallback: explainAction(step.fallback, fallback, session) } : {}),
    effects,
  };
}

function explainAction(
  action: NonNullable<Step["fallback"]>,
  { tool, expansion }: ActionOutline,
  session: Session,
): ActionExplanation {
  if (action.kind === "code") return { tool, code: { language: action.language, text: action.code.value } };
  if (!expansion) return { tool };
  const asked = expansion.tool === "ask_model" && session.provider !== undefined ? { provider: session.provider } : {};
  const shown = {
    ...maskedArguments(expansion.arguments, session.registry.find(expansion.tool)?.parameters ?? []),
    ...asked,
  };
  return action.kind === "command"
    ? { tool, process: processPlan(shown, session) }
    : {
        tool,
        calls: { tool: expansion.tool, arguments: shown },
        ...(action.kind === "tool" && action.provider !== undefined && session.provider === undefined
          ? { provider: action.provider }
          : {}),
      };
}
