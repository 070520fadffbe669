// Tools that are not made from one other tool: several steps, or JavaScript.
import { isDeepStrictEqual } from "node:util";
import type { Parameter } from "../../schema/parameter.ts";
import type { CodeDefinition, StepsDefinition } from "../../tool/definition.ts";
import { parseReference, REFERENCE } from "../../tool/reference.ts";
import { isCommandStep } from "../../tool/step.ts";
import { type Analysis, replacing } from "../analysis.ts";
import type { Execution } from "./wrapped-command.ts";
import type { Declarations } from "../fields/parameters.ts";
import { readAllowances } from "../fields/allowances.ts";
import { readSteps, stepScope } from "./steps.ts";
import type { Annotation, Declaration } from "../syntax/ast.ts";
import { checkStepDangers, guardedStepEnvironment } from "../checks/step-dangers.ts";
import { orderSteps } from "./step-order.ts";
import type { ReferenceScope } from "../syntax/references.ts";

const stepKeywords = ["step", "cleanup", "output"] as const;
/** Annotations about the run of one command, or about the tool that is wrapped. */
const wrapKeywords = ["wrapped", "command", "script", "shell", "with", "default", "fallback"] as const;
/** Annotations about the surroundings of a process. */
const processKeywords = ["cwd", "stdin", "env", "env-file", "env-inherit", "interactive"] as const;

const interactiveKeywords = ["interactive"] as const;

export type Makes = "steps" | "code" | "wrap";

/** Returns the kind by the first annotation that decides it. Reports annotations that cannot be combined. */
export function composedKind(analysis: Analysis): Makes {
  const isCommand = !analysis.has("step") && (analysis.has("command") || analysis.has("script"));
  const output = isCommand ? analysis.first("output") : undefined;
  if (output) needlessOutput(output, analysis);
  const step = stepKeywords
    .map((keyword) => (isCommand && keyword === "output" ? undefined : analysis.first(keyword)))
    .find((annotation) => annotation !== undefined);
  const code = analysis.first("code");
  const main = step ?? code;
  const allow = analysis.first("allow");
  if (allow && step)
    analysis.error("misplaced-annotation", "`@allow` has no effect in a tool of steps", {
      at: allow.keywordSpan,
      help: [
        "code in a step reaches nothing: make it a tool with `@allow` and `@code`, and call that with `@step NAME uses TOOL`",
      ],
    });
  else if (allow && !code)
    analysis.error("misplaced-annotation", "`@allow` has no effect without a `@code`", { at: allow.keywordSpan });
  if (!main) return "wrap";
  const makes = step ? "steps" : "code";
  if (step && code)
    misplaced(analysis, {
      annotation: code,
      main,
      help: "a tool is made of steps or of code, and code can be a step: `@step NAME code`",
    });
  for (const keyword of [...wrapKeywords, ...(makes === "code" ? processKeywords : interactiveKeywords)]) {
    const annotation = analysis.first(keyword);
    if (annotation)
      misplaced(analysis, {
        annotation,
        main,
        help:
          keyword === "interactive" && makes === "steps"
            ? "the output of a step is stored, so nobody would see its question: ask in a tool of one command"
            : makes === "steps"
              ? "write what a step runs below its `@step`"
              : "JavaScript in the sandbox cannot start processes; with `@allow tools.call TOOL` it calls other tools",
      });
  }
  if (step && !analysis.has("step"))
    analysis.error("misplaced-annotation", `\`@${step.keyword}\` has no effect without a \`@step\``, {
      at: step.keywordSpan,
    });
  return makes;
}

/** What a command prints is what its tool gives, so the line says nothing. */
function needlessOutput({ span, keywordSpan }: Annotation, analysis: Analysis): void {
  const { source } = span;
  const end = source.text.indexOf("\n", span.end);
  const line = { ...span, end: end === -1 ? span.end : end + 1 };
  analysis.error("misplaced-annotation", "`@output` is for a tool of steps; a command gives what its program prints", {
    at: keywordSpan,
    fix: replacing(line, "", "leave it out"),
  });
}

interface Misplaced {
  readonly annotation: Annotation;
  /** The annotation that decides the kind of the tool. */
  readonly main: Annotation;
  readonly help: string;
}

function misplaced(analysis: Analysis, { annotation, main, help }: Misplaced): void {
  analysis.error("misplaced-annotation", `\`@${annotation.keyword}\` cannot be used with \`@${main.keyword}\``, {
    at: annotation.keywordSpan,
    related: [{ span: main.keywordSpan, text: "" }],
    help: [help],
  });
}

