// `@example` and `@returns`: calls that would work, and the shape of results.
import type { ArgumentIssue } from "../../schema/argument-issue.ts";
import { isJsonObject, type JsonObject } from "../../schema/json.ts";
import type { Parameter } from "../../schema/parameter.ts";
import { validateArguments } from "../../schema/validate.ts";
import type { Returns } from "../../tool/definition.ts";
import { type Analysis, partOf } from "../analysis.ts";
import { readJsonObject } from "./json.ts";
import { schemaOfType, type TypeScope } from "./types.ts";
import { spanWithin } from "../syntax/ast.ts";

/** `parameters` is undefined if the base tool has the parameters. */
export function readExamples(
  analysis: Analysis,
  name: string,
  parameters: readonly Parameter[] | undefined,
): readonly JsonObject[] {
  const examples: JsonObject[] = [];
  for (const annotation of analysis.all("example")) {
    if (annotation.text.text === "") {
      analysis.error("malformed-annotation", "`@example` is empty", {
        at: annotation.keywordSpan,
        label: 'expected {"NAME": VALUE}',
      });
      continue;
    }
    if (!/^[[{"]/.test(annotation.text.text)) {
      // An example is only shown, so one in the words of a command line refuses nothing.
      analysis.warn("malformed-annotation", "an example must be written as a JSON object, so this one is not shown", {
        at: annotation.text.span,
        label: 'expected {"NAME": VALUE}',
      });
      continue;
    }
    const written = readJsonObject(annotation.text, "malformed-annotation", analysis);
    if (!written) continue;
    const example = argumentsOf(written, parameters);
    examples.push(example);
    for (const issue of parameters ? issuesOf(example, { name, parameters }) : []) {
      analysis.error("example-mismatch", `this example does not fit the parameters of \`${name}\``, {
        at: placeOf(issue.path, annotation.text),
        label: issue.path === "" ? issue.message : `\`${issue.path}\`: ${issue.message}`,
      });
    }
  }
  return examples;
}

export interface Called {
  readonly name: string;
  readonly parameters: readonly Parameter[];
}

export function issuesOf(example: JsonObject, { name, parameters }: Called): readonly ArgumentIssue[] {
  const options = { owner: name, environment: () => undefined, skipsSlowPatterns: true } as const;
  return validateArguments(parameters, example, options).issues;
}

/** The older form has the whole call: `{"name": "Glob", "arguments": {…}}`. */
function argumentsOf(written: JsonObject, parameters: readonly Parameter[] | undefined): JsonObject {
  const inner = written["arguments"];
  const isWholeCall = isJsonObject(inner) && typeof written["name"] === "string" && Object.keys(written).length === 2;
  const isParameter = parameters?.some((parameter) => parameter.name === "name") === true;
  return isWholeCall && !isParameter ? inner : written;
}

/** Returns the place of the first key of the path, or else the whole example. */
function placeOf(path: string, text: Parameters<typeof spanWithin>[0]): ReturnType<typeof spanWithin> {
  const key = JSON.stringify(/^[^.[]*/.exec(path)?.[0] ?? "");
  const at = key === '""' ? -1 : text.text.lastIndexOf(key);
  return at === -1 ? text.span : spanWithin(text, at, at + key.length);
}

export function readReturns(analysis: Analysis, types: TypeScope): Returns | undefined {
  const annotation = analysis.first("returns");
  const part = annotation && analysis.readWithRest(annotation, "returns", { words: 1, hasBrackets: true });
  const type = part && partOf(part, "type");
  const schema = type && schemaOfType(type, types, analysis);
  return schema && { schema, description: partOf(part, "prose")?.text.text ?? "" };
}
