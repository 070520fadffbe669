// Arguments as the words of a call, where a definition takes a JSON object: `@example src`, `with folder=src --case`.
import type { Json, JsonObject } from "../../schema/json.ts";
import type { ArgumentIssue } from "../../schema/argument-issue.ts";
import type { Parameter } from "../../schema/parameter.ts";
import { valueOfText } from "../../schema/convert-text.ts";
import { validateArguments } from "../../schema/validate.ts";

export interface Called {
  readonly name: string;
  readonly parameters: readonly Parameter[];
}

export function issuesOf(example: JsonObject, { name, parameters }: Called): readonly ArgumentIssue[] {
  const options = { owner: name, environment: () => undefined, skipsSlowPatterns: true } as const;
  return validateArguments(parameters, example, options).issues;
}

/** Matches a word that no shell would change. */
const PLAIN = /^[\w./:@%+,=-]*$/;
const QUOTED = /^(?:"[^"\\$`]*"|'[^']*')$/;

/** Returns undefined where the words could mean something else, or are no valid call. */
export function argumentsInWords(text: string, called: Called): JsonObject | undefined {
  const words = text.match(/(?:[^ \t"']|"[^"]*"|'[^']*')+|["']/g) ?? [];
  const from = words[0] === "dottool" ? 1 : 0;
  const given: Record<string, Json> = {};
  const inOrder: string[] = [];
  const named = (written: string): Parameter | undefined =>
    called.parameters.find(({ name }) => name === written || name.replaceAll("_", "-") === written);
  for (let at = words[from] === called.name ? from + 1 : from; at < words.length; at++) {
    const word = words[at] ?? "";
    const [, dashes, name = "", value] = /^(--)?([A-Za-z_][\w-]*)(?:=(.*))?$/.exec(word) ?? [];
    const parameter = dashes !== undefined || value !== undefined ? named(name) : undefined;
    if (parameter) {
      const isSwitch = value === undefined && parameter.schema.type === "boolean";
      const own = valueIn(value ?? (isSwitch ? "true" : (words[++at] ?? "-")));
      if (own === undefined || parameter.name in given) return undefined;
      given[parameter.name] = valueOfText(parameter.schema, own);
    } else {
      const own = word.startsWith("-") ? undefined : valueIn(word);
      if (own === undefined) return undefined;
      inOrder.push(own);
    }
  }
  const required = called.parameters.filter(
    ({ name, required, hidden, secret }) => required && !hidden && !secret && !(name in given),
  );
  if (required.length !== inOrder.length) return undefined;
  for (const [index, { name, schema }] of required.entries()) given[name] = valueOfText(schema, inOrder[index] ?? "");
  return issuesOf(given, called).length === 0 ? given : undefined;
}

/** Returns the word without its quotes; undefined if a shell would change it, or if it is an option. */
function valueIn(word: string): string | undefined {
  if (QUOTED.test(word)) return word.slice(1, -1);
  return PLAIN.test(word) && !word.startsWith("-") ? word : undefined;
}
