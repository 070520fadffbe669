// `@limit memory=` and `cpu=` bound a process; on a tool that starts none they would be a promise that nobody keeps.
import type { Diagnostic } from "../text/diagnostic.ts";
import type { Span } from "../text/source.ts";
import { wordedFor } from "../text/source-language.ts";
import type { DefinitionHead } from "../tool/definition.ts";

/** `made`: what the tool comes down to, which starts no process. */
export function processLimitDiagnostics(
  definition: Pick<DefinitionHead, "limits">,
  { made, span }: { readonly made: string; readonly span: Span },
): readonly Diagnostic[] {
  const { memoryBytesMax, cpuMsMax } = definition.limits;
  const names = [...(memoryBytesMax === undefined ? [] : ["memory"]), ...(cpuMsMax === undefined ? [] : ["cpu"])];
  return names.map((name) => ({
    code: "misplaced-annotation",
    severity: "error",
    message: wordedFor(
      span.source,
      `\`@limit ${name}=\` cannot be kept here: ${made} starts no process that it could limit`,
    ),
    at: { span, text: "" },
    related: [],
    help: [wordedFor(span.source, `leave \`${name}=\` out; \`@timeout\` and \`@limit output=\` hold for every tool`)],
  }));
}
