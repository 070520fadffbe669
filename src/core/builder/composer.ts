// Builds tools of steps and of code. It is loaded only when there is one to build, so that calls of other tools stay
// fast.
import type { Checked, Diagnostic } from "../text/diagnostic.ts";
import type { Span } from "../text/source.ts";
import type { StepsDefinition } from "../tool/definition.ts";
import { hasPart, loadPart, needPart } from "../tool/feature.ts";
import type { Tool } from "../tool/tool.ts";
import type { CodeBuilder } from "./code-builder.ts";
import { type ComposedOptions, composedTool } from "./composed.ts";

declare module "../tool/feature.ts" {
  interface Parts {
    code: CodeBuilder;
    /** Opens the user's queue for a step whose items workers make. */
    openStepQueue: NonNullable<ComposedOptions["openQueue"]>;
  }
}

export interface Composer extends Pick<CodeBuilder, "codeTool"> {
  composedTool(definition: StepsDefinition, options: Pick<ComposedOptions, "platform" | "tool">): Checked<Tool>;
}

export async function openComposer(): Promise<Composer> {
  const code = (await loadPart("code")) ?? withoutCode;
  return {
    codeTool: code.codeTool,
    composedTool: (definition, options) =>
      composedTool(definition, {
        ...options,
        code,
        ...(hasPart("openStepQueue")
          ? { openQueue: async (...asked) => (await needPart("openStepQueue"))(...asked) }
          : {}),
      }),
  };
}

const withoutCode: CodeBuilder = {
  codeTool: ({ name }) => ({ diagnostics: [noCode(name.span)] }),
  javascriptExecutor: ({ name }) => ({ diagnostics: [noCode(name.span)] }),
  pythonExecutor: ({ name }) => ({ diagnostics: [noCode(name.span)] }),
};

function noCode(span: Span): Diagnostic {
  return {
    code: "unknown-base-tool",
    severity: "error",
    message: "this program was built without what runs code",
    at: { span, text: "" },
    related: [],
    help: ["use `dottool` itself, which runs it"],
  };
}
