// Writes grammar/tools.schema.json: the JSON Schema of YAML definitions, for editors.
import { toolsSchema } from "../../src/features/yaml/tools-schema.ts";
import { writeIfChanged } from "../write-if-changed.mjs";

export function generate() {
  writeIfChanged("grammar/tools.schema.json", `${JSON.stringify(toolsSchema(), undefined, 2)}\n`);
}
