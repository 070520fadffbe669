// `@example` and `@returns`: calls that would work, and the shape of results.
import { isJsonObject, type JsonObject } from "../../schema/json.ts";
import type { Parameter } from "../../schema/parameter.ts";
import type { Returns } from "../../tool/definition.ts";
import { type Analysis, partOf } from "../analysis.ts";
import { replacing } from "../findings.ts";
import { argumentsInWords, type Called, issuesOf } from "./arguments-in-words.ts";
import { readJsonObject } from "./json.ts";
import { isPlainType, schemaOfType, type TypeScope } from "./types.ts";
import { type Annotation, type MappedText, spanWithin } from "../syntax/ast.ts";

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
      warnOfWords(annotation.text, { name, parameters: parameters ?? [] }, analysis);
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

/** An example is only shown, so one in the words of a command line refuses nothing. */
function warnOfWords(mapped: MappedText, called: Called, analysis: Analysis): void {
  const meant = argumentsInWords(mapped.text, called);
  analysis.warn("malformed-annotation", "an example must be written as a JSON object, so this one is not shown", {
    at: mapped.span,
    ...(meant ? { fix: replacing(mapped.span, JSON.stringify(meant)) } : { label: 'expected {"NAME": VALUE}' }),
  });
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
  if (annotation && reportWithoutType(annotation, analysis)) return undefined;
  const part = annotation && analysis.readWithRest(annotation, "returns", { words: 1, hasBrackets: true });
  const type = part && partOf(part, "type");
  const schema = type && schemaOfType(type, types, analysis);
  return schema && { schema, description: partOf(part, "prose")?.text.text ?? "" };
}

/** `@returns The lines`, `@returns string The lines`, and `@returns {lines}` of a step. */
function reportWithoutType(annotation: Annotation, analysis: Analysis): boolean {
  const { text } = annotation;
  const [, step = ""] = /^\{([A-Za-z_][\w-]*)\}$/.exec(text.text) ?? [];
  if (step !== "" && !analysis.has("output") && analysis.all("step").some((one) => isNamed(one, step))) {
    analysis.error("malformed-annotation", "the output of a step is given with `@output`", {
      at: annotation.keywordSpan,
      fix: replacing(annotation.keywordSpan, "@output"),
    });
    return true;
  }
  if (text.text === "" || text.text.startsWith("{")) return false;
  const [word = ""] = /^\w+/.exec(text.text) ?? [];
  const type = isPlainType(word) ? word : undefined;
  const span = spanWithin(text, 0, type?.length ?? 0);
  analysis.malformed(
    annotation,
    { kind: "unexpected", span: spanWithin(text, 0, word.length), expected: "a type such as {string}" },
    { title: `write \`{${type ?? "string"}}\``, edits: [{ span, text: type ? `{${type}}` : "{string} " }] },
  );
  return true;
}

function isNamed({ text }: Annotation, step: string): boolean {
  return /^[\w-]+/.exec(text.text)?.[0] === step;
}
