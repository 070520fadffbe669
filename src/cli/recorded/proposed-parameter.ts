// A parameter of a proposed tool, in place of a value of the conversation.
import type { Json } from "../../schema/json.ts";
import type { Parameter } from "../../schema/parameter.ts";
import type { Source } from "./recorded-marks.ts";

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
