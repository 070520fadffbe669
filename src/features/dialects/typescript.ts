// Tools as functions of a TypeScript API, for models that write programs instead of calls. A tenth of a JSON Schema's
// size.
import { givenParameters } from "../../core/schema/given-parameters.ts";
import { isAny, type Parameter, type ParameterSchema } from "../../core/schema/parameter.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { firstSentence } from "../../core/text/first-sentence.ts";
import { forModels } from "../../core/text/hidden-characters.ts";
import { apiName } from "../../core/tool/api-name.ts";

/** Returns a tool's name as an identifier: `owner/my-tool` is `owner__my_tool`. */
export function functionName(name: string): string {
  return apiName(name).replaceAll("-", "_");
}

/** Returns `declare namespace tools { … }`. `brief`: without descriptions of parameters. */
export function toTypeScript(tools: readonly Tool[], { brief = false }: { readonly brief?: boolean } = {}): string {
  return `declare namespace tools {\n${tools.map((tool) => `${functionDeclaration(tool, brief)}\n`).join("")}}\n`;
}

export function functionDeclaration(tool: Tool, brief = false): string {
  const { definition } = tool;
  const parameters = givenParameters(tool.parameters, "model");
  const { name, title, description, returns } = definition;
  const about = brief ? firstSentence(description) || title : description === "" ? title : description;
  const taken =
    parameters.length === 0 ? "" : `args${parameters.some(isNeeded) ? "" : "?"}: ${objectType(parameters, { brief })}`;
  return `  /** ${commentText(about)} */\n  function ${functionName(name.value)}(${taken}): Promise<${returns ? typeOf(returns.schema, { brief }) : "string"}>;`;
}

function isNeeded({ required, default: value }: Parameter): boolean {
  return required && value === undefined;
}

export interface TypeStyle {
  /** Without descriptions. */
  readonly brief?: boolean;
  /** The type of any JSON value. */
  readonly any?: string;
}

export function objectType(properties: readonly Parameter[], style: TypeStyle): string {
  const members = properties.map((property) => {
    const about = style.brief || property.description === "" ? "" : `/** ${commentText(property.description)} */ `;
    return `${about}${propertyName(property.name)}${isNeeded(property) ? "" : "?"}: ${typeOf(property.schema, style)}`;
  });
  return `{ ${members.join("; ")} }`;
}

export function typeOf(schema: ParameterSchema, style: TypeStyle): string {
  const { any = "unknown" } = style;
  switch (schema.type) {
    case "string":
      if (isAny(schema)) return any;
      return schema.choices ? schema.choices.map((choice) => JSON.stringify(choice)).join(" | ") : "string";
    case "integer":
    case "number":
      return schema.choices?.join(" | ") ?? "number";
    case "boolean":
      return "boolean";
    case "array": {
      const items = typeOf(schema.items, style);
      return /^[\w]+$/.test(items) ? `${items}[]` : `Array<${items}>`;
    }
    case "object":
      if (schema.properties.length === 0) return `Record<string, ${any}>`;
      return schema.open
        ? `${objectType(schema.properties, style)} & Record<string, ${any}>`
        : objectType(schema.properties, style);
  }
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** Returns one line that cannot end the comment. */
export function commentText(text: string): string {
  return forModels(text).replaceAll(/\s+/g, " ").replaceAll("*/", "* /").trim();
}
