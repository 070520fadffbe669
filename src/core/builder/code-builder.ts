// What builds code, as a tool and as a step: a feature has it.
import type { StepExecutor } from "../steps/plan.ts";
import type { Checked } from "../text/diagnostic.ts";
import type { Spanned } from "../text/source.ts";
import type { CodeDefinition, DeclaredLimits, StepsDefinition } from "../tool/definition.ts";
import type { Step, StepAction } from "../tool/step.ts";
import type { BaseTool, Tool } from "../tool/tool.ts";

type CodeAction = StepAction & { readonly kind: "code" };

export interface CodeBuilder {
  codeTool(definition: CodeDefinition, options: { tool(named: Spanned<string>): Checked<BaseTool> }): Checked<Tool>;
  javascriptExecutor(step: Step, action: CodeAction, limits: DeclaredLimits): Checked<StepExecutor>;
  pythonExecutor(step: Step, action: CodeAction, definition: StepsDefinition): Checked<StepExecutor>;
}
