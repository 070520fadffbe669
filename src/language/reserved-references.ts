// Names that a tool of steps has of its own: a parameter or a step of that name would hide what they are.
import type { Step } from "../tool/step.ts";
import { itemReferences, runReferences } from "../tool/step.ts";
import type { Findings } from "./findings.ts";
import type { ReferenceScope } from "./references.ts";

const meanings: Readonly<Record<(typeof runReferences)[number] | (typeof itemReferences)[number], string>> = {
  WORKSPACE: "the folder of the call",
  TEMP_DIR: "a folder for this run alone",
  TOOL_NAME: "the tool's name",
  item: "one of the list that `for-each` goes through",
  index: "the place in the list that `for-each` goes through",
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
      findings.error(
        "reserved-name",
        `no ${noun} of this tool can be called \`${taken}\`: that is ${meanings[taken]}`,
        { at: span, help: [`give the ${noun} another name`] },
      );
  }
}
