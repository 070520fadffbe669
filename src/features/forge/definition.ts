// A request becomes the text of a `.tool` file, and that text a definition, as a file's does. So what is forged is what
// a person can read, keep and check; reading it back shows that nothing of the request was lost.
import { analyzeToolFile } from "../../core/language/analyze.ts";
import { allowanceIn, distinctAllowances } from "../../core/language/fields/allowances.ts";
import { titleOf } from "../../core/language/fields/names.ts";
import { parseCondition } from "../../core/language/syntax/condition.ts";
import { Findings } from "../../core/language/findings.ts";
import { parseToolFile } from "../../core/language/syntax/parse.ts";
import { CannotWrite } from "../../core/language/write/cannot-write.ts";
import { firstDifference } from "../../core/language/write/same-definition.ts";
import { toolText } from "../../core/language/write/tool-text.ts";
import type { Json } from "../../core/schema/json.ts";
import type { Parameter, ParameterSchema } from "../../core/schema/parameter.ts";
import type { Diagnostic } from "../../core/text/diagnostic.ts";
import type { Spanned } from "../../core/text/source.ts";
import {
  type CodeDefinition,
  type DefinitionHead,
  type Effect,
  type Expectation,
  nothingDeclared,
  type StepsDefinition,
  type ToolDefinition,
  type ToolTest,
} from "../../core/tool/definition.ts";
import { plainStep, type Step } from "../../core/tool/step.ts";
import { inferObject, inferSchema } from "./infer-schema.ts";
import { readParameters, readReturns } from "./read-schema.ts";
import { conditionOf, presetText, type ReferenceScope } from "./references.ts";
import { Refused } from "./refusal.ts";
import {
  ALLOW_HELP,
  type ComposedStep,
  type Composition,
  type ForgeRequest,
  type SandboxCode,
  type TestCase,
} from "./request.ts";

export type ForgedDefinition = StepsDefinition | CodeDefinition;

export interface ForgedText {
  readonly text: string;
  readonly definition: ForgedDefinition;
}

/** Returns the parameters of the tool of this name, which a step calls; undefined if there is none. */
export type ParametersOf = (tool: string) => readonly Parameter[] | undefined;

/** Throws `Refused`. */
export function forgedText(request: ForgeRequest, parametersOf: ParametersOf): ForgedText {
  const definition = definitionOf(request, parametersOf);
  const text = writtenText(definition);
  const read = readForgedText(text);
  if ("problems" in read)
    throw new Refused(
      request.implementation.mode === "compose" ? "syntax" : "shape",
      `the tool cannot be written as a definition: ${read.problems[0]?.message ?? "it has no name"}`,
      read.problems[0]?.help,
    );
  const difference = firstDifference(definition, read.definition);
  if (difference !== undefined)
    throw new Refused(
      difference.startsWith("parameters") || difference.startsWith("returns") ? "schema" : "shape",
      `\`${difference}\` of the tool cannot be expressed in a definition`,
      ["simplify that part of the request"],
    );
  return { text, definition: read.definition };
}

function writtenText(definition: ForgedDefinition): string {
  try {
    return toolText(definition);
  } catch (error) {
    if (!(error instanceof CannotWrite)) throw error;
    throw new Refused("shape", `the tool cannot have ${error.what}`, ["reword that part of the request"]);
  }
}

/** Reads the text of a forged tool. */
export function readForgedText(
  text: string,
): { readonly definition: ForgedDefinition } | { readonly problems: readonly Diagnostic[] } {
  const { value, diagnostics } = analyzeToolFile(parseToolFile({ path: "forged.tool", text }));
  const problems = diagnostics.filter(({ severity }) => severity === "error");
  if (!value || problems.length > 0 || !isForged(value)) return { problems };
  return { definition: { ...value, origin: { kind: "forged" } } };
}

function isForged(definition: ToolDefinition): definition is ForgedDefinition {
  return definition.kind === "steps" || definition.kind === "code";
}

function definitionOf(request: ForgeRequest, parametersOf: ParametersOf): ForgedDefinition {
  const { implementation, testCases } = request;
  const parameters = readParameters(request.inputSchema ?? inferObject(testCases.map(({ input }) => input)));
  const returns = returnsOf(request);
  const head: DefinitionHead = {
    name: placed(request.name),
    title: request.title ?? titleOf(request.name),
    description: request.description,
    parameters,
    ...nothingDeclared,
    declaredEffects: declaredEffectsOf(request),
    ...(returns ? { returns: { schema: returns, description: "" } } : {}),
    tests: testCases.map(testOf),
    origin: { kind: "forged" },
  };
  return implementation.mode === "sandbox"
    ? { ...head, kind: "code", ...allowsOf(implementation), code: placed(dedented(implementation.code)) }
    : {
        ...head,
        kind: "steps",
        steps: stepsOf(implementation, parameters, parametersOf),
        cleanup: [],
        surroundings: { environment: [], inheritsEnvironment: false },
        ignoreErrors: false,
      };
}

