// What a proposed tool says of itself: a description in the person's words, and what was left out of the conversation.
import { MASK } from "../../../core/schema/describe.ts";
import type { LeftOut } from "./recorded-calls.ts";
import { hidden, withoutSecrets } from "../../new/secret-guesses.ts";
import type { Json } from "../../../core/schema/json.ts";
import type { Parameter } from "../../../core/schema/parameter.ts";
import type { Source } from "./recorded-marks.ts";

const DESCRIPTION_LENGTH_MAX = 300;

/** The first paragraph of what the person asked for, with the names of parameters in place of values. */
export function descriptionOf(prompts: readonly string[], own: readonly Own[]): string {
  const [asked = ""] = (prompts.find((prompt) => prompt.trim() !== "") ?? "").trim().split(/\n\s*\n/, 1);
  const values = [...own].sort((one, other) => other.source.text.length - one.source.text.length);
  const named = values.reduce(
    (text, { parameter, source }) => {
      // A letter may be a word of its own.
      if (source.text.length < 2 && !/\d/.test(source.text)) return text;
      return source.kind === "secret"
        ? text.replaceAll(source.text, MASK)
        : text.replaceAll(wholeWords(source.text), `\`${parameter.name}\``);
    },
    withoutSecretText(asked.replaceAll(/\s+/g, " ")),
  );
  const cut =
    named.length <= DESCRIPTION_LENGTH_MAX ? named : `${named.slice(0, DESCRIPTION_LENGTH_MAX).toWellFormed()}…`;
  // A line that begins with an @ would be an annotation.
  return cut.startsWith("@") ? `Asked: ${cut}` : cut === "" ? "Do again what a conversation did." : cut;
}

/** A number is not part of another one, or of an address. The backquotes of the person are not doubled. */
function wholeWords(text: string): RegExp {
  const escaped = text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  return new RegExp(`(?<![\\w\`]|[.:/-](?=\\d))(?:\`${escaped}\`|${escaped})(?![\\w\`]|[.:/-]\\w)`, "g");
}

function withoutSecretText(text: string): string {
  const { line, secrets } = withoutSecrets(text, { tool: "tool", taken: new Set() });
  return hidden(line, secrets);
}

/** One line, for the person who reads the definition. */
export function leftOutText(leftOut: readonly LeftOut[], id: string): string {
  const calls = [...leftOut]
    .sort((one, other) => one.number - other.number)
    .map(({ number, tool, reason }) => `call ${number} (${tool.replaceAll(/[^\w:/.-]/g, "?").slice(0, 80)}) ${reason}`);
  return [`Made from the conversation ${id}.`, ...(calls.length === 0 ? [] : [`Left out: ${calls.join("; ")}.`])].join(
    " ",
  );
}

export interface Own {
  readonly parameter: Parameter;
  readonly source: Extract<Source, { kind: "said" | "varied" | "secret" }>;
}

export function parameterOf(name: string, source: Own["source"]): Parameter {
  const { use } = source;
  const description = use.description === "" ? `The ${use.name.replaceAll("_", " ")}` : use.description;
  if (source.kind === "secret") return { name, description, schema: { type: "string" }, required: true, secret: true };
  const parameter: Parameter = { name, description, schema: use.schema, required: false };
  const value = valueFor(parameter, source.text);
  return source.kind === "said" ? { ...parameter, required: true, example: value } : { ...parameter, default: value };
}

export function valueFor({ schema }: Pick<Parameter, "schema">, text: string): Json {
  return (schema.type === "integer" || schema.type === "number") && text.trim() !== "" ? Number(text) : text;
}
