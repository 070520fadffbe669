// Examples of a definition that a call would refuse: by the tool that it is made from, or by its own command.
import { parseToolFile } from "../language/syntax/parse.ts";
import { validateArguments } from "../schema/validate.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import type { Span } from "../text/source.ts";
import type { ToolDefinition } from "../tool/definition.ts";
import type { ArgumentIssue } from "../tool/failure.ts";
import type { Tool } from "../tool/tool.ts";

/** An error in the arguments themselves has been reported by the reader, where the parameters are the definition's. */
export function exampleDiagnostics(tool: Tool, definition: ToolDefinition): readonly Diagnostic[] {
  const { origin } = definition;
  // Nobody can repair those that come with dottool.
  if (origin.kind === "file" && origin.scope === "builtin") return [];
  const refused = definition.examples.flatMap((example, index) => {
    const issues = issuesOf(tool, example);
    return issues.length === 0 ? [] : [{ index, issues }];
  });
  if (refused.length === 0) return [];
  const places = placesOf(definition);
  return refused.map(
    ({ index, issues }): Diagnostic => ({
      code: "example-mismatch",
      severity: "warning",
      message: `a call with this example of \`${definition.name.value}\` would be refused`,
      at: { span: places[index] ?? definition.name.span, text: issues.slice(0, ISSUES_MAX).map(issueText).join("; ") },
      related: [],
      help: [...new Set(issues.slice(0, ISSUES_MAX).flatMap(({ help }) => help ?? []))],
    }),
  );
}

const ISSUES_MAX = 3;

function issueText({ path, message }: ArgumentIssue): string {
  return path === "" ? message : `\`${path}\`: ${message}`;
}

function issuesOf(tool: Tool, example: ToolDefinition["examples"][number]): readonly ArgumentIssue[] {
  const { parameters, check } = tool;
  // What a secret is, and what a transform makes of a value, only a call knows.
  if (parameters.some(({ name, transform }) => transform !== undefined && Object.hasOwn(example, name))) return [];
  const { arguments: args, issues } = validateArguments(parameters, example, {
    owner: tool.definition.name.value,
    environment: () => undefined,
    skipsSlowPatterns: true,
  });
  if (!args)
    return issues.filter(({ path }) => !parameters.some(({ name, secret }) => secret && path.startsWith(name)));
  return check?.(args) ?? [];
}

/** Returns the places of the examples in a `.tool` file, in order; none for other formats. */
function placesOf({ name }: ToolDefinition): readonly Span[] {
  const { source } = name.span;
  if (!source.path.endsWith(".tool")) return [];
  return parseToolFile(source)
    .annotations.filter(({ keyword }) => keyword === "example")
    .map(({ text }) => text.span);
}
