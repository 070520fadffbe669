// `examples` and `returns` below `x-dottool`, which parameters and types decide.
import { isJsonObject, type JsonObject } from "../../../core/schema/json.ts";
import type { Parameter } from "../../../core/schema/parameter.ts";
import { issuesOf } from "../../../core/language/fields/examples.ts";
import type { Returns } from "../../../core/tool/definition.ts";
import type { TypeScope } from "../../../core/language/fields/types.ts";
import type { Fields } from "../fields.ts";
import { toJson, type YamlNode } from "../node.ts";
import { returnsKeys } from "./extension-keys.ts";
import { readType } from "./parameter-schema.ts";
import type { TemplateContext } from "../template-text.ts";

export function readReturns(owner: Fields, types: TypeScope, context: TemplateContext): Returns | undefined {
  const fields = owner.fields("returns");
  const schema = fields && readType(fields, types);
  if (fields && !fields.has("type"))
    owner.findings.error("unknown-type", "`returns` has no `type`", {
      at: owner.place("returns"),
      help: ["add `type: string`"],
    });
  return schema && { description: "", ...returnsKeys.read(fields, context), schema };
}

/** `parameters` is undefined if the base tool has them. */
export function readExamples(
  fields: Fields,
  parameters: readonly Parameter[] | undefined,
  name: string,
): readonly JsonObject[] {
  return fields.list("examples").flatMap((item) => {
    const example = toJson(item);
    if (!isJsonObject(example)) fields.wrong(item, "examples", "a map of arguments");
    else checkExample(item, example, { fields, parameters, name });
    return isJsonObject(example) ? [example] : [];
  });
}

function checkExample(
  item: YamlNode,
  example: JsonObject,
  {
    fields,
    parameters,
    name,
  }: { readonly fields: Fields; readonly parameters: readonly Parameter[] | undefined; readonly name: string },
): void {
  for (const { path, message } of parameters ? issuesOf(example, { name, parameters }) : []) {
    const root = /^[^.[]*/.exec(path)?.[0];
    const entry = item.kind === "map" ? item.entries.find(({ key }) => key === root) : undefined;
    fields.findings.error("example-mismatch", `this example does not fit the parameters of \`${name}\``, {
      at: entry?.keySpan ?? { ...item.span, end: item.span.start + 1 },
      label: path === "" ? message : `\`${path}\`: ${message}`,
    });
  }
}
