// Converts arguments from XML: every value is text there, and the parameters of the tool say its type.
import { convertText } from "../schema/convert-text.ts";
import type { Json, JsonObject } from "../schema/json.ts";
import type { Parameter, ParameterSchema } from "../schema/parameter.ts";
import { parseStrictJson } from "./strict-json.ts";
import type { XmlElement } from "./xml-body.ts";

export type TypedArguments = { readonly arguments: JsonObject } | { readonly problem: string };

/** Converts arguments; a value that does not convert stays text, so that the gate says what was expected. */
export function typedArguments(elements: readonly XmlElement[], parameters: readonly Parameter[]): TypedArguments {
  try {
    return { arguments: objectOf(elements, parameters, "") };
  } catch (error) {
    if (!(error instanceof NotTyped)) throw error;
    return { problem: error.message };
  }
}

class NotTyped extends Error {}

function objectOf(elements: readonly XmlElement[], parameters: readonly Parameter[], path: string): JsonObject {
  const byName = new Map<string, XmlElement[]>();
  for (const element of elements) {
    const group = byName.get(element.name);
    if (group) group.push(element);
    else byName.set(element.name, [element]);
  }
  return Object.fromEntries(
    [...byName].map(([name, group]) => {
      const schema = parameters.find((parameter) => parameter.name === name)?.schema;
      return [name, valueOf(group, schema, path === "" ? name : `${path}.${name}`)];
    }),
  );
}

/** `group` are the elements of one name. */
function valueOf(group: readonly XmlElement[], schema: ParameterSchema | undefined, path: string): Json {
  const [first] = group;
  if (first && schema?.type === "array") {
    if (group.length > 1) return group.map((element, index) => valueOf([element], schema.items, `${path}[${index}]`));
    if (first.children.length > 0)
      return first.children.map((element, index) => valueOf([element], schema.items, `${path}[${index}]`));
    return first.text === "" ? [] : textValue(first.text, schema, path);
  }
  if (!first || group.length > 1)
    throw new NotTyped(`\`<${path}>\` is given ${group.length} times, but accepts one value`);
  if (first.children.length === 0) return schema ? textValue(first.text, schema, path) : first.text;
  if (schema === undefined) return objectOf(first.children, [], path);
  if (schema.type === "object") return objectOf(first.children, schema.properties, path);
  throw new NotTyped(
    `\`<${path}>\` is a ${schema.type} but has elements in it; text with tags goes into CDATA, as in <${first.name}><![CDATA[…]]></${first.name}>`,
  );
}

function textValue(text: string, schema: ParameterSchema, path: string): Json {
  const isJson = schema.type === "object" || (schema.type === "array" && text.trimStart().startsWith("["));
  if (!isJson) return convertText(schema, text).value ?? text;
  const parsed = parseStrictJson(text);
  if ("problem" in parsed) throw new NotTyped(`\`<${path}>\` is not usable JSON: ${parsed.problem}`);
  return parsed.value;
}
