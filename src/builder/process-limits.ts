// `@limit memory=` and `cpu=` bound a process; on a tool that starts none they would be a promise that nobody keeps.
import type { Diagnostic } from "../text/diagnostic.ts";
import type { AliasDefinition, WrappedDefinition } from "../tool/definition.ts";
import type { BaseTool } from "../tool/tool.ts";

export function processLimitDiagnostics(definition: AliasDefinition | WrappedDefinition, base: BaseTool): readonly Diagnostic[] {
  if (base.runsProcess) return [];
  const { memoryBytesMax, cpuMsMax } = definition.limits;
  const names = [...(memoryBytesMax === undefined ? [] : ["memory"]), ...(cpuMsMax === undefined ? [] : ["cpu"])];
  return names.map((name) => ({
    code: "misplaced-annotation",
    severity: "error",
    message: `\`@limit ${name}=\` cannot be kept here: \`${definition.base.value}\` starts no process that it could limit`,
    at: { span: definition.base.span, text: "" },
    related: [],
    help: [`leave \`${name}=\` out; \`@timeout\` and \`@limit output=\` hold for every tool`],
  }));
}
