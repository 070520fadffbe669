// Converts arguments from XML: every value is text there, and the parameters of the tool say its type.
import { valueOfText } from "../../core/schema/convert-text.ts";
import type { Json, JsonObject } from "../../core/schema/json.ts";
import { isAny, type Parameter, type ParameterSchema } from "../../core/schema/parameter.ts";
import { parseStrictJson } from "./strict-json.ts";
import type { XmlElement } from "./xml-body.ts";

type TypedArguments = { readonly arguments: JsonObject } | { readonly problem: string };

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
    [...byName].flatMap(([name, group]) => {
      const parameter = parameters.find((one) => one.name === name);
      const inner = path === "" ? name : `${path}.${name}`;
      return isLeftOut(group, parameter)
        ? []
        : [[name, valueOf(group, parameter?.schema, { path: inner, isFree: path !== "" })]];
    }),
  );
}

/** Whether it is an empty element for a value that need not be given and cannot be empty. */
function isLeftOut([first, ...more]: readonly XmlElement[], parameter: Parameter | undefined): boolean {
  return (
    parameter !== undefined &&
    !parameter.required &&
    ["integer", "number", "boolean"].includes(parameter.schema.type) &&
    more.length === 0 &&
    first?.children.length === 0 &&
    first.text.trim() === ""
  );
}

/** `group` are the elements of one name. `isFree`: within an object that has values of any type. */
function valueOf(
  group: readonly XmlElement[],
  schema: ParameterSchema | undefined,
  { path, isFree }: { readonly path: string; readonly isFree: boolean },
): Json {
  if (isAny(schema) && (group.length > 1 || group[0]?.children.length !== 0))
    return valueOf(group, undefined, { path, isFree: true });
  const [first] = group;
  if (first && schema?.type === "array") {
    if (group.length > 1) return itemsOf(group, schema.items, path);
    if (first.children.length > 0) return itemsOf(first.children, schema.items, path);
    return first.text.trim() === "" ? [] : textValue(first.text, schema, path);
  }
  if (first && schema === undefined && isFree && group.length > 1) return itemsOf(group, undefined, path);
  if (!first || group.length > 1)
    throw new NotTyped(`\`<${path}>\` is given ${group.length} times, but accepts one value`);
  const { children } = first;
  if (children.length === 0 && schema === undefined) return isFree ? freeValue(first) : first.text;
  if (children.length === 0 && schema) return textValue(first.text, schema, path);
  if (schema === undefined)
    return children.every(({ name }) => name === "item")
      ? itemsOf(children, undefined, path)
      : objectOf(children, [], path);
  if (schema.type === "object") return objectOf(children, schema.properties, path);
  throw new NotTyped(
    `\`<${path}>\` is a ${schema.type} but has elements in it; text with tags goes into CDATA, as in <${first.name}><![CDATA[…]]></${first.name}>`,
  );
}

function itemsOf(elements: readonly XmlElement[], items: ParameterSchema | undefined, path: string): Json {
  return elements.map((element, index) => valueOf([element], items, { path: `${path}[${index}]`, isFree: true }));
}

/** A value whose type nothing says: what JSON would write without quotes is not text, unless it is in CDATA. */
function freeValue({ text, isExact }: XmlElement): Json {
  if (isExact) return text;
  if (text === "true" || text === "false") return text === "true";
  return text !== "" && String(Number(text)) === text && Number.isFinite(Number(text)) ? Number(text) : text;
}

function textValue(text: string, schema: ParameterSchema, path: string): Json {
  if (schema.type === "object" && text.trim() === "") return {};
  const isJson = schema.type === "object" || (schema.type === "array" && text.trimStart().startsWith("["));
  if (!isJson) return valueOfText(schema, schema.type === "string" ? text : text.trim());
  const parsed = parseStrictJson(text);
  if ("problem" in parsed) throw new NotTyped(`\`<${path}>\` is not usable JSON: ${parsed.problem}`);
  return parsed.value;
}
