// Names that every tool with steps has. A parameter with such a name is the author's, and the warning says what it
// hides; a step cannot have one.
import type { Step } from "../../tool/step.ts";
import { itemReferences, runReferences } from "../../tool/step.ts";
import type { Declaration } from "./ast.ts";
import type { Findings } from "../findings.ts";
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
  findings: Pick<Findings, "error" | "warn">,
): void {
  const reserved: readonly (keyof typeof meanings)[] = [
    ...runReferences,
    ...(read.some(({ forEach }) => forEach) ? itemReferences : []),
  ];
  const taken = (name: string): keyof typeof meanings | undefined => reserved.find((one) => one === name);
  for (const { parameter, span } of parameters) {
    const name = taken(parameter.name);
    if (name)
      findings.warn("reserved-name", `\`{${name}}\` is this parameter here, and not ${meanings[name]}`, {
        at: span,
        help: [`give the parameter another name to use ${meanings[name]}`],
      });
  }
  for (const { name, span } of steps) {
    const known = taken(name);
    if (known)
      findings.error("reserved-name", `\`${known}\` is reserved: it is ${meanings[known]}`, {
        at: span,
        help: ["give the step another name"],
      });
  }
}

export function isDeclared(name: string, declarations: readonly Declaration[]): boolean {
  return declarations.some(({ parameter }) => parameter.name === name);
}
