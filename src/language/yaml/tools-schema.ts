// The JSON Schema of every YAML definition. It decides the format of a file like the readers.
import type { JsonObject } from "../../schema/json.ts";
import { commandKeys, toolKeys as customKeys } from "../custom-tools/keys.ts";
import { toolKeys as forgeKeys } from "../forge-tool/keys.ts";
import { stepTypes, toolKeys as metaKeys } from "../meta-tools/keys.ts";
import { KeySchemas } from "./key-schema.ts";

export function toolsSchema(): JsonObject {
  const schemas = new KeySchemas();
  const [forge, meta, custom] = [
    schemas.refer(forgeKeys, "forge"),
    schemas.refer(metaKeys, "meta"),
    schemas.refer(customKeys, "custom"),
  ];
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "A tool of dottool in YAML",
    description: "Custom-tools YAML, meta-tools and forge tools; made of the keys that dottool reads.",
    type: "object",
    if: { required: ["entrypoint"] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: forge,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    else: { if: isMeta(), then: meta, else: custom },
    $defs: schemas.definitions(),
  };
}

/** Returns the condition of `isMetaTool` as a JSON Schema. */
function isMeta(): JsonObject {
  const has = (keys: readonly string[]): JsonObject => ({ anyOf: keys.map((key) => ({ required: [key] })) });
  const step = {
    type: "object",
    anyOf: [{ required: ["output_var"] }, { required: ["type"], properties: { type: { enum: stepTypes } } }],
  };
  return {
    anyOf: [
      {
        allOf: [
          has(["arguments", "dependencies", "output"]),
          { not: has(["parameters", ...commandKeys, "commands", "base-tool"]) },
        ],
      },
      { required: ["steps"], properties: { steps: { type: "array", contains: step } } },
    ],
  };
}
