// Names that every tool with steps has: a parameter or a step with such a name would hide them.
import type { Step } from "../tool/step.ts";
import { itemReferences, runReferences } from "../tool/step.ts";
import type { Findings } from "./findings.ts";
import type { ReferenceScope } from "./references.ts";

const meanings: Readonly<Record<(typeof runReferences)[number] | (typeof itemReferences)[number], string>> = {
  WORKSPACE: "the folder of the call",
  TEMP_DIR: "a temporary folder for each run",
  TOOL_NAME: "the tool's name",
  item: "the current item of `for-each`",
  index: "the index of the current item of `for-each`",
};

export function checkReserved(
  { parameters, steps }: ReferenceScope,
  read: readonly Pick<Step, "forEach">[],
  findings: Pick<Findings, "error">,
): void {
  const reserved: readonly (keyof typeof meanings)[] = [
    ...runReferences,
    ...(read.some(({ forEach }) => forEach) ? itemReferences : []),
  ];
  for (const { name, span, noun } of [
    ...parameters.map(({ parameter, span }) => ({ name: parameter.name, span, noun: "parameter" })),
    ...steps.map((step) => ({ ...step, noun: "step" })),
  ]) {
    const taken = reserved.find((one) => one === name);
    if (taken)
      findings.error("reserved-name", `\`${taken}\` is reserved: it is ${meanings[taken]}`, {
        at: span,
        help: [`give the ${noun} another name`],
      });
  }
}