/** What code sends to a host decides whether it writes there, and only the request says so. */
function declaredEffectsOf({ implementation, effects = [] }: ForgeRequest): readonly Effect[] {
  const isFetching =
    implementation.mode === "sandbox" && implementation.allowlist.some((text) => text.startsWith("fetch "));
  return isFetching && effects.includes("write") ? ["write"] : [];
}

function returnsOf({ outputSchema, testCases }: ForgeRequest): ParameterSchema | undefined {
  const expected = testCases.flatMap(({ expectedOutput }) => (expectedOutput === undefined ? [] : [expectedOutput]));
  const schema = readReturns(outputSchema ?? inferSchema(expected));
  // Any value promises nothing.
  return schema.type === "string" && schema.format === "any" ? undefined : schema;
}

function allowsOf({ allowlist }: SandboxCode): Pick<CodeDefinition, "allows"> {
  const allows = allowlist.flatMap((text) => {
    const { source } = placed(text).span;
    const findings = new Findings(source);
    const read = allowanceIn(
      { text, span: { source: { ...source, text }, start: 0, end: text.length }, offsetAt: (index) => index },
      findings,
    );
    const [problem] = findings.diagnostics();
    if (problem)
      throw new Refused("unsafe", `\`${text}\` in \`allowlist\`: ${problem.message}`, [
        ...(problem.at ? [problem.at.text] : []),
        ...ALLOW_HELP,
      ]);
    return read;
  });
  return allows.length === 0 ? {} : { allows: distinctAllowances(allows) };
}

/** A place that no message shows: what is forged is in no file. */
function placed(value: string): Spanned<string> {
  return { value, span: { source: { path: "forged.tool", text: "" }, start: 0, end: 0 } };
}

/** Code as the body of an annotation keeps it: without the indent of all lines, and without empty lines around it. */
function dedented(code: string): string {
  const lines = code
    .replaceAll(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => (line.trim() === "" ? "" : line));
  while (lines[0] === "") lines.shift();
  while (lines.at(-1) === "") lines.pop();
  const indents = lines.flatMap((line) => (line === "" ? [] : [/^ */.exec(line)?.[0].length ?? 0]));
  const least = Math.min(...indents);
  return lines.map((line) => line.slice(least)).join("\n");
}

function testOf({ input, expectedOutput }: TestCase, index: number): ToolTest {
  return {
    name: `case ${index + 1}`,
    folder: "temporary",
    arguments: input,
    expectations: [expectationOf(expectedOutput)],
    setup: [],
    cleanup: [],
  };
}

function expectationOf(expected: Json | undefined): Expectation {
  if (expected === undefined) return { kind: "exit-code", exitCode: 0 };
  // A text is printed as it is, and null is printed as nothing.
  if (expected === null) return { kind: "output-equals", text: "" };
  return typeof expected === "string" ? { kind: "output-equals", text: expected } : { kind: "result", value: expected };
}

function stepsOf(
  { steps }: Composition,
  parameters: readonly Parameter[],
  parametersOf: ParametersOf,
): readonly Step[] {
  return steps.map((step, index): Step => {
    const scope: ReferenceScope = { step: step.name, parameters, before: steps.slice(0, index) };
    const taken = parametersOf(step.tool);
    return {
      name: placed(step.name),
      action: {
        kind: "tool",
        tool: placed(step.tool),
        arguments: Object.entries(step.inputMapping).map(([name, value]) => ({
          parameter: placed(name),
          text: placed(
            presetText(
              value,
              taken?.find((one) => one.name === name),
              scope,
            ),
          ),
        })),
      },
      ...whenOf(step, scope),
      ...plainStep,
    };
  });
}

function whenOf({ name, condition }: ComposedStep, scope: ReferenceScope): Pick<Step, "when"> {
  if (condition === undefined) return {};
  const text = conditionOf(condition, scope);
  const { span } = placed(text);
  const { value, diagnostics } = parseCondition({ text, span, offsetAt: () => 0 });
  const [problem] = diagnostics;
  if (!value || problem?.severity === "error")
    throw new Refused("syntax", `the condition of the step \`${name}\` cannot be read: ${problem?.message ?? ""}`, [
      ...(problem?.help ?? []),
      'write it as `$input.mode == "fast" && $steps.check.count > 0`; there are `== != < <= > >= && || !`, `contains` and `matches /…/`',
    ]);
  return { when: { condition: value, span } };
}
