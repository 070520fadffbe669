// The description of a tool for a model.
import { typeText } from "../../core/schema/describe.ts";
import { givenParameters, withoutSourced } from "../../core/schema/given-parameters.ts";
import { argumentsSchema } from "../../core/schema/json-schema.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import { isAny, type Parameter, type ParameterSchema } from "../../core/schema/parameter.ts";
import type { Returns, ToolDefinition } from "../../core/tool/definition.ts";
import { forModels } from "../../core/text/hidden-characters.ts";
import type { Tool } from "../../core/tool/tool.ts";

/** Returns the schema of the arguments, with an example where the schema alone is hard to follow. */
export function schemaForModels(tool: Tool): JsonObject {
  const { definition, parameters } = tool;
  const [example] = examplesForModels(tool);
  const isNested = givenParameters(parameters, "model").some(({ schema, hidden }) => !hidden && isStructure(schema));
  return {
    ...argumentsSchema(parameters.map(withoutPlainExample), definition.schemaOmits),
    ...(example && isNested ? { examples: [example] } : {}),
  };
}

/** The examples with what a model gives. */
export function examplesForModels({ definition, parameters }: Tool): readonly JsonObject[] {
  return definition.examples.map((example) => withoutSourced(example, parameters));
}

/** An example shows the form of a free text; of a path, an address, a choice or a number, name and type say it. */
function withoutPlainExample(parameter: Parameter): Parameter {
  const { example, otherExamples, ...plain } = parameter;
  const { schema } = parameter;
  const isFree =
    schema.type === "string" && !schema.choices && (schema.format === undefined || isAny(schema) || schema.pattern);
  return isFree ? parameter : plain;
}

function isStructure(schema: ParameterSchema): boolean {
  return (
    schema.type === "object" || (schema.type === "array" && schema.items.type !== "string" && isStructure(schema.items))
  );
}

export function modelDescription(definition: ToolDefinition): string {
  const { description, title, returns, deprecated } = definition;
  return forModels(
    [
      description === "" ? title : description,
      // Only some APIs accept a schema of the result, and MCP only one of an object.
      ...(returns ? [`Returns ${returnsText(returns)}`] : []),
      ...(deprecated === undefined ? [] : [`Deprecated: ${deprecated}`]),
    ].join("\n\n"),
  );
}

/** Returns text such as `array<string>: the names`. */
export function returnsText({ schema, description }: Returns): string {
  return description === "" ? typeText(schema) : `${typeText(schema)}: ${description}`;
}
