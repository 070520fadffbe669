// What a value of a recorded call was used for: the name, the type and the description of a parameter in its place.
import type { Json } from "../../schema/json.ts";
import type { Parameter, ParameterSchema } from "../../schema/parameter.ts";
import { shapeOf } from "../guesses/parameter-guesses.ts";
import type { Use } from "./recorded-marks.ts";

export function useOf(name: string, value: Json, parameter: Parameter | undefined): Use {
  const schema = parameter?.schema;
  const isPlain = schema?.type === "string" || schema?.type === "integer" || schema?.type === "number";
  return {
    name,
    schema: isPlain ? plainSchema(schema) : { type: typeof value === "number" ? "number" : "string" },
    description: parameter?.description.split("\n", 1)[0] ?? "",
  };
}

/** Text that the tool would run is not free for a caller of the new one. */
function plainSchema(schema: ParameterSchema): ParameterSchema {
  return schema.type === "string" && schema.format !== "path" && schema.format !== "url" ? { type: "string" } : schema;
}

export function useOfPart(text: string): Use {
  const { name, type } = shapeOf(text);
  return { name, schema: schemaOf(type === "integer" ? "string" : type), description: "" };
}

export function textUse(name: string): Use {
  return { name, schema: { type: "string" }, description: "" };
}

export function schemaOf(type: "string" | "path" | "url" | "integer"): ParameterSchema {
  return type === "integer" ? { type } : type === "string" ? { type } : { type: "string", format: type };
}
