// What `check` says about the JavaScript in definitions: `@code`, steps of the kind `code`, and transforms of
// parameters. The machine that would run the code parses it, and only a definition with code loads that machine.
import type { ReadableCode, SyntaxFailure } from "../javascript/read-code.ts";
import type { Diagnostic } from "../../core/text/diagnostic.ts";
import type { SourceFile, Span } from "../../core/text/source.ts";
import type { Parameter } from "../../core/schema/parameter.ts";
import type { ToolDefinition } from "../../core/tool/definition.ts";
import type { StepAction } from "../../core/tool/step.ts";
import type { CheckedScope } from "./checked-scope.ts";

/**
 * The limit of code that reaches its limit of processor time, 4 s each: a folder of it would take hours. No time is a
 * limit, because thousands of files take a busy machine long.
 */
const TOO_SLOW_MAX = 15;

export async function codeProblems(
  { opened, entries }: CheckedScope,
  { isStill }: { readonly isStill?: true } = {},
): Promise<readonly Diagnostic[]> {
  const catalogue = opened.catalogue();
  const { syntaxFailureOf } = await import("../javascript/read-code.ts");
  const { isTooSlow } = await import("../javascript/run-erased.ts");
  const found: Diagnostic[] = [];
  let slow = 0;
  for (const entry of entries) {
    const definition = catalogue.definitionOf(entry) ?? (await catalogue.soundPartOf(entry))?.definition;
    for (const code of definition ? codeIn(definition) : []) {
      if (slow >= TOO_SLOW_MAX) {
        const message = `neither it nor what follows was checked: ${TOO_SLOW_MAX} files before it take too long to parse`;
        return [...found, codeProblem(code, { message, help: ["check other files without them"] })];
      }
      const failure = await syntaxFailureOf(code, {
        host: opened.host,
        signal: new AbortController().signal,
        path: [],
      });
      if (failure && isTooSlow(failure)) slow++;
      if (failure) found.push(codeProblem(code, failure));
      else if (code.parameter && !isStill) found.push(...(await transformProblems(code, code.parameter, opened)));
    }
  }
  return found;
}

interface WrittenCode extends ReadableCode {
  /** A noun for messages. */
  readonly what: string;
  /** The parameter that it changes. */
  readonly parameter?: Parameter;
  /** Returns the span of a line and column in the code, both from 1. */
  spanAt(line: number, column: number): Span;
}

/** Runs a transform on one value of its type: it may give another type, which refuses every call. */
async function transformProblems(
  code: WrittenCode,
  parameter: Parameter,
  { host }: CheckedScope["opened"],
): Promise<readonly Diagnostic[]> {
  const { transformFault } = await import("../javascript/transform-arguments.ts");
  const fault = await transformFault({ parameter, tool: "check" }, { host, signal: new AbortController().signal });
  if (!fault) return [];
  return [{ ...codeProblem(code, { message: "", help: fault.help }), message: fault.message }];
}

function codeIn(definition: ToolDefinition): readonly WrittenCode[] {
  return [...transformsIn(definition), ...bodiesIn(definition)];
}

function bodiesIn(definition: ToolDefinition): readonly WrittenCode[] {
  if (definition.kind === "code") return [body("the code", definition.code)];
  if (definition.kind !== "steps") return [];
  return [...definition.steps, ...definition.cleanup].flatMap(({ name, action, fallback }) =>
    [action, ...(fallback ? [fallback] : [])]
      .filter(isJavaScript)
      .map(({ code }) => body(`the code of the step \`${name.value}\``, code)),
  );
}

function isJavaScript(action: StepAction): action is StepAction & { readonly kind: "code" } {
  return action.kind === "code" && action.language === "javascript";
}

function body(what: string, { value, span }: { readonly value: string; readonly span: Span }): WrittenCode {
  return {
    kind: "body",
    text: value,
    what,
    spanAt: (line, column) => spanInLines(value.split("\n"), span, { line, column }),
  };
}

/** Returns the span of a line, if all lines of the code have the same indent; otherwise the span of the whole code. */
function spanInLines(
  lines: readonly string[],
  span: Span,
  { line, column }: { readonly line: number; readonly column: number },
): Span {
  const { source } = span;
  const wanted = lines[line - 1] ?? "";
  // In YAML the code begins in the line below its mark.
  for (const below of [0, 1]) {
    const start = startOfLine(source, span.start, line - 1 + below);
    const written = source.text.slice(start, source.text.indexOf("\n", start) + 1 || undefined);
    const indent = written.lastIndexOf(wanted);
    const isSame =
      indent !== -1 &&
      written.slice(indent + wanted.length).trim() === "" &&
      (written.slice(0, indent).trim() === "" || line === 1);
    if (isSame) return at(source, start + indent + column - 1, start + indent + wanted.length);
  }
  return span;
}

/** Returns the start of the line that is `count` lines below that of `offset`. */
function startOfLine({ text }: SourceFile, offset: number, count: number): number {
  let start = text.lastIndexOf("\n", offset - 1) + 1;
  for (let line = 0; line < count; line++) start = text.indexOf("\n", start) + 1 || text.length;
  return start;
}

function at(source: SourceFile, start: number, lineEnd: number): Span {
  return { source, start: Math.min(start, lineEnd), end: Math.min(start + 1, lineEnd) };
}

/** Parameters do not record the place of their transform: it is searched after its key, one after the other. */
function transformsIn({ parameters, name, origin }: ToolDefinition): readonly WrittenCode[] {
  if (origin.kind !== "file") return [];
  const { source } = origin;
  let from = 0;
  return parameters.flatMap((parameter): readonly WrittenCode[] => {
    const { transform } = parameter;
    if (transform === undefined) return [];
    const written = [transform, JSON.stringify(transform).slice(1, -1)]
      .map((text) => ({ text, start: behindKey(source.text, text, from) }))
      .find(({ start }) => start !== -1);
    if (written) from = written.start + written.text.length;
    const isPlain = written?.text === transform && !transform.includes("\n");
    const whole: Span = written
      ? { source, start: written.start, end: written.start + written.text.length }
      : name.span;
    return [
      {
        kind: "expression",
        text: transform,
        what: `the transform of \`${parameter.name}\``,
        parameter,
        spanAt: (_line, column) => (written && isPlain ? at(source, written.start + column - 1, whole.end) : whole),
      },
    ];
  });
}

function behindKey(text: string, wanted: string, from: number): number {
  const key = text.indexOf("transform", from);
  return key === -1 ? -1 : text.indexOf(wanted, key + "transform".length);
}

function codeProblem(
  { what, spanAt }: WrittenCode,
  { message, line = 1, column = 1, help }: Pick<SyntaxFailure, "message" | "line" | "column" | "help">,
): Diagnostic {
  return {
    code: "bad-code",
    severity: "error",
    message: `${what} cannot be read: ${message}`,
    at: { span: spanAt(line, column), text: "" },
    related: [],
    help,
  };
}
