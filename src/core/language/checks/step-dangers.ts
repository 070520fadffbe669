// Standard input and working folders of commands in steps. They can decide what a command runs, so no value may: no
// argument, and no output of another step.
import type { Span } from "../../text/source.ts";
import type { CommandTemplate } from "../../tool/command.ts";
import type { Surroundings } from "../../tool/definition.ts";
import { parseReference } from "../../tool/reference.ts";
import { runReferences, type Step, type StepAction } from "../../tool/step.ts";
import type { Template } from "../../tool/template.ts";
import type { Declaration } from "../syntax/ast.ts";
import type { Findings } from "../findings.ts";
import { type ReferenceScope, schemaOf } from "../syntax/references.ts";
import { refuseChosenFolder, relativeProgram } from "./relative-program.ts";
import { checkInput, guardedEnvironment, type PlacedTemplate, takesAnyText } from "./surroundings-dangers.ts";

export interface PlacedSteps {
  /** The steps, including those for cleanup. */
  readonly steps: readonly Step[];
  readonly surroundings: Pick<Surroundings, "cwd" | "stdin">;
  /** The places of the folder and of standard input. */
  readonly places: { readonly cwd?: Span | undefined; readonly stdin?: Span | undefined };
  readonly scope: ReferenceScope;
}

export function checkStepDangers({ steps, surroundings, places, scope }: PlacedSteps, findings: Findings): void {
  const shared = steps.filter((step) => step.stdin === undefined).flatMap(commandsOf);
  if (surroundings.stdin && places.stdin)
    checkInput(
      { template: surroundings.stdin, span: places.stdin, declarations: declarationsFor(surroundings.stdin, scope) },
      shared,
      findings,
    );
  for (const step of steps) {
    const { stdin, name } = step;
    if (stdin)
      checkInput(
        { template: stdin, span: name.span, declarations: declarationsFor(stdin, { ...scope, hasItem: true }) },
        commandsOf(step),
        findings,
      );
  }
  const { cwd } = surroundings;
  if (!cwd || !places.cwd || !takesAnyText(withoutRun(cwd, scope), declarationsFor(cwd, scope))) return;
  const program = steps
    .flatMap(commandsOf)
    .map(relativeProgram)
    .find((found) => found !== undefined);
  if (program !== undefined) refuseChosenFolder(program, places.cwd, findings);
}

export interface StepEnvironment {
  readonly steps: readonly Step[];
  readonly environment: Surroundings["environment"];
  readonly span: Span;
  readonly scope: ReferenceScope;
}

/** See guardedEnvironment. All steps have the same environment. */
export function guardedStepEnvironment(of: StepEnvironment, findings: Findings): Surroundings["environment"] {
  const { steps, environment, span, scope } = of;
  const placed = ({ value: template }: StepEnvironment["environment"][number]): PlacedTemplate => ({
    template,
    span,
    declarations: declarationsFor(template, scope),
  });
  return guardedEnvironment(environment, { commands: steps.flatMap(commandsOf), placed }, findings);
}

function commandsOf({ action, fallback }: Step): readonly CommandTemplate[] {
  const inAction = (one: StepAction | undefined): readonly CommandTemplate[] =>
    one?.kind === "command" ? one.commands.map(({ command }) => command) : [];
  return [...inAction(action), ...inAction(fallback)];
}

/** Returns what each reference in the template may be. */
function declarationsFor({ parts }: Template, scope: ReferenceScope): readonly Declaration[] {
  return parts.flatMap((part) => {
    const reference = typeof part === "string" ? undefined : parseReference(part.placeholder);
    const schema = reference && schemaOf(reference, scope);
    return reference && schema
      ? [
          {
            ...(isOfRun(reference.root, scope) ? { isOfRun: true as const } : {}),
            parameter: { name: reference.text, description: "", schema, required: false },
            span: { source: { path: "", text: "" }, start: 0, end: 0 },
          },
        ]
      : [];
  });
}

/** Returns the template without folders of the run: there the command would run anyway. */
function withoutRun({ parts }: Template, scope: ReferenceScope): Template {
  return {
    parts: parts.filter(
      (part) => typeof part === "string" || !isOfRun(parseReference(part.placeholder)?.root ?? "", scope),
    ),
  };
}

/** A parameter with such a name is the author's. */
function isOfRun(root: string, { parameters }: ReferenceScope): boolean {
  return runReferences.some((name) => name === root) && parameters.every(({ parameter }) => parameter.name !== root);
}
