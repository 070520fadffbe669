// What a description lacks for a model. Which parts matter is from two studies of 2026: "Model Context Protocol (MCP)
// Tool Descriptions Are Smelly!" (arXiv 2602.14878: purpose, guidelines, limitations, explanation of parameters,
// examples and length) and "From Docs to Descriptions" (arXiv 2602.18914: accuracy, functionality, completeness and
// conciseness; the first two change most which tool a model takes). The first also found that a description with all
// parts makes more steps, so a limit is asked for only where another tool is alike. How each part is recognized is ours.
import { givenParameters } from "../../core/schema/given-parameters.ts";
import type { Parameter, ParameterSchema } from "../../core/schema/parameter.ts";
import { firstSentence } from "../../core/text/first-sentence.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { NamedTool } from "./project-asks.ts";
import { likeness, wordsIn } from "./tool-words.ts";

export interface Hint {
  readonly tool: string;
  readonly about: "purpose" | "limits" | "units" | "examples" | "parameters" | "twins";
  readonly text: string;
}

/** Tools whose descriptions share this part of their words are alike: at less, stock prices and news of a stock are. */
const TWIN_LIKENESS = 0.6;
const TWINS_MAX = 2;
const PURPOSE_WORDS_MIN = 3;
/** Languages with blanks between words. */
const SPACED = /^[\0-\u052f\u2000-\u206f]*$/;

export function descriptionHints(tools: readonly NamedTool[]): readonly Hint[] {
  const twins = nearTwins(tools);
  return tools.flatMap(({ name, tool }) => {
    const near = twins.get(name) ?? [];
    const hint = (about: Hint["about"], text: string | undefined): readonly Hint[] =>
      text === undefined ? [] : [{ tool: name, about, text }];
    const parameters = givenParameters(tool.parameters, "model").filter(({ hidden }) => !hidden);
    return [
      ...hint("purpose", purposeHint(name, tool)),
      ...hint("limits", limitsHint(tool, near)),
      ...parameters.flatMap((parameter) => hint("units", unitHint(parameter))),
      ...hint("examples", exampleHint(tool, parameters)),
      ...hint("parameters", undescribed(parameters)),
      ...namedNowhere(tool).flatMap((named) =>
        hint("parameters", `the description names \`${named}\`, and no parameter is called so`),
      ),
      // Each pair is told once.
      ...near
        .filter((other) => name < other)
        .flatMap((other) => hint("twins", `its words are nearly those of \`${other}\`; say what only this tool does`)),
    ];
  });
}

/** Returns the names of those that each is alike, nearest first. */
function nearTwins(tools: readonly NamedTool[]): ReadonlyMap<string, readonly string[]> {
  const words = tools.map(({ name, tool }) => ({ name, words: wordsIn(`${name} ${tool.definition.description}`) }));
  return new Map(
    words.map((one) => {
      const near = words
        .map((other) => ({ name: other.name, like: other === one ? 0 : likeness(one.words, other.words) }))
        .filter(({ like }) => like >= TWIN_LIKENESS)
        .sort((a, b) => b.like - a.like);
      return [one.name, near.slice(0, TWINS_MAX).map(({ name }) => name)];
    }),
  );
}

function purposeHint(name: string, { definition: { description, title } }: Tool): string | undefined {
  if (description.trim() === "") return "it has no description";
  const sentence = firstSentence(description);
  const [said, ofName] = [wordsIn(sentence), wordsIn(`${name} ${title}`)];
  if (said.size > 0 && [...said].every((word) => ofName.has(word)))
    return "its first sentence only repeats its name; say what it does, and when to use it";
  const isShort = said.size < PURPOSE_WORDS_MIN && SPACED.test(sentence);
  return isShort ? "its first sentence is too short to say what it does" : undefined;
}

function limitsHint({ definition: { description } }: Tool, near: readonly string[]): string | undefined {
  const [other] = near;
  const isSaid =
    /\b(?:not|never|only|instead|rather|except|unless|cannot|without|for other|prefer)\b|n't\b/i.test(description) ||
    near.some((name) => description.includes(name));
  return other === undefined || isSaid ? undefined : `it does not say when to use \`${other}\` instead`;
}

const MEASURED = /time|delay|duration|interval|age|timeout|size|length|width|height|distance|weight|limit|budget|rate/i;
const UNIT =
  /\b(?:ms|s|m|h|kb|mb|gb|[kmg]ib|px|km|cm|mm|kg|g|usd|eur|(?:milli|micro)?seconds?|minutes?|hours?|days?|weeks?|months?|years?|bytes?|bits?|pixels?|characters?|words?|tokens?|lines?|items?|rows?|results?|entries|files?|pages?|meters?|metres?|miles?|percent|degrees?|dollars?|euros?|times|calls?|number of|count|how many)\b|[%$€°]/i;

function unitHint({ name, description, schema }: Parameter): string | undefined {
  const isNumber = schema.type === "integer" || schema.type === "number";
  const hasUnit = UNIT.test(`${name.replaceAll(/[_-]/g, " ")} ${description}`);
  return isNumber && MEASURED.test(name) && !hasUnit ? `the unit of \`${name}\` is not said` : undefined;
}

function exampleHint({ definition: { examples } }: Tool, parameters: readonly Parameter[]): string | undefined {
  const hard = parameters.find(({ schema, example }) => example === undefined && isHard(schema));
  return examples.length > 0 || !hard
    ? undefined
    : `\`${hard.name}\` has a form that is hard to guess, and there is no \`@example\``;
}

/** Whether the type does not show how a value is written. */
function isHard(schema: ParameterSchema): boolean {
  if (schema.type === "array") return isHard(schema.items);
  if (schema.type === "string") return schema.pattern !== undefined || schema.format === "json";
  return schema.type === "object";
}

function undescribed(parameters: readonly Parameter[]): string | undefined {
  const names = parameters.filter(({ description }) => description.trim() === "").map(({ name }) => `\`${name}\``);
  return names.length === 0 ? undefined : `${names.join(", ")} ${names.length === 1 ? "has" : "have"} no description`;
}

/** Returns the names in backquotes that look like one of a parameter and are none. */
function namedNowhere({ definition: { description, name }, parameters }: Tool): readonly string[] {
  const known = new Set([name.value, ...parameters.flatMap((one) => [one.name, ...propertyNames(one.schema)])]);
  const named = [...description.matchAll(/\bparameter `(\w+)`|`(\w+)` (?:parameter|argument)/g)].flatMap(
    ([, behind, before]) => behind ?? before ?? [],
  );
  return [...new Set(named)].filter((one) => !known.has(one));
}

function propertyNames(schema: ParameterSchema): readonly string[] {
  if (schema.type === "array") return propertyNames(schema.items);
  return schema.type === "object" ? schema.properties.flatMap((one) => [one.name, ...propertyNames(one.schema)]) : [];
}
