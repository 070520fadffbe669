// `@limit memory=` and `cpu=` limit a process; on a tool that starts none they would have no effect.
import type { Diagnostic } from "../text/diagnostic.ts";
import type { Span } from "../text/source.ts";
import type { DefinitionHead } from "../tool/definition.ts";

/** `made` is the base of the tool, which starts no process. */
export function processLimitDiagnostics(
  definition: Pick<DefinitionHead, "limits">,
  { made, span }: { readonly made: string; readonly span: Span },
): readonly Diagnostic[] {
  const { memoryBytesMax, cpuMsMax } = definition.limits;
  const names = [...(memoryBytesMax === undefined ? [] : ["memory"]), ...(cpuMsMax === undefined ? [] : ["cpu"])];
  return names.map((name) => ({
    code: "misplaced-annotation",
    severity: "error",
    message: `\`@limit ${name}=\` has no effect here: ${made} does not start a process`,
    at: { span, text: "" },
    related: [],
    help: [`leave out \`${name}=\`; \`@timeout\` and \`@limit output=\` work for every tool`],
  }));
}
