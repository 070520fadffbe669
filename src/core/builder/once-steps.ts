// Steps that must not run twice: `[once]`. A step that uses a tool with such a step is one as well.
import type { StepExecutor } from "../steps/plan.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import type { StepsDefinition } from "../tool/definition.ts";
import type { Step } from "../tool/step.ts";
import type { Tool } from "../tool/tool.ts";

interface OnceStep {
  readonly step: Step;
  readonly main: Pick<StepExecutor, "target">;
  readonly fallback?: Pick<StepExecutor, "target">;
}

export function runsOnce({ step, main, fallback }: OnceStep): boolean {
  return step.isOnce === true || hasOnce(main.target) || hasOnce(fallback?.target);
}

export function hasOnce(tool: Tool | undefined): boolean {
  if (!tool) return false;
  const { definition, underlying = [] } = tool;
  return (definition.kind === "steps" && definition.steps.some(({ isOnce }) => isOnce)) || underlying.some(hasOnce);
}

/** Reports attempts that would run such a step again. */
export function repeatedOnce(
  { limits, steps }: Pick<StepsDefinition, "limits" | "steps">,
  made: readonly OnceStep[],
): readonly Diagnostic[] {
  return made.flatMap(({ step, ...rest }): readonly Diagnostic[] => {
    if (!steps.includes(step) || !runsOnce({ step, ...rest })) return [];
    const repeats =
      (step.retries?.attempts ?? 1) > 1 ? "retry" : (limits.retries?.attempts ?? 1) > 1 ? "@retry" : undefined;
    if (repeats === undefined) return [];
    return [
      {
        code: "malformed-option",
        severity: "error",
        message: `\`${step.name.value}\` must not run twice, and \`${repeats}\` would repeat it`,
        at: { span: step.name.span, text: step.isOnce ? "it is marked `once`" : "a step of its tool is marked `once`" },
        related: [],
        help: [`remove \`${repeats}\`, or \`once\``],
      },
    ];
  });
}
