// The reader of definitions in YAML, as the catalogue asks for it.
import type { DefinitionReader } from "../../core/catalog/definition-reader.ts";
import { analyzeYamlFile } from "./analyze.ts";

export const yamlReader: DefinitionReader = {
  read: (source, { scope, owner, folder }) =>
    analyzeYamlFile(source, {
      scope,
      ...(owner === undefined ? {} : { owner }),
      ...(folder === undefined ? {} : { folder }),
    }),
  readSoundPart: () => Promise.resolve(undefined),
};
