// What the page of runs shows of a tool, so that a person can call it.
import { argumentsSchema } from "../../core/schema/json-schema.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import type { Tool } from "../../core/tool/tool.ts";

/** An answer to the page. */
export interface PageAnswer {
  readonly status: number;
  readonly body: JsonObject;
}

/** `paths` are the names of parameters that are paths in `folder`. */
export function toolForm(
  name: string,
  { definition, parameters, effects }: Tool,
  { folder, paths }: { readonly folder: string; readonly paths: readonly string[] },
): PageAnswer {
  const { title, description } = definition;
  const schema = argumentsSchema(parameters, [], "person");
  return { status: 200, body: { name, title, description, effects, folder, schema, paths } };
}
