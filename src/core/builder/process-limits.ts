// `@limit memory=`, `cpu=`, `processes=` and `@sandbox` are about a process; on a tool that starts none they would have
// no effect.
import type { Diagnostic } from "../text/diagnostic.ts";
import type { Span } from "../text/source.ts";
import type { DefinitionHead } from "../tool/definition.ts";

/** `made` is the base of the tool, which starts no process. */
export function processLimitDiagnostics(
  definition: Pick<DefinitionHead, "limits" | "security">,
  { made, span }: { readonly made: string; readonly span: Span },
): readonly Diagnostic[] {
  const { memoryBytesMax, cpuMsMax, processesMax } = definition.limits;
  const names = Object.entries({ memory: memoryBytesMax, cpu: cpuMsMax, processes: processesMax }).flatMap(
    ([name, limit]) => (limit === undefined ? [] : [name]),
  );
  const without = (what: string, help: string): Diagnostic => ({
    code: "misplaced-annotation",
    severity: "error",
    message: `\`${what}\` has no effect here: ${made} does not start a process`,
    at: { span, text: "" },
    related: [],
    help: [help],
  });
  const { sandbox = "none" } = definition.security ?? {};
  return [
    ...names.map((name) =>
      without(`@limit ${name}=`, `leave out \`${name}=\`; \`@timeout\` and \`@limit output=\` work for every tool`),
    ),
    ...(sandbox === "none"
      ? []
      : [
          without(
            "@sandbox",
            "leave out `@sandbox`, `@network`, `@writes` and `for=` of a secret: they hold the commands of a tool",
          ),
        ]),
  ];
}