const INPUT = "input";

/** Adds the parameter `input` if a step uses `{input}`: the piped input, unless a call gives it. */
export function withInput(declarations: Declarations, analysis: Analysis): Declarations {
  if (declarations.known.some(({ parameter }) => parameter.name === INPUT)) return declarations;
  const user = [...analysis.all("step"), ...analysis.all("output"), ...analysis.all("cleanup")].find((annotation) =>
    rootsIn(annotation).has(INPUT),
  );
  if (!user) return declarations;
  const input: Declaration = { parameter: impliedInput, span: user.keywordSpan };
  return { parameters: [...declarations.parameters, input], known: [...declarations.known, input] };
}

export const impliedInput: Parameter = {
  name: INPUT,
  description: "The text to work on",
  schema: { type: "string" },
  required: false,
  fromStdin: true,
};

/** Whether the parameter is `input` without a declaration: its use is enough. */
export function isImpliedInput(parameter: Parameter): boolean {
  return isDeepStrictEqual(parameter, impliedInput);
}

/** Returns the names in braces that are not doubled. */
function rootsIn({ text, body }: Annotation): ReadonlySet<string> {
  const texts = `${text.text}\n${body?.text ?? ""}`.replaceAll("{{", "");
  return new Set(
    [...texts.matchAll(new RegExp(`\\{(${REFERENCE})\\}`, "g"))].flatMap(
      ([, written = ""]) => parseReference(written)?.root ?? [],
    ),
  );
}

type Composed =
  | Pick<StepsDefinition, "kind" | "steps" | "cleanup" | "output" | "surroundings" | "ignoreErrors">
  | Pick<CodeDefinition, "kind" | "code" | "allows">;

/** Returns undefined for a wrap, and if a problem was reported. */
export function readComposed(
  makes: Makes,
  declarations: Declarations,
  {
    analysis,
    readExecution,
  }: { readonly analysis: Analysis; readonly readExecution: (scope: ReferenceScope) => Execution },
): Composed | undefined {
  switch (makes) {
    case "wrap":
      return undefined;
    case "code":
      return readCode(analysis);
    case "steps": {
      const parts = readSteps(analysis, declarations.known);
      const { surroundings: read, ignoreErrors } = readExecution(stepScope(analysis, declarations.known));
      const steps = [...parts.steps, ...parts.cleanup];
      const scope = stepScope(analysis, declarations.known);
      const span = analysis.first("env")?.text.span ?? { source: analysis.file.source, start: 0, end: 0 };
      const { environment } = read;
      const surroundings = {
        ...read,
        environment: guardedStepEnvironment({ steps, environment, span, scope }, analysis),
      };
      checkNeedless(analysis, parts);
      const places = { cwd: analysis.first("cwd")?.text.span, stdin: analysis.first("stdin")?.span };
      checkStepDangers({ steps, surroundings, places, scope }, analysis);
      analysis.add(
        orderSteps(
          { steps: parts.steps, surroundings },
          stepScope(analysis, []).steps.map(({ name }) => name),
        ).diagnostics,
      );
      return { kind: "steps", ...parts, surroundings, ignoreErrors };
    }
  }
}

function checkNeedless(analysis: Analysis, { steps, cleanup }: Pick<StepsDefinition, "steps" | "cleanup">): void {
  if (steps.length === 0 || [...steps, ...cleanup].some(isCommandStep)) return;
  for (const keyword of processKeywords) {
    const annotation = analysis.first(keyword);
    if (annotation)
      analysis.error("misplaced-annotation", `\`@${keyword}\` has no effect here: no step runs a command`, {
        at: annotation.keywordSpan,
      });
  }
}

function readCode(analysis: Analysis): Composed | undefined {
  const annotation = analysis.first("code");
  const body = annotation && (annotation.body ?? (annotation.text.text === "" ? undefined : annotation.text));
  const allows = readAllowances(analysis);
  if (body)
    return {
      kind: "code",
      code: { value: body.text, span: body.span },
      ...(allows.length === 0 ? {} : { allows }),
    };
  if (annotation)
    analysis.error("malformed-annotation", "`@code` is empty", {
      at: annotation.keywordSpan,
      label: "expected JavaScript in the lines below, indented",
    });
  return undefined;
}
